import { setTimeout as pause } from 'node:timers/promises'
import type { Purge } from './purge.ts'

/** As long as the edge trusts what was under way when a purge came (deploy/varnish/standfirst.vcl). */
const patience = 1000
/** What is said within this goes in one: four calls more a second at the most. */
const gathering = 250

export interface RepeatedPurge {
  readonly purge: Purge
  /** Waits for what is still to be said. */
  stop(): Promise<void>
}

/**
 * Says each purge once more a second later: an answer that was read before a change and arrives at the cache after its
 * purge would stay for its 30 s. The first alone decides whether a purge was done.
 */
export function repeated(
  purge: Purge,
  onTrouble: (error: unknown) => void,
  wait: (milliseconds: number) => Promise<unknown> = pause,
): RepeatedPurge {
  const under = new Set<Promise<void>>()
  let batch: Set<string> | undefined

  async function sayAgain(tags: Set<string>): Promise<void> {
    await wait(gathering)
    batch = undefined
    await wait(patience)
    await purge([...tags]).catch(onTrouble)
  }

  function remember(tags: readonly string[]): void {
    if (batch === undefined) {
      batch = new Set()
      const again = sayAgain(batch)
      under.add(again)
      void again.finally(() => under.delete(again))
    }
    for (const tag of tags) batch.add(tag)
  }

  return {
    purge: async (tags, signal) => {
      await purge(tags, signal)
      if (tags.length > 0) remember(tags)
    },
    stop: async () => void (await Promise.all(under)),
  }
}
