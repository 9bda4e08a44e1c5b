/** Seconds to wait after the first failure, the second and so on: ten attempts over 75 hours and 35 minutes of waiting. */
export const retryDelays: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

const maxRetryAfter = 86_400
const jitter = { share: 0.1, least: 2, most: 900 }

/**
 * Seconds until the next attempt, or null after the last. Jitter only adds, so that deliveries which failed together are not
 * retried together. `retryAfter`, from the server's header, can lengthen the wait, up to a day.
 */
export function nextWait(
  tries: number,
  retryAfter: number | undefined,
  random: () => number = Math.random,
): number | null {
  const delay = retryDelays[tries - 1]
  if (delay === undefined) return null
  const wait = Math.max(delay, Math.min(retryAfter ?? 0, maxRetryAfter))
  return wait + random() * Math.min(Math.max(wait * jitter.share, jitter.least), jitter.most)
}

/** Parses Retry-After, a number of seconds or a date, into seconds. Anything else is ignored. */
export function parseRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,10}$/.test(header)) return Number(header)
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(header) ? Date.parse(header) : NaN
  return at > now ? (at - now) / 1000 : undefined
}

/** Statuses of an overloaded server. */
const busy: readonly (number | null)[] = [429, 502, 503, 504]

/** Whether to send this server one delivery at a time from now on. */
export const isBusy = (status: number | null): boolean => busy.includes(status)
