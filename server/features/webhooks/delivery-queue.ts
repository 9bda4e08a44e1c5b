import { enqueue } from '#features/jobs.ts'
import type { Database } from '#platform/db/database.ts'
import type { Capacity } from '#platform/jobs/delivery-loop.ts'
import type { Event, Problem } from './schema.ts'

/** The queue of webhook deliveries in PostgreSQL: claiming what is due, recording results, sweeping. */

export interface ClaimedDelivery {
  readonly id: string
  readonly lease_token: string
  readonly writer_id: string
  readonly event: Event
  /** Counted over the whole life of the delivery. */
  readonly attempt: number
  /** Counted since it was last ordered or resent. */
  readonly tries: number
  readonly body: Buffer
  readonly url: string
  readonly secret: Buffer
  readonly former_secret: Buffer | null
  /** The webhook's last attempt failed. */
  readonly doubted: boolean
  /** Seconds between when it was due and when it was claimed. */
  readonly late: number
}

/** What is recorded of one attempt. */
export interface AttemptRecord {
  readonly attempt: number
  readonly url: string
  readonly address: string | null
  readonly signature: string | null
  readonly status: number | null
  readonly problem: Problem | null
  readonly detail: string | null
  readonly answer_type: string | null
  readonly answer: string | null
}

/** The outcome of one attempt, in the shape `app.settle_deliveries` takes. */
export interface DeliveryResult extends AttemptRecord {
  readonly id: string
  readonly token: string
  readonly ms: number
  readonly sent_at: number
  readonly wait: number | null
  readonly careful: boolean
  readonly gone: boolean
  readonly echoed: boolean
}

/**
 * Seconds. Receivers refuse signatures that are more than five minutes off by their clock, so a worker whose clock differs
 * from the database's by more than this claims nothing and leaves the deliveries to other workers.
 */
export const maxClockSkew = 60

interface Claims {
  /** Seconds by which this machine's clock is ahead of the database's; includes the time of the query. */
  readonly ahead: number
  readonly claimed: readonly ClaimedDelivery[]
}

/** Claims due deliveries up to the given capacity; none while the clock is wrong. */
export async function claim(db: Database, capacity: Capacity): Promise<Claims> {
  const rows = await db.run<ClaimedDelivery & { ahead: number }>({
    text: `with clock as materialized (
             select $3::double precision - extract(epoch from clock_timestamp())::double precision as ahead
           ), capacity as materialized (
             select ahead, case when abs(ahead) <= $4 then $1::integer else 0 end as healthy,
                    case when abs(ahead) <= $4 then $2::integer else 0 end as failing
               from clock
           )
           select capacity.ahead, claimed.* from capacity left join lateral (
             select * from app.claim_deliveries(capacity.healthy, false)
             union all
             select * from app.claim_deliveries(capacity.failing, true)) as claimed on true`,
    values: [capacity.healthy, capacity.failing, Date.now() / 1000, maxClockSkew],
  })
  return { ahead: rows[0]!.ahead, claimed: rows.filter(({ id }) => id !== null) }
}

/**
 * Records results and enqueues the emails that follow from them. Returns those that must be recorded again because the row
 * of their webhook was locked.
 */
export async function settle(db: Database, results: readonly DeliveryResult[]): Promise<readonly DeliveryResult[]> {
  return db.transaction({}, async (tx) => {
    const { rows } = await tx.query<Settled>('select * from app.settle_deliveries($1)', [JSON.stringify(results)])
    const at = new Date().toISOString()
    for (const row of rows) {
      if (row.again !== null) continue
      await enqueue(tx, 'mail', { to: { account: row.account_id }, template: row.letter, params: { at } })
    }
    const locked = new Set(rows.flatMap(({ again }) => again ?? []))
    return results.filter(({ id }) => locked.has(id))
  })
}

type Settled =
  | { readonly again: string }
  | { readonly again: null; readonly account_id: string; readonly letter: EmailTemplate }

type EmailTemplate = 'webhook-warning' | 'webhook-gone' | 'webhook-failing'

const sweepBatch = 1000

export async function sweepDeliveries(db: Database): Promise<void> {
  await db.run({ text: 'select app.forget_former_secrets()' })
  for (let gone = sweepBatch; gone === sweepBatch; ) {
    const [row] = await db.run<{ gone: number }>({
      text: 'select app.sweep_deliveries($1) as gone',
      values: [sweepBatch],
    })
    gone = row!.gone
  }
}
