import { isIPv6 } from 'node:net'
import type { onRequestHookHandler } from 'fastify'
import { Redis } from 'ioredis'
import { ServiceError } from '../errors.ts'

/** Requests a minute from one address; an IPv6 network of 64 bits counts as one. */
export interface RateLimits {
  readonly read: number
  readonly search: number
}
export type LimitName = keyof RateLimits

const minute = 60_000

/** Counts in one place; `hit` answers how many there were in this minute, this one included. */
export interface Counter {
  hit(key: string): number | Promise<number>
  close(): Promise<void>
}

/** Counts of this process alone. All are dropped at the turn of the minute, so nothing is ever swept. */
export function localCounter(): Counter {
  let counts = new Map<string, number>()
  let current = 0
  return {
    hit(key) {
      const now = Math.floor(Date.now() / minute)
      if (now !== current) {
        counts = new Map()
        current = now
      }
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count
    },
    close: async () => {},
  }
}

/** Counts shared by all processes. While Redis is away each counts for itself: limits loosen, reads go on. */
export function sharedCounter(url: string, onError: (error: Error) => void): Counter {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    commandTimeout: 200,
    enableOfflineQueue: false,
    lazyConnect: false,
  })
  redis.on('error', onError)
  const local = localCounter()
  return {
    async hit(key) {
      const slot = `limit:${key}:${Math.floor(Date.now() / minute)}`
      try {
        const [[, count]] = (await redis
          .multi()
          .incr(slot)
          .pexpire(slot, 2 * minute)
          .exec()) as [[null, number]]
        return count
      } catch {
        return local.hit(key)
      }
    },
    close: async () => redis.disconnect(),
  }
}

/**
 * A hook for the routes of one kind. Its headers go out only with a refusal: a cached answer must not carry
 * someone's count. No promise where the count is at hand, since this runs before every read.
 */
export function limited(name: LimitName, limits: RateLimits, counter: Counter): onRequestHookHandler {
  const allowed = limits[name]
  return (request, _reply, done) => {
    const judge = (count: number) => done(count > allowed ? tooMany(name, allowed) : undefined)
    const answer = counter.hit(`${name}:${network(request.ip ?? '')}`)
    if (typeof answer === 'number') judge(answer)
    else answer.then(judge, done)
  }
}

function tooMany(name: LimitName, allowed: number): ServiceError {
  const seconds = Math.ceil((minute - (Date.now() % minute)) / 1000)
  return new ServiceError(
    429,
    'rate_limited',
    `At most ${allowed} requests of this kind a minute. Try again in ${seconds} s.`,
    {
      headers: {
        'retry-after': String(seconds),
        'ratelimit-policy': `"${name}";q=${allowed};w=60`,
        ratelimit: `"${name}";r=0;t=${seconds}`,
      },
    },
  )
}

/** 2001:db8:1:2:3:4:5:6 -> 2001:db8:1:2, since one customer holds all of it. */
function network(ip: string): string {
  if (!ip.includes(':') || !isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  const [head = '', tail] = ip.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array<string>(Math.max(8 - left.length - right.length, 0)).fill('0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}
