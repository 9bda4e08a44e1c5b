import type { StartTimer } from '../server/platform/http/deadline.ts'

/** Timers that run out when a test says so. */
export function timersByHand() {
  const waiting = new Map<() => void, number>()
  const start: StartTimer = (callback, milliseconds) => {
    // Each is one of its own, also where a callback is given twice.
    const one = () => callback()
    waiting.set(one, milliseconds)
    return { stop: () => waiting.delete(one) }
  }
  return {
    start,
    /** The times of those that wait, in milliseconds. */
    waiting: () => [...waiting.values()],
    /** Lets all that wait run out. */
    pass(): void {
      const due = [...waiting.keys()]
      waiting.clear()
      for (const one of due) one()
    },
  }
}
