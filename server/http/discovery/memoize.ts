import { overloaded } from '#platform/errors.ts'

/** Caches an expensive result for `milliseconds`; concurrent callers share one computation. */
export function memoizeFor<Value>(milliseconds: number, find: () => Promise<Value>): () => Promise<Value> {
  let found: Promise<Value> | undefined
  let until = 0
  return () => {
    if (found && performance.now() < until) return found
    const asked = find()
    found = asked
    until = performance.now() + milliseconds
    // Failures are not cached.
    asked.catch(() => {
      if (found === asked) found = undefined
    })
    return asked
  }
}

/** Runs at most `most` at a time; `mostWaiting` more may queue, the rest are rejected. */
export function limitConcurrency(
  most: number,
  mostWaiting: number,
): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < most) running += 1
    else if (waiting.length < mostWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw overloaded('Too many ask for this at once. Try again in a moment.')
    try {
      return await work()
    } finally {
      // The next in the queue takes over the slot.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
