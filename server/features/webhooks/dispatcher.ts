import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#platform/db/database.ts'
import {
  type Capacity,
  type ClaimedDelivery,
  claim,
  type DeliveryResult,
  maxClockSkew,
  ResultBatcher,
} from './delivery-queue.ts'
import { attemptDelivery, type SendContext } from './send.ts'

/** A worker's delivery loop: claims deliveries that are due, sends them, and records the results. */

/** Concurrent attempts. A healthy webhook's attempt stops counting after `slowAfter`, up to `total` attempts in all. */
const slots = { healthy: 64, failing: 32, total: 256 }
const slowAfter = 2000
/** Workers that can listen are woken when a delivery is ordered; polling finds those that come due by the clock. */
const pollEvery = { listening: 3000, notListening: 1000 }
const pauseAfterTrouble = 500
/** At SIGTERM, for attempts under way. Another worker claims the unfinished ones when their lease expires. */
const shutdownTimeout = 16_000

export interface DispatcherCallbacks {
  onAttempt(claimed: ClaimedDelivery, result: DeliveryResult): void
  onTrouble(error: unknown): void
  /** At each poll: seconds by which this machine's clock is ahead of the database's. Nothing is sent while it is wrong. */
  onClock(ahead: number, isWrong: boolean): void
}

export interface Dispatcher {
  /** Something may be due. */
  wake(): void
  stop(): Promise<void>
}

interface InFlight {
  readonly since: number
  readonly failing: boolean
}

export function startDispatcher(
  db: Database,
  context: SendContext,
  callbacks: DispatcherCallbacks,
  canListen = false,
): Dispatcher {
  const inFlight = new Set<InFlight>()
  let stopping = false
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  const results = new ResultBatcher(db, { onSettled: wake, onTrouble: callbacks.onTrouble })

  const deliver = async (claimed: ClaimedDelivery) => {
    const slot = { since: performance.now(), failing: claimed.doubted }
    inFlight.add(slot)
    try {
      const result = await attemptDelivery(claimed, context)
      callbacks.onAttempt(claimed, result)
      await results.add(result)
    } catch (error) {
      // Its lease expires, and it is tried again.
      callbacks.onTrouble(error)
    } finally {
      inFlight.delete(slot)
      wake()
    }
  }

  const claimDue = async (): Promise<readonly ClaimedDelivery[]> => {
    const capacity = capacityBeside(inFlight)
    if (capacity.healthy === 0 && capacity.failing === 0) return []
    const { ahead, claimed } = await claim(db, capacity)
    callbacks.onClock(ahead, Math.abs(ahead) > maxClockSkew)
    return claimed
  }

  const loop = async () => {
    let failures = 0
    while (!stopping) {
      woken = Promise.withResolvers()
      const claimed = await claimDue().catch(async (error) => {
        failures += 1
        // A single failure is a process that still starts, or a broken connection: not worth reporting.
        if (failures > 1) callbacks.onTrouble(error)
        await pause(pauseAfterTrouble)
        return undefined
      })
      if (claimed === undefined) continue
      failures = 0
      for (const one of claimed) void deliver(one)
      if (claimed.length === 0)
        await Promise.race([woken.promise, pause(canListen ? pollEvery.listening : pollEvery.notListening)])
    }
  }

  const running = loop()
  return {
    wake,
    stop: async () => {
      stopping = true
      wake()
      await running
      const end = performance.now() + shutdownTimeout
      while (inFlight.size > 0 && performance.now() < end) await pause(20)
    },
  }
}

function capacityBeside(inFlight: ReadonlySet<InFlight>): Capacity {
  const slow = performance.now() - slowAfter
  let [healthy, failing] = [0, 0]
  for (const one of inFlight) {
    if (one.failing) failing += 1
    else if (one.since > slow) healthy += 1
  }
  const left = slots.total - inFlight.size
  return {
    healthy: Math.max(0, Math.min(slots.healthy - healthy, left)),
    failing: Math.max(0, Math.min(slots.failing - failing, left)),
  }
}
