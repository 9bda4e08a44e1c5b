import { Redis } from 'ioredis'
import { redisAway, redisSeconds, redisSkipped } from './observability/dependencies.ts'

/**
 * Redis, which is optional at any moment. A frozen Redis accepts connections and answers nothing, so every call would
 * wait for its timeout. After three failures in a row no call is made until a background ping is answered again.
 */

/** Redis usually answers in less than a millisecond, and a client is waiting. */
const timeout = 200
const mostFailures = 3
const probeEvery = 1000

export interface GuardedRedis {
  /** The answer; undefined if there is none within 200 ms, and immediately while Redis counts as down. */
  ask<T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined>
  close(): void
}

interface RedisCallbacks {
  /** A connection broke. */
  onError(error: Error): void
  /** Calls are skipped from now on, or made again. */
  onAway(isAway: boolean): void
}

export function openRedis(url: string, { onError, onAway }: RedisCallbacks): GuardedRedis {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false, lazyConnect: false })
  let failures = 0
  let probing: NodeJS.Timeout | undefined

  const markUp = () => {
    failures = 0
    if (!probing) return
    clearInterval(probing)
    probing = undefined
    redisAway.set(0)
    onAway(false)
  }
  const markDown = () => {
    if (probing) return
    probing = setInterval(() => void withTimeout(redis.ping()).then(markUp, () => {}), probeEvery)
    probing.unref()
    redisAway.set(1)
    onAway(true)
  }
  redis.on('error', onError)
  redis.on('ready', markUp)

  return {
    async ask(command) {
      if (probing) {
        redisSkipped.inc()
        return undefined
      }
      const start = performance.now()
      const record = (outcome: string) => redisSeconds.observe({ outcome }, (performance.now() - start) / 1000)
      try {
        const answer = await withTimeout(command(redis))
        record('answered')
        failures = 0
        return answer
      } catch {
        record('failed')
        failures += 1
        if (failures >= mostFailures) markDown()
        return undefined
      }
    },
    close: () => {
      clearInterval(probing)
      redis.disconnect()
    },
  }
}

/** ioredis has a timeout for commands, but none for a transaction. */
function withTimeout<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // If this process was blocked, the answer may already be in the socket: two turns of the event loop read it first.
    const giveUp = () => setImmediate(() => setImmediate(reject, new Error(`no answer within ${timeout} ms`)))
    const timer = setTimeout(giveUp, timeout)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
