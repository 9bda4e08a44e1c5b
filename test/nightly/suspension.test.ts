import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { copyPiece, makePiece, makeWriter } from '../../testkit/factories.ts'
import { until } from '../../testkit/waiting.ts'

/** How long it takes to hide everything of a writer with 2,000 pieces of 1,000 words. */

// With the shipped time limits, which the act must meet.
const { admin, app } = await testSite({ TIMEOUT_FACTOR: '1' })
const moderators = deskOf(app, await makeModerator(admin))
const ada = await makeWriter(admin, { slug: 'ada-quillfeather' })
const body_md = 'Tea is slow, and that is the point of it all. '.repeat(130)
const first = await makePiece(admin, ada, { headline: 'On quillfeather', body_md })
await copyPiece(admin, ada, first, 2000)
await admin.query('analyze')

const paths = [
  ...[
    '/',
    '/author/ada-quillfeather',
    `/p/${first}`,
    '/sitemap.xml',
    '/llms.txt',
    '/author/ada-quillfeather/feed.json',
  ],
  ...['/api/public/pieces/recent', '/api/public/pieces/search?q=point', `/api/public/pieces/${first}`],
]
const named = async () => {
  const answers = await Promise.all(paths.map((path) => app.inject(path)))
  return answers.filter(({ statusCode, body }) => statusCode < 400 && body.includes('quillfeather')).length
}

test('2,000 pieces are gone from every surface within two seconds of a suspension, which takes less than two', async (t) => {
  assert.ok((await named()) >= 7)
  for (const act of ['suspend', 'restore'] as const) {
    const start = performance.now()
    const answer = await moderators.ask('POST', `review/writers/${ada.slug}/${act}`, { reason: 'Spam.' })
    assert.equal(answer.statusCode, 200, answer.body)
    const done = performance.now()
    await until(async () => ((await named()) === 0) === (act === 'suspend'))
    const seen = performance.now()
    t.diagnostic(`figure: ${act} ${Math.round(done - start)} ms, seen everywhere ${Math.round(seen - done)} ms later`)
    assert.ok(done - start < 2000 && seen - done < 2000)
  }
})
