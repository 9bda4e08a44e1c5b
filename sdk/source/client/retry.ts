import type { Signal } from './config.ts'
import type { StandfirstError } from './error.ts'

/** In seconds. Limits are by the minute; whoever has used up a day is told at once. */
const longestWait = 60
const longestGuess = 8

/**
 * How many milliseconds to wait before a call is repeated; nothing where it is not to be. What the site declined it has
 * not done, so anything may be repeated. Where the answer was lost it may have: then only what has no second effect.
 */
export function waitBefore(retry: number, error: StandfirstError, isRepeatable: boolean): number | undefined {
  const { status, reason, retryAfter } = error
  const isDeclined = status === 408 || status === 429 || status === 503 || reason === 'idempotency_conflict'
  const isLost = status === 0 || status === 502 || status === 504
  if (!isDeclined && !(isLost && isRepeatable)) return undefined
  const seconds = retryAfter ?? Math.min(2 ** retry / 8, longestGuess)
  // Not all at once: those who were sent away together would come back together.
  return seconds > longestWait ? undefined : 1000 * seconds * (1 + Math.random() / 4)
}

export function pause(milliseconds: number, signal: Signal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', end, { once: true })
  })
}
