import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { crawl } from '../../testkit/edge-crawl.ts'
import { copyPiece, makeKey, makePiece, makeProduct, makeWriter } from '../../testkit/factories.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { countsOf, readPixel, scoreNow } from '../../testkit/read-counts.ts'
import { until } from '../../testkit/waiting.ts'

/** A moderator hides everything of a writer in one act, and restores it unchanged in one act. */

const { url, admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })
const moderator = await makeModerator(admin)
const moderators = deskOf(app, moderator)
const canary = 'quillfeather'
const ada = await makeWriter(admin, { slug: `ada-${canary}`, name: `Ada ${canary}`, bio: 'A writer of tea.' })
const bo = await makeWriter(admin, { slug: 'bo', name: 'Bo', bio: 'Another writer.' })
const hers = deskOf(app, ada)
const reason = 'Sixty pieces that sell the same watch.'

const decide = (act: 'suspend' | 'restore', slug = ada.slug, by = moderators) =>
  by.ask('POST', `review/writers/${slug}/${act}`, { reason })
const isOk = (answer: { statusCode: number; body: string }) => assert.equal(answer.statusCode, 200, answer.body)
const status = async (path: string) => (await app.inject(path)).statusCode
const rowsOf = async (table: string) =>
  (
    await admin.query(
      `select to_jsonb(t) as kept from pub.${table} t where coalesce(to_jsonb(t) ->> 'author_id', to_jsonb(t) ->> 'id') = $1
        order by to_jsonb(t)::text`,
      [ada.id],
    )
  ).rows.map(({ kept }) => kept)
const tables = ['authors', 'former_slugs', 'pieces', 'piece_contents', 'piece_texts', 'receipts', 'products', 'media']
const publicRows = async () => Object.fromEntries(await Promise.all(tables.map(async (t) => [t, await rowsOf(t)])))

const picture = await uploaderOf(app, ada).upload(await photograph(1))
const first = await makePiece(admin, ada, { headline: `On tea, by ${canary}`, body_md: 'Tea.' })
const second = await makePiece(admin, ada, {
  headline: `Tea again, by ${canary}`,
  body_md: `![Tea](/media/${picture})`,
})
const takenDown = await makePiece(admin, ada, { headline: 'A tea that was taken down' })
isOk(await moderators.act('take_down', takenDown))
await makePiece(admin, bo, { headline: 'Not tea', body_md: 'Of tea, no word.' })
await makeProduct(admin, ada, { name: `A ${canary} notebook`, related: [first] })
const draft = await hers.begin({ headline: 'A draft of tea', body_md: 'Tea.' })
isOk(await hers.ask('PUT', 'profile/slug', { slug: `ada-of-${canary}` }))
const slug = `ada-of-${canary}`
await readPixel(app, first)
await until(async () => (await countsOf(admin))[first] === 1, 'the read is counted')
await scoreNow(admin)
isOk(await hers.ask('PUT', 'webhook', { url: 'https://receiver.example/hook' }))
await admin.query("update app.webhooks set state = 'live', live_since = now() where writer_id = $1", [ada.id])
isOk(await hers.act('publish', await hers.begin({ headline: 'Tea that is told', body_md: 'Tea.' })))
const deliveries = async () =>
  (await admin.query("select id, state, attempts from app.deliveries where event = 'piece.published' order by id")).rows
const link = (await hers.ask('POST', `pieces/${draft}/links`, { days: 7 })).json().link.url as string
const preview = new URL(link).pathname

/** "More from …" or "Read next" may show new pieces half a minute late, but never removed ones. */
const withoutReadOn = (content: string): string =>
  content.replace(/<h2 class="label" id="further">(?:More from|Read next)[\s\S]*?<\/ol>/, '')

test('one act hides a writer from every surface, and one act brings all of it back as it was', async () => {
  const rows = await publicRows()
  const before = await crawl(app)
  const named = [...before].filter(([, { status, content }]) => status === 200 && content.includes(canary))
  assert.ok(named.length > 40, `${named.length} answers name her`)
  assert.equal(await status(preview), 200)
  assert.equal((await deliveries()).length, 1)

  isOk(await decide('suspend', slug))
  const during = await crawl(app, before.keys())
  const left = [...during].filter(([, { status, content }]) => status < 400 && content.includes(canary))
  assert.deepEqual(
    left.map(([address]) => address),
    [],
  )
  assert.deepEqual(Object.values(await publicRows()).flat(), [])
  for (const path of [`/media/${picture}`, preview, `/p/${first}`, `/author/${slug}`, `/author/${ada.slug}`])
    assert.equal(await status(path), 404, path)

  const deliveredBefore = await deliveries()
  assert.ok(
    deliveredBefore.every(({ state }) => state === 'cancelled'),
    JSON.stringify(deliveredBefore),
  )
  isOk(await decide('restore', slug))
  await scoreNow(admin)
  assert.deepEqual(await publicRows(), rows)
  const after = await crawl(app, before.keys())
  const other = [...before].filter(
    ([at, was]) => withoutReadOn(after.get(at)?.content ?? '') !== withoutReadOn(was.content),
  )
  assert.deepEqual(
    other.map(([address]) => address),
    [],
  )
  assert.equal(await status(preview), 200)
  assert.equal(await status(`/p/${takenDown}`), 404)
  assert.deepEqual(await deliveries(), deliveredBefore, 'no webhook is called again')
})

