import { Redis } from 'ioredis'
import { redisAway, redisSeconds, redisSkipped } from './observability/services.ts'

/**
 * Redis, which everybody can do without for a while. One that is frozen takes connections and answers nothing, so each call
 * would wait for its time-out: after a few in a row no call is made until a question of our own, which no reader waits
 * for, is answered again.
 */

/** An answer takes less than a millisecond; whoever asks has somebody waiting. */
const patience = 200
const mostFailures = 3
const probeEvery = 1000

export interface GuardedRedis {
  /** The answer; undefined where there is none within 200 ms, and at once while Redis is taken to be away. */
  ask<T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined>
  close(): void
}

interface RedisTold {
  /** A connection broke. */
  onError(error: Error): void
  /** Calls are skipped from now on, or made again. */
  onAway(isAway: boolean): void
}

export function openRedis(url: string, { onError, onAway }: RedisTold): GuardedRedis {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false, lazyConnect: false })
  let failures = 0
  let probing: NodeJS.Timeout | undefined

  const come = () => {
    failures = 0
    if (!probing) return
    clearInterval(probing)
    probing = undefined
    redisAway.set(0)
    onAway(false)
  }
  const leave = () => {
    if (probing) return
    probing = setInterval(() => void within(redis.ping()).then(come, () => {}), probeEvery)
    probing.unref()
    redisAway.set(1)
    onAway(true)
  }
  redis.on('error', onError)
  redis.on('ready', come)

  return {
    async ask(command) {
      if (probing) {
        redisSkipped.inc()
        return undefined
      }
      const start = performance.now()
      const tell = (outcome: string) => redisSeconds.observe({ outcome }, (performance.now() - start) / 1000)
      try {
        const answer = await within(command(redis))
        tell('answered')
        failures = 0
        return answer
      } catch {
        tell('failed')
        failures += 1
        if (failures >= mostFailures) leave()
        return undefined
      }
    },
    close: () => {
      clearInterval(probing)
      redis.disconnect()
    },
  }
}

/** Our own limit: ioredis has one for commands, and none for a transaction of them. */
function within<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // Where we were late ourselves the answer may lie there: what has arrived is read before this is called.
    const giveUp = () => setImmediate(() => setImmediate(reject, new Error(`no answer within ${patience} ms`)))
    const timer = setTimeout(giveUp, patience)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
