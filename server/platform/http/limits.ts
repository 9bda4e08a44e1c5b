import { isIPv6 } from 'node:net'
import type { onRequestHookHandler } from 'fastify'
import type { Redis } from 'ioredis'
import { message } from '#messages/message.ts'
import { ServiceError } from '../errors.ts'
import type { GuardedRedis } from '../redis.ts'

/** Requests per minute from one address; an IPv6 network of 64 bits counts as one. Set by RATE_* of server/config/config.ts. */
export interface RateLimits {
  readonly read: number
  readonly search: number
  readonly tools: number
  readonly signIn: number
}
export type LimitName = keyof RateLimits

const minute = 60_000
const day = 86_400_000

/** Counts requests in the current minute, or another window, including this one. */
export interface Counter {
  hit(key: string, window?: number): number | Promise<number>
  /** Takes a hit back: what was counted did not happen. */
  giveBack(key: string, window: number): void | Promise<void>
  close(): Promise<void>
}

/** Counts in this process only. Each window's counts are dropped when it ends, so no cleanup is needed. */
export function localCounter(): Counter {
  const windows = new Map<number, { turn: number; counts: Map<string, number> }>()
  const countsOf = (window: number): Map<string, number> => {
    const turn = Math.floor(Date.now() / window)
    const known = windows.get(window)
    if (known?.turn === turn) return known.counts
    const counts = new Map<string, number>()
    windows.set(window, { turn, counts })
    return counts
  }
  return {
    hit(key, window = minute) {
      const counts = countsOf(window)
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count
    },
    giveBack: (key, window) => {
      const counts = countsOf(window)
      counts.set(key, Math.max((counts.get(key) ?? 0) - 1, 0))
    },
    close: async () => {},
  }
}

/** Counts shared through Redis. While Redis is down each process counts for itself: limits loosen, reads continue. */
export function sharedCounter(redis: GuardedRedis): Counter {
  const local = localCounter()
  return {
    async hit(key, window = minute) {
      const slot = slotOf(key, window)
      const counting = (asked: Redis) =>
        asked
          .multi()
          .incr(slot)
          .pexpire(slot, 2 * window)
          .exec()
      const [[, count] = []] = ((await redis.ask(counting)) ?? []) as [[null, number]?]
      return count ?? local.hit(key, window)
    },
    async giveBack(key, window) {
      const left = await redis.ask((asked) => asked.decr(slotOf(key, window)))
      if (left === undefined) await local.giveBack(key, window)
    },
    close: async () => redis.close(),
  }
}

const slotOf = (key: string, window: number): string => `limit:${key}:${window}:${Math.floor(Date.now() / window)}`

/**
 * A rate limit for the routes of one kind. Headers are only sent with 429: a cached response must not carry one
 * client's count. Avoids a promise if the count is local, since this runs before every read.
 */
export function limited(name: LimitName, limits: RateLimits, counter: Counter): onRequestHookHandler {
  const allowed = limits[name]
  return (request, _reply, done) => {
    const judge = (count: number) => done(count > allowed ? tooMany(perMinute(name, allowed)) : undefined)
    const answer = counter.hit(`${name}:${network(request.ip ?? '')}`)
    if (typeof answer === 'number') judge(answer)
    else answer.then(judge, done)
  }
}

/** The same for uncached responses, which also say what is left. */
export function counted(name: LimitName, limits: RateLimits, counter: Counter): onRequestHookHandler {
  const quota = perMinute(name, limits[name])
  return (request, reply, done) => {
    const judge = (count: number) => {
      reply.headers(quotaHeaders(quota, count))
      done(count > quota.allowed ? tooMany(quota) : undefined)
    }
    const answer = counter.hit(`${name}:${network(request.ip ?? '')}`)
    if (typeof answer === 'number') judge(answer)
    else answer.then(judge, done)
  }
}

/** Counts one request of this kind; returns the seconds to wait if it was over the limit, else 0. */
export type Spend = (name: LimitName, ip: string) => Promise<number>

export const spending =
  (limits: RateLimits, counter: Counter): Spend =>
  async (name, ip) =>
    (await counter.hit(`${name}:${network(ip)}`)) > limits[name] ? secondsLeft(minute) : 0

/** What one client may use in one time window. */
export interface Quota {
  readonly name: string
  readonly allowed: number
  readonly window: number
  /** What is counted. */
  readonly of: string
}

export const perMinute = (name: string, allowed: number): Quota => ({
  name,
  allowed,
  window: minute,
  of: 'requests',
})
export const perDay = (name: string, allowed: number, of: string): Quota => ({ name, allowed, window: day, of })

const secondsLeft = (window: number): number => Math.ceil((window - (Date.now() % window)) / 1000)

/** For uncached responses: what is left of the quota. */
export const quotaHeaders = ({ name, allowed, window }: Quota, used: number) => ({
  'ratelimit-policy': `"${name}";q=${allowed};w=${window / 1000}`,
  ratelimit: `"${name}";r=${Math.max(allowed - used, 0)};t=${secondsLeft(window)}`,
})

export function tooMany(quota: Quota): ServiceError {
  const { allowed, window, of } = quota
  const seconds = secondsLeft(window)
  // Only API keys have limits per day.
  const detail =
    window === day
      ? `At most ${allowed} ${of} a day. Try again in ${seconds} s.`
      : message('error.rate_limited', { limit: allowed, seconds })
  return new ServiceError(429, 'rate_limited', detail, {
    headers: { 'retry-after': String(seconds), ...quotaHeaders(quota, allowed) },
  })
}

/** 2001:db8:1:2:3:4:5:6 -> 2001:db8:1:2, since one customer usually has all of it. */
export const network = (ip: string): string => firstParts(ip, 4, 4)

/** 198.51.100.7 -> 198.51.100 and 2001:db8:1:2:3:4:5:6 -> 2001:db8:1: the least that one organisation rents. */
export const wideNetwork = (ip: string): string => firstParts(ip, 3, 3)

/** The first bytes of an IPv4 address, or groups of an IPv6 one. */
function firstParts(ip: string, bytes: number, groups: number): string {
  if (!ip.includes(':') || !isIPv6(ip)) return bytes === 4 ? ip : ip.split('.').slice(0, bytes).join('.')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return firstParts(mapped[1]!, bytes, groups)
  const [head = '', tail] = ip.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array<string>(Math.max(8 - left.length - right.length, 0)).fill('0')
  return [...left, ...zeros, ...right].slice(0, groups).join(':')
}
