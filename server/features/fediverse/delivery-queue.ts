import type { FediverseFigures } from '#features/push-metrics.ts'
import type { Database } from '#platform/db/database.ts'
import type { Capacity } from '#platform/jobs/delivery-loop.ts'
import type { SignatureKind } from './signatures.ts'
import type { Document } from './vocabulary.ts'

/** The queue of deliveries to other servers in PostgreSQL: ordering activities, claiming what is due, recording results. */

type ActivityKind = 'accept' | 'announce' | 'create' | 'update' | 'delete' | 'move' | 'update_actor'

export interface ClaimedDelivery {
  readonly id: string
  readonly lease_token: string
  /** The newest about a piece; an inbox that lacks the piece gets a Create instead. */
  readonly activity_id: string
  readonly activity_kind: ActivityKind
  readonly kind: ActivityKind
  readonly actor_id: string
  readonly is_on: boolean
  /** Null if it is not about a piece. Every time that a piece comes back its object has the next number. */
  readonly piece_id: string | null
  readonly number: number | null
  /** As it was ordered, if it is not about a piece. */
  readonly document: Document | null
  readonly inbox: string
  /** What its host accepted last. */
  readonly signature: SignatureKind | null
  readonly attempts: number
  /** The last delivery to its host failed. */
  readonly doubted: boolean
  /** Seconds between when it was due and when it was claimed. */
  readonly late: number
}

/** What became of a delivery. The meaning of each outcome is in app.settle_fediverse_deliveries. */
export interface SettledDelivery {
  readonly id: string
  readonly token: string
  readonly activity: string
  readonly kind: ActivityKind
  readonly outcome: 'sent' | 'later' | 'void' | 'ended'
  /** Whether the host takes deliveries; null if it was not called, or the answer concerns this inbox only. */
  readonly is_up: boolean | null
  readonly wait?: number | null
  readonly signature?: SignatureKind
}

/** Inboxes that one statement orders deliveries to. */
const batch = 1000

/** Orders the activities of the next change, or the next deliveries of an activity. False if there is nothing to order. */
export async function expandFediverseChanges(db: Database): Promise<boolean> {
  const [row] = await db.run<{ found: boolean }>({
    text: 'select app.expand_fediverse_changes($1) as found',
    values: [batch],
  })
  return row!.found
}

export const claimFediverseDeliveries = (db: Database, { healthy, failing }: Capacity): Promise<ClaimedDelivery[]> =>
  db.run<ClaimedDelivery>({
    text: `select * from app.claim_fediverse_deliveries($1, false)
           union all select * from app.claim_fediverse_deliveries($2, true)`,
    values: [healthy, failing],
  })

export async function settleFediverseDeliveries(db: Database, results: readonly SettledDelivery[]): Promise<void> {
  await db.run({ text: 'select app.settle_fediverse_deliveries($1)', values: [JSON.stringify(results)] })
}

/** The encrypted private key of an actor; null if there is no such actor any more. */
export async function sealedKeyOf(db: Database, actor: string): Promise<Buffer | null> {
  const [row] = await db.run<{ sealed: Buffer | null }>({
    text: 'select app.fediverse_key($1) as sealed',
    values: [actor],
  })
  return row!.sealed
}

export async function sweepFediverseDeliveries(db: Database): Promise<void> {
  for (let ended = batch; ended === batch; ) {
    const [row] = await db.run<{ ended: number }>({
      text: 'select app.sweep_fediverse_deliveries($1) as ended',
      values: [batch],
    })
    ended = row!.ended
  }
  for (let forgotten = batch; forgotten === batch; ) {
    const [row] = await db.run<{ forgotten: number }>({
      text: 'select app.sweep_fediverse($1) as forgotten',
      values: [batch],
    })
    forgotten = row!.forgotten
  }
}

/** For metrics. */
export async function fediverseFigures(db: Database): Promise<FediverseFigures> {
  const [row] = await db.run<FediverseFigures>({
    text: `select deliveries::integer, changes::integer, failing::integer, longest from app.fediverse_delivery_figures()`,
  })
  return row!
}
