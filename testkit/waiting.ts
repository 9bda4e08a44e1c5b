import { after, mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { StartTimer } from '../server/platform/http/deadline.ts'

/**
 * Polls until the answer is truthy and returns it. Tests wait for conditions with this, never for a duration. The limit
 * only ends a test that can no longer pass; it is far beyond what a busy machine needs.
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

/** Waits until a connection of this database waits for a lock on this table or one of its rows. */
export async function waitForLockWait(admin: pg.Pool, table: string): Promise<void> {
  await until(async () => {
    const { rowCount } = await admin.query(
      `select from pg_stat_activity a
        where a.datname = current_database() and a.wait_event_type = 'Lock'
          and exists (select from pg_locks l where l.pid = a.pid and l.relation = $1::regclass)`,
      [table],
    )
    return rowCount
  }, `something waits for ${table}`)
}

/** Timers that fire when a test says so. */
export function manualTimers() {
  const waiting = new Map<() => void, number>()
  const start: StartTimer = (callback, milliseconds) => {
    // A new function for each, since a callback may be given twice.
    const one = () => callback()
    waiting.set(one, milliseconds)
    return { stop: () => waiting.delete(one) }
  }
  return {
    start,
    /** Pending timers, in milliseconds. */
    waiting: () => [...waiting.values()],
    /** Fires all pending timers. */
    pass(): void {
      const due = [...waiting.keys()]
      waiting.clear()
      for (const one of due) one()
    },
  }
}

/**
 * Stops `Date` of this process until the file is over; timers go on. Rate limits count by the minute and the day:
 * nothing crosses the end of one unless a test moves the clock.
 */
export function freezeClock(): { advance(milliseconds: number): void } {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  after(() => mock.timers.reset())
  return { advance: (milliseconds) => mock.timers.tick(milliseconds) }
}