test('a suspended writer writes, lists and publishes nothing, by session or by key, and is told what to do', async () => {
  const { key } = await makeKey(admin, ada)
  isOk(await decide('suspend', slug))
  const refused = [
    await hers.ask('POST', 'pieces', { headline: 'More', body_md: 'More.' }),
    await hers.ask('PATCH', `pieces/${draft}`, { body_md: 'More.' }, { 'if-match': '*' }),
    await hers.act('publish', draft),
    await hers.act('submit', draft),
    await hers.act('update', second),
    await hers.ask('POST', 'products', { name: 'More', payment_url: 'https://pay.example/more' }),
    await app.inject({
      method: 'POST',
      url: '/api/v1/pieces',
      headers: { authorization: `Bearer ${key}` },
      payload: { headline: 'More', body_md: 'More.' },
    }),
  ]
  for (const { statusCode, body } of refused) {
    assert.equal(statusCode, 403, body)
    const { reason: code, detail } = JSON.parse(body)
    assert.equal(code, 'suspended')
    assert.match(detail, /reason is on your account page\. .*contact the site/)
  }
  const { account } = (await hers.ask('GET', 'account')).json()
  assert.equal(account.suspended.reason, reason)
  isOk(await hers.ask('GET', `pieces/${draft}`))
  isOk(await decide('restore', slug))
  assert.equal((await hers.ask('GET', 'account')).json().account.suspended, null)
  isOk(await hers.ask('PATCH', `pieces/${draft}`, { body_md: 'More.' }, { 'if-match': '*' }))
})

test('what its writer takes back while suspended does not come back', async () => {
  const third = await hers.begin({ headline: 'Third' })
  isOk(await hers.act('publish', third))
  isOk(await decide('suspend', slug))
  isOk(await hers.ask('POST', `pieces/${third}/unpublish`))
  isOk(await decide('restore', slug))
  assert.equal(await status(`/api/public/pieces/${third}`), 404)
  assert.equal(await status(`/api/public/pieces/${first}`), 200)
})

test('a moderator suspends neither twice, nor a moderator, nor without a recent sign-in; a writer suspends nobody', async () => {
  const answers = async (...all: Promise<{ statusCode: number }>[]) =>
    (await Promise.all(all)).map(({ statusCode }) => statusCode)
  assert.deepEqual(
    await answers(
      decide('restore', 'bo'),
      decide('suspend', moderator.slug),
      decide('suspend', 'nobody'),
      decide('suspend', 'bo', hers),
    ),
    [409, 403, 404, 403],
  )
  isOk(await decide('suspend', 'bo'))
  assert.deepEqual(await answers(decide('suspend', 'bo')), [409])
  const old = await makeModerator(admin)
  await admin.query("update app.sessions set authenticated_at = now() - interval '13 hours' where id = $1", [
    old.sessionId,
  ])
  const late = await decide('restore', 'bo', deskOf(app, old))
  assert.deepEqual([late.statusCode, late.json().reason], [403, 'fresh_sign_in_required'])
  isOk(await decide('restore', 'bo'))
})

test('every suspension is in the trail with its reason, and in the list of decisions', async () => {
  const { rows } = await admin.query(
    "select act, note, account_id from app.writer_audit where writer_id = $1 and act in ('suspend', 'restore') order by id limit 2",
    [ada.id],
  )
  assert.deepEqual(rows, [
    { act: 'suspend', note: reason, account_id: moderator.accountId },
    { act: 'restore', note: reason, account_id: moderator.accountId },
  ])
  isOk(await decide('suspend', slug))
  const deeds = (await moderators.ask('GET', 'review/deeds')).json().deeds
  assert.deepEqual([deeds[0].act, deeds[0].note, deeds[0].writer.slug], ['suspend', reason, slug])
  const { writers } = (await moderators.ask('GET', 'review/writers')).json()
  assert.deepEqual([writers[0].slug, writers[0].suspended.reason], [slug, reason])
  isOk(await decide('restore', slug))
})

test('two thousand pieces are gone by one act, and back by one act', async () => {
  await copyPiece(admin, ada, first, 2000)
  const recent = `/api/public/pieces/recent?limit=100&author=${slug}`
  const idsAt = async (path: string): Promise<string[]> =>
    (await app.inject(path)).json().items.map(({ id }: { id: string }) => id.slice(-36))
  const count = async () => (await admin.query('select from pub.pieces where author_id = $1', [ada.id])).rowCount
  const [all, ids] = [await count(), await idsAt(recent)]
  assert.ok(all! > 2000 && ids.length === 100)
  isOk(await decide('suspend', slug))
  assert.equal(await count(), 0)
  const named = ['/api/public/pieces/recent?limit=100', '/api/public/pieces/search?q=tea&limit=100', '/', '/llms.txt']
  for (const path of named) assert.ok(!(await app.inject(path)).body.includes(canary), path)
  for (const id of ids) assert.equal(await status(`/api/public/pieces/${id}`), 404)
  isOk(await decide('restore', slug))
  assert.equal(await count(), all)
  assert.equal((await app.inject(`/api/public/authors/${slug}`)).json().author.stats.pieces_count, all)
  assert.deepEqual(await idsAt(recent), ids)
})

test('a suspended writer still leaves, and nothing that was kept to be restored stays', async () => {
  isOk(await decide('suspend', slug))
  const answer = await hers.ask('DELETE', 'account', { name: `Ada ${canary}` })
  assert.ok(answer.statusCode < 300, answer.body)
  await deleteNow(admin, url, ada.accountId)
  const { rows } = await admin.query(
    'select (select count(*) from app.suspensions) + (select count(*) from app.suspended_rows) as kept',
  )
  assert.equal(Number(rows[0].kept), 0)
})
