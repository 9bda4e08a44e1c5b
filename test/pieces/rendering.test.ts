import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createRenderer } from '../../server/features/pieces/rendering/renderer.ts'
import { languages } from '../../server/platform/markdown/languages.ts'
import { anyBody, hardBodies, hardCode, longest } from '../../testkit/rendering-bodies.ts'
import { outcomeOf } from '../../testkit/rendering-outcome.ts'

/**
 * Any body is set, or refused for what it becomes. Here bodies are cut, which takes seconds and not a minute;
 * test/nightly/rendering.test.ts sets them whole and measures it. RENDER_RUNS=1000 tries more generated bodies.
 */
const cut = 10_000

const renderer = createRenderer({ milliseconds: 120_000 })
after(() => renderer.close())
const outcomes = (bodies: Iterable<readonly [name: string, body: string]>) =>
  Promise.all(
    Array.from(bodies, ([name, body]) => inTurn(() => outcomeOf(renderer, name, body.slice(0, cut).toWellFormed()))),
  )

/** No more at once than there are threads: those that wait for one are counted, and refused when they are many. */
const turns: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
let last = 0
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  last = 1 - last
  const turn = turns[last]!.then(work)
  turns[last] = turn.catch(() => {})
  return turn
}

test('bodies known to be hard are set, or refused for what they become', async () => {
  for (const [name, body] of hardBodies) assert.ok([...body].length <= longest, name)
  await outcomes(hardBodies)
})

test('code that patterns trip over is set, or refused for what it becomes, in every language', async () => {
  await outcomes(languages.map((language) => [language, hardCode(language)] as const))
})

test('whatever body is generated is set, or refused for what it becomes', async () => {
  const numRuns = Number(process.env['RENDER_RUNS'] ?? 10)
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      await outcomeOf(renderer, JSON.stringify(body.slice(0, 40)), body)
    }),
    { numRuns, seed: 3 },
  )
})
