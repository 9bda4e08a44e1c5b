import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statuses } from '../../server/features/pieces/draft-schema.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator, makePieceByActs } from '../../testkit/desk.ts'
import { makeProduct, makeProductDraft, makeWriter, withdrawProduct } from '../../testkit/factories.ts'
import { asking, base } from './site.ts'

/** Unpublished content does not exist for any tool, resource or completion. */

const { admin, app } = await testSite()
const { rpc, call } = asking(app)
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const hidden = await makeWriter(admin, { slug: 'hidden', name: 'Hidden', shown: false })
const mine = deskOf(app, ada)
const moderators = deskOf(app, await makeModerator(admin))

/** All text of the lists and pages. */
async function everything(words: string): Promise<string> {
  const answers = [
    await rpc('tools/call', { name: 'search_products', arguments: {} }),
    await rpc('tools/call', { name: 'search_products', arguments: { query: words } }),
    await rpc('resources/read', { uri: `${base}/llms.txt` }),
    await rpc('resources/read', { uri: `${base}/llms-products.txt` }),
  ]
  return answers.map(({ body }) => body).join('\n')
}

for (const status of statuses) {
  const isPublic = status === 'approved'
  test(`a piece that is ${status} is ${isPublic ? 'found' : 'nowhere'}`, async () => {
    const id = await makePieceByActs(status, mine, moderators)
    await admin.query('insert into app.piece_reads (piece_id, author_id, reads) values ($1, $2, 1)', [id, ada.id])
    await admin.query(
      "insert into app.piece_reads_hourly (piece_id, hour, reads) values ($1, date_trunc('hour', now()), 9)",
      [id],
    )
    await admin.query('select app.score_trending()')
    for (const given of [id, `urn:uuid:${id}`, `${base}/p/${id}`])
      assert.equal((await call('get_piece', { id: given })).isError, !isPublic)
    const read = await rpc('resources/read', { uri: `${base}/api/public/pieces/${id}` })
    assert.equal(read.json.error?.code, isPublic ? undefined : -32002)
    const lists = await Promise.all([
      call('recent_pieces', { limit: 100 }),
      call('trending_pieces', { limit: 50 }),
      call('search_pieces', { query: 'a', limit: 100 }),
    ])
    for (const { structuredContent } of lists) assert.equal(JSON.stringify(structuredContent).includes(id), isPublic)
  })
}

test('a listing that is a draft, or was withdrawn, is nowhere', async () => {
  const draft = await makeProductDraft(admin, ada, { name: 'Zymurgy in draft' })
  const withdrawn = await makeProduct(admin, ada, { name: 'Zymurgy withdrawn' })
  assert.equal((await call('get_product', { id: withdrawn })).isError, false)
  await withdrawProduct(admin, ada, withdrawn)
  for (const id of [draft, withdrawn]) {
    assert.equal((await call('get_product', { id })).isError, true)
    assert.doesNotMatch(await everything('ymurgy'), /Zymurgy/)
  }
})

test('a writer who is not shown is completed by nobody', async () => {
  const { json } = await rpc('completion/complete', {
    ref: { type: 'ref/prompt', name: 'author_brief' },
    argument: { name: 'slug', value: '' },
  })
  assert.deepEqual(json.result.completion.values, ['ada'])
  assert.equal((await call('get_author', { slug: hidden.slug })).isError, true)
})
