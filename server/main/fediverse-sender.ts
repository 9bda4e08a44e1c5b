import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { SiteInfo } from '#config/site-info.ts'
import type { ReadContext } from '#features/context.ts'
import {
  type ClaimedDelivery,
  claimFediverseDeliveries,
  expandFediverseChanges,
  fediverseFigures,
  type SettledDelivery,
  sealedKeyOf,
  settleFediverseDeliveries,
} from '#features/fediverse/delivery-queue.ts'
import { actorKeyContext } from '#features/fediverse/keys.ts'
import { actorById } from '#features/fediverse/reads.ts'
import { type SendContext, sendDelivery } from '#features/fediverse/send.ts'
import { type PublishedPiece, wholePiecesByIds } from '#features/pieces/public-lists.ts'
import { fediverseDeliverySeconds, watchFediverse } from '#features/push-metrics.ts'
import type { Sealer } from '#platform/crypto.ts'
import { capacityBeside, type Repeated, startDelivering, startRepeating } from '#platform/jobs/delivery-loop.ts'
import { createLru } from '#platform/lru.ts'
import type { Logger } from '#platform/observability/log.ts'

/** A worker's deliveries to servers of the fediverse. */

export interface FediverseSenderContext extends Omit<SendContext, 'key' | 'piece' | 'profile' | 'urls'> {
  readonly reads: ReadContext
  readonly siteInfo: SiteInfo
  readonly sealer: Sealer
}

interface FediverseSenderLogs {
  readonly log: Logger
  onTrouble(error: unknown): void
}

/** Deliveries under way at once. */
const slots = { healthy: 32, failing: 16, total: 96 }
const pollEvery = 1000
/** By then the lease has expired, and recording the result would change nothing. */
const maxAge = 50_000
/** Actors whose keys are kept decrypted. */
const keysKept = 100

type Delivery = ClaimedDelivery & Pick<SendContext, 'piece'>

export function startFediverseSender(
  context: FediverseSenderContext,
  { log, onTrouble }: FediverseSenderLogs,
): Repeated {
  const { reads, siteInfo, sealer } = context
  const { db, urls } = reads
  const keys = createLru<KeyObject>(keysKept)

  const keyOf = async (actor: string): Promise<KeyObject | undefined> => {
    const known = keys.get(actor)
    if (known) return known
    const sealed = await sealedKeyOf(db, actor)
    const text = sealed === null ? undefined : sealer.open(sealed, actorKeyContext(actor))
    if (text === undefined) return undefined
    const key = createPrivateKey(text)
    keys.set(actor, key, 1)
    return key
  }

  const profile = async (id: string) => {
    const actor = await actorById(reads, siteInfo, id)
    return actor === 'gone' ? undefined : actor?.profile
  }

  const calling = startDelivering<Delivery, SettledDelivery>({
    pollEvery,
    maxAge,
    claim: async (inFlight) => {
      const capacity = capacityBeside(inFlight, slots)
      if (capacity.healthy === 0 && capacity.failing === 0) return []
      const claimed = await claimFediverseDeliveries(db, capacity)
      // Read once for all that were claimed together, and not before: what has changed since then is sent again.
      const found = new Map<string, Promise<PublishedPiece | undefined>>()
      const piece = (id: string) => {
        const known = found.get(id) ?? wholePiecesByIds(reads, [id]).then(({ items }) => items[0])
        found.set(id, known)
        return known
      }
      return claimed.map((delivery) => ({ ...delivery, piece }))
    },
    attempt: async ({ piece, ...claimed }) => {
      const start = performance.now()
      const { status, reason, ...met } = await sendDelivery(claimed, { ...context, urls, key: keyOf, profile, piece })
      const { id, lease_token: token, activity_id: activity, kind, attempts: attempt } = claimed
      const { outcome } = met
      const ms = performance.now() - start
      fediverseDeliverySeconds.observe({ kind, outcome }, ms / 1000)
      const level = outcome === 'later' || outcome === 'ended' ? 'warn' : 'info'
      // Nothing of the inbox, which may be that of one person.
      log[level]({ event: 'fediverse_delivery', activity, kind, outcome, attempt, ms: Math.round(ms), status, reason })
      return { id, token, activity, kind, ...met }
    },
    record: async (results) => {
      await settleFediverseDeliveries(db, results)
      return []
    },
    onTrouble,
  })
  const expanding = startRepeating(
    async () => {
      const found = await expandFediverseChanges(db)
      if (found) calling.wake()
      return found
    },
    { pollEvery, onTrouble },
  )
  watchFediverse(() => fediverseFigures(db))
  return {
    wake: expanding.wake,
    stop: async () => {
      watchFediverse(undefined)
      await Promise.all([expanding.stop(), calling.stop()])
    },
  }
}
