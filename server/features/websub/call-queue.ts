import type { FeedHubFigures } from '#features/push-metrics.ts'
import type { Database } from '#platform/db/database.ts'
import type { Capacity } from '#platform/jobs/delivery-loop.ts'

/** The queue of calls to subscribers of feeds in PostgreSQL: noting what has changed, claiming what is due, recording results. */

export interface ClaimedCall {
  readonly id: string
  readonly lease_token: string
  /** `distribute` sends the feed; the others ask or notify the callback. */
  readonly mode: 'subscribe' | 'unsubscribe' | 'denied' | 'distribute'
  readonly key: Buffer
  readonly topic: string
  readonly callback: string
  readonly secret: Buffer | null
  readonly lease_seconds: number | null
  /** How often something has changed, and a hash of what was sent last. */
  readonly changes: string | null
  readonly sent: Buffer | null
  readonly attempts: number
  /** The last call to its host failed. */
  readonly doubted: boolean
  /** Seconds between when it was due and when it was claimed. */
  readonly late: number
}

/** What became of a call. The meaning of each outcome is in app.settle_feed_calls. */
export interface CallResult {
  readonly id: string
  readonly token: string
  readonly outcome: 'confirmed' | 'refused' | 'sent' | 'later' | 'ended' | 'gone' | 'done'
  /** Whether the host takes calls; null if it was not called, or the answer concerns this subscription only. */
  readonly is_up: boolean | null
  readonly wait?: number | null
  readonly changes?: string | null
  /** In hexadecimal. */
  readonly sent?: string
}

/** Subscriptions for which one statement notes a change: some 20 ms. */
const batch = 1000

/** Notes the next change for those who have subscribed to a feed that it may be in. False if there is none. */
export async function expandFeedChanges(db: Database): Promise<boolean> {
  const [row] = await db.run<{ found: boolean }>({
    text: 'select app.expand_feed_changes($1) as found',
    values: [batch],
  })
  return row!.found
}

export const claimCalls = (db: Database, { healthy, failing }: Capacity): Promise<ClaimedCall[]> =>
  db.run<ClaimedCall>({
    text: 'select * from app.claim_feed_calls($1, false) union all select * from app.claim_feed_calls($2, true)',
    values: [healthy, failing],
  })

export async function settleCalls(db: Database, results: readonly CallResult[]): Promise<void> {
  await db.run({ text: 'select app.settle_feed_calls($1)', values: [JSON.stringify(results)] })
}

export async function sweepFeedSubscriptions(db: Database): Promise<void> {
  for (let ended = batch; ended === batch; ) {
    const [row] = await db.run<{ ended: number }>({
      text: 'select app.sweep_feed_subscriptions($1) as ended',
      values: [batch],
    })
    ended = row!.ended
  }
}

/** For metrics. */
export async function feedHubFigures(db: Database): Promise<FeedHubFigures> {
  const [row] = await db.run<FeedHubFigures>({
    text: `select subscriptions::integer, verify::integer, distribute::integer, changes::integer, longest
             from app.feed_hub_figures()`,
  })
  return row!
}
