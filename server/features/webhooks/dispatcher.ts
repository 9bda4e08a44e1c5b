import type { Database } from '#platform/db/database.ts'
import { capacityBeside, type Repeated, startDelivering } from '#platform/jobs/delivery-loop.ts'
import { type ClaimedDelivery, claim, type DeliveryResult, maxClockSkew, settle } from './delivery-queue.ts'
import { attemptDelivery, type SendContext } from './send.ts'

/** A worker's deliveries of webhooks. */

/** Concurrent attempts. */
const slots = { healthy: 64, failing: 32, total: 256 }
/** Workers that can listen are woken when a delivery is ordered; polling finds those that come due by the clock. */
const pollEvery = { listening: 3000, notListening: 1000 }
/** By then the lease has expired, and recording the result would change nothing. */
const maxAge = 40_000

export interface DispatcherCallbacks {
  onAttempt(claimed: ClaimedDelivery, result: DeliveryResult): void
  onTrouble(error: unknown): void
  /** At each poll: seconds by which this machine's clock is ahead of the database's. Nothing is sent while it is wrong. */
  onClock(ahead: number, isWrong: boolean): void
}

export const startDispatcher = (
  db: Database,
  context: SendContext,
  callbacks: DispatcherCallbacks,
  canListen = false,
): Repeated =>
  startDelivering<ClaimedDelivery, DeliveryResult>({
    pollEvery: canListen ? pollEvery.listening : pollEvery.notListening,
    maxAge,
    claim: async (inFlight) => {
      const capacity = capacityBeside(inFlight, slots)
      if (capacity.healthy === 0 && capacity.failing === 0) return []
      const { ahead, claimed } = await claim(db, capacity)
      callbacks.onClock(ahead, Math.abs(ahead) > maxClockSkew)
      return claimed
    },
    attempt: async (claimed) => {
      const result = await attemptDelivery(claimed, context)
      callbacks.onAttempt(claimed, result)
      return result
    },
    record: (results) => settle(db, results),
    onTrouble: callbacks.onTrouble,
  })
