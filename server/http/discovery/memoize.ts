import { overloaded } from '#platform/errors.ts'

/** Remembers what is dear to find out: asked again after `milliseconds`, by one caller while the others wait for it. */
export function keptFor<Value>(milliseconds: number, find: () => Promise<Value>): () => Promise<Value> {
  let found: Promise<Value> | undefined
  let until = 0
  return () => {
    if (found && performance.now() < until) return found
    const asked = find()
    found = asked
    until = performance.now() + milliseconds
    // A failure is nothing to remember.
    asked.catch(() => {
      if (found === asked) found = undefined
    })
    return asked
  }
}

/** Runs at most `most` at a time; `mostWaiting` others wait their turn, and whoever comes then is refused. */
export function atMost(most: number, mostWaiting: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < most) running += 1
    else if (waiting.length < mostWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw overloaded('Too many ask for this at once. Try again in a moment.')
    try {
      return await work()
    } finally {
      // Whoever waits takes over the place.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
