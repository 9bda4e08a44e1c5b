import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createRenderer } from '../../server/features/pieces/rendering/renderer.ts'
import { languages } from '../../server/platform/markdown/code.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { type MadeWriter, makeWriter } from '../../testkit/factories.ts'
import { anyBody, hardBodies, hardCode, maxBodyLength, renderOutcome } from '../../testkit/hard-bodies.ts'
import { until } from '../../testkit/waiting.ts'

/**
 * Any body is rendered or refused. Here bodies are shortened, which takes seconds instead of a minute;
 * test/nightly/rendering.test.ts renders them whole and measures the time. RENDER_RUNS=1000 tries more generated bodies.
 */
const cut = 10_000

const renderer = createRenderer({ milliseconds: 120_000, processorMilliseconds: 120_000 })
after(() => renderer.close())
const outcomes = (bodies: Iterable<readonly [name: string, body: string]>) =>
  Promise.all(
    Array.from(bodies, ([name, body]) =>
      inTurn(() => renderOutcome(renderer, name, body.slice(0, cut).toWellFormed())),
    ),
  )

/** No more at once than there are threads: waiting requests are counted, and refused above a limit. */
const turns: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
let last = 0
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  last = 1 - last
  const turn = turns[last]!.then(work)
  turns[last] = turn.catch(() => {})
  return turn
}

test('bodies known to be hard are set, or refused for what they become', async () => {
  for (const [name, body] of hardBodies) assert.ok([...body].length <= maxBodyLength, name)
  await outcomes(hardBodies)
})

test('code that patterns trip over is set, or refused for what it becomes, in every language', async () => {
  await outcomes(languages.map((language) => [language, hardCode(language)] as const))
})

test('whatever body is generated is set, or refused for what it becomes', async () => {
  const numRuns = Number(process.env['RENDER_RUNS'] ?? 10)
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      await renderOutcome(renderer, JSON.stringify(body.slice(0, 40)), body)
    }),
    { numRuns, seed: 3 },
  )
})

/** Rendering is shared fairly: one account that uses its whole share takes nothing from the others. */

const { admin, app } = await testSite()
const [mallory, ada] = [await makeWriter(admin), await makeWriter(admin)]
const slow = new Map(hardBodies).get('lists ten deep')!

/** The first answer; the testkit's desk client would retry a refusal. */
const ask = ({ sessionToken }: MadeWriter, path: string, payload?: object) =>
  app.inject({
    method: 'POST',
    url: `/desk/api/${path}`,
    headers: { cookie: `__Host-desk=${sessionToken}`, 'sec-fetch-site': 'same-origin' },
    ...(payload ? { payload } : {}),
  })

test('while one account floods with slow previews, another previews and publishes, and is never refused', async () => {
  const desks = { mallory: deskOf(app, mallory), ada: deskOf(app, ada) }
  // No text twice, so that none comes from the cache.
  const hard = await Promise.all(
    Array.from({ length: 60 }, () => desks.mallory.begin({ body_md: `${slow.slice(100)}\n\n${randomUUID()}` })),
  )
  const own = await Promise.all(Array.from({ length: 8 }, () => desks.ada.begin({ body_md: `Tea. ${randomUUID()}` })))
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  const flood = Promise.all(
    hard.map(async (id) => {
      answers.push(await ask(mallory, `pieces/${id}/preview`))
    }),
  )
  await until(() => answers.length > 0, 'the flood is more than is taken')
  for (const id of own) {
    const shown = await ask(ada, `pieces/${id}/preview`)
    assert.equal(shown.statusCode, 200, shown.body)
    const published = await ask(ada, `pieces/${id}/publish`, { nonce: shown.json().nonce })
    assert.equal(published.statusCode, 200, published.body)
  }
  await flood
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  assert.ok(refused.length > 40, `${refused.length} refused`)
  assert.equal(refused[0]!.headers['retry-after'], '2')
  assert.match(refused[0]!.json().detail, /Wait a moment, then try again/)
  // Their own share is used: each is rendered, too slow, or ended by the clock of a busy machine.
  const served = answers.filter(({ statusCode }) => [200, 422, 503].includes(statusCode))
  assert.equal(served.length + refused.length, 60)
})
