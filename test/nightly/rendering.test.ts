import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createRenderer } from '../../server/features/pieces/rendering/renderer.ts'
import { languages } from '../../server/platform/markdown/code.ts'
import { anyBody, hardBodies, hardCode, maxBodyLength, renderOutcome } from '../../testkit/hard-bodies.ts'
import { slowness } from './machine-speed.ts'

const slower = slowness()

/**
 * Any body is rendered or refused within two seconds, without delaying others.
 * RENDER_RUNS=1000 tries more generated bodies.
 */

/** renderer.test.ts tests the renderer's own time limit; here a slow body is reported, not aborted. */
const renderer = createRenderer({ threads: 1, milliseconds: 20_000 })
after(() => renderer.close())
const render = (body_md: string) => renderer.render({ headline: 'A headline', sub: null, body_md }, { by: 'ada' })

interface Setting {
  readonly name: string
  readonly milliseconds: number
  readonly refused: boolean
}

/** CPU time of all threads, since the machine may be busy with other work. */
async function set(name: string, body: string): Promise<Setting> {
  const start = process.cpuUsage()
  const outcome = await renderOutcome(renderer, name, body)
  const { user, system } = process.cpuUsage(start)
  const milliseconds = (user + system) / 1_000
  assert.ok(milliseconds < 2_000 * slower, `${name} took ${milliseconds.toFixed(0)} ms`)
  return { name, milliseconds, refused: outcome === 'refused' }
}

/** Runs `work` while measuring event loop delay, and reports the slowest bodies. */
async function watched(work: () => Promise<Setting[]>): Promise<void> {
  await render('The thread is warm.')
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const settings = await work()
  delay.disable()
  const [first, second, third] = settings.toSorted((a, b) => b.milliseconds - a.milliseconds)
  const slowest = [first, second, third].map((one) => one && `${one.name} ${one.milliseconds.toFixed(0)} ms`)
  const p99 = delay.percentile(99) / 1e6
  console.log(
    `${settings.length} bodies, ${settings.filter(({ refused }) => refused).length} refused; event loop p99 ${p99.toFixed(1)} ms; slowest: ${slowest.join(', ')}`,
  )
  assert.ok(p99 <= 50 * slower, `event loop delay p99 ${p99} ms`)
}

test('bodies known to be hard are set within two seconds, and the event loop goes on', () =>
  watched(async () => {
    const settings: Setting[] = []
    for (const [name, body] of hardBodies) {
      assert.ok([...body].length <= maxBodyLength, name)
      settings.push(await set(name, body))
    }
    return settings
  }))

test('code that patterns trip over is set within two seconds in every language', () =>
  watched(async () => {
    const settings: Setting[] = []
    for (const language of languages) settings.push(await set(language, hardCode(language)))
    return settings
  }))

test('whatever body is generated is set within two seconds, and the event loop goes on', () =>
  watched(async () => {
    const settings: Setting[] = []
    const numRuns = Number(process.env['RENDER_RUNS'] ?? 30)
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        settings.push(await set(JSON.stringify(body.slice(0, 40)), body))
      }),
      { numRuns, seed: 3 },
    )
    return settings
  }))
