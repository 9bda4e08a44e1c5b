/** Seconds to wait after the first failure, the second and so on: ten attempts over 75 hours and 35 minutes of waiting. */
export const pauses: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

const longestWished = 86_400
const jitter = { share: 0.1, least: 2, most: 900 }

/**
 * Seconds until the next attempt, or null where there is none. Some chance is added, never taken away, so that what failed
 * together does not come back together. `wished` is the server's Retry-After: it can lengthen the wait, up to a day.
 */
export function nextWait(tries: number, wished: number | undefined, chance: () => number = Math.random): number | null {
  const pause = pauses[tries - 1]
  if (pause === undefined) return null
  const wait = Math.max(pause, Math.min(wished ?? 0, longestWished))
  return wait + chance() * Math.min(Math.max(wait * jitter.share, jitter.least), jitter.most)
}

/** Retry-After in seconds: a number of them, or a date. Anything else is no wish. */
export function retryAfterOf(retryAfter: string | undefined, now = Date.now()): number | undefined {
  if (retryAfter === undefined) return undefined
  if (/^\d{1,10}$/.test(retryAfter)) return Number(retryAfter)
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(retryAfter) ? Date.parse(retryAfter) : NaN
  return at > now ? (at - now) / 1000 : undefined
}

/** Answers of a server that has too much to do. */
const busy: readonly (number | null)[] = [429, 502, 503, 504]

/** Whether to ask this server one thing at a time from now on. */
export const isBusy = (status: number | null): boolean => busy.includes(status)
