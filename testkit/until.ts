import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks again until the answer is truthy, and returns it. Tests wait for a condition with this, never for a duration.
 * The limit is there to end a test that can no longer pass with a sentence; it is far beyond what a busy machine needs.
 */
export async function until<T>(ask: () => T | Promise<T>, what = String(ask)): Promise<NonNullable<Exclude<T, false>>> {
  const limit = performance.now() + 120_000
  for (let pause = 1; performance.now() < limit; pause = Math.min(pause * 2, 50)) {
    const answer = await ask()
    if (answer) return answer as NonNullable<Exclude<T, false>>
    await sleep(pause)
  }
  throw new Error(`Still not so after two minutes: ${what}`)
}
