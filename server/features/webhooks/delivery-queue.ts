import type { Database } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import type { Event, Problem } from './schema.ts'

/** The line of webhooks that have something due, as the database keeps it. */

export interface ClaimedDelivery {
  readonly id: string
  readonly lease_token: string
  readonly writer_id: string
  readonly event: Event
  /** Of all there ever were. */
  readonly attempt: number
  /** Since it was last ordered or resent. */
  readonly tries: number
  readonly body: Buffer
  readonly url: string
  readonly secret: Buffer
  readonly former_secret: Buffer | null
  /** Of a webhook whose last attempt failed. */
  readonly doubted: boolean
  /** Seconds it was late. */
  readonly late: number
}

/** What an attempt met, as `app.settle_deliveries` takes it. */
export interface DeliveryResult {
  readonly id: string
  readonly token: string
  readonly attempt: number
  readonly ms: number
  readonly url: string
  readonly address: string | null
  readonly sent_at: number
  readonly signature: string | null
  readonly status: number | null
  readonly problem: Problem | null
  readonly detail: string | null
  readonly answer_type: string | null
  readonly answer: string | null
  readonly wait: number | null
  readonly careful: boolean
  readonly gone: boolean
  readonly echoed: boolean
}

/**
 * Receivers refuse what was signed more than five minutes before or after their own time. A worker whose clock is further
 * from the database's than this claims nothing: what it would sign is another's to send.
 */
export const mostOff = 60

interface Claims {
  /** Seconds by which this machine's clock is ahead of the database's, and how long it took to ask. */
  readonly ahead: number
  readonly claimed: readonly ClaimedDelivery[]
}

/** As many as there is room for, of webhooks that answer and of those that fail; none while the clock is wrong. */
export async function claim(
  db: Database,
  room: { readonly trusted: number; readonly doubted: number },
): Promise<Claims> {
  const rows = await db.run<ClaimedDelivery & { ahead: number }>({
    text: `with clock as materialized (
             select $3::double precision - extract(epoch from clock_timestamp())::double precision as ahead
           ), room as materialized (
             select ahead, case when abs(ahead) <= $4 then $1::integer else 0 end as trusted,
                    case when abs(ahead) <= $4 then $2::integer else 0 end as doubted
               from clock
           )
           select room.ahead, claimed.* from room left join lateral (
             select * from app.claim_deliveries(room.trusted, false)
             union all
             select * from app.claim_deliveries(room.doubted, true)) as claimed on true`,
    values: [room.trusted, room.doubted, Date.now() / 1000, mostOff],
  })
  return { ahead: rows[0]!.ahead, claimed: rows.filter(({ id }) => id !== null) }
}

/** Kept, with the letters that follow from it. Answers with what must be said again: its webhook was busy. */
export async function settle(db: Database, met: readonly DeliveryResult[]): Promise<ReadonlySet<string>> {
  return db.transaction({}, async (tx) => {
    const { rows } = await tx.query<Settled>('select * from app.settle_deliveries($1)', [JSON.stringify(met)])
    const at = new Date().toISOString()
    for (const row of rows) {
      if (row.again !== null) continue
      await enqueue(tx, 'mail', { to: { account: row.account_id }, letter: row.letter, params: { at } })
    }
    return new Set(rows.flatMap(({ again }) => again ?? []))
  })
}

type Settled =
  | { readonly again: string }
  | { readonly again: null; readonly account_id: string; readonly letter: Letter }

type Letter = 'webhook-warning' | 'webhook-gone' | 'webhook-failing'

const sweptAtOnce = 1000

export async function sweepDeliveries(db: Database): Promise<void> {
  await db.run({ text: 'select app.forget_former_secrets()' })
  for (let gone = sweptAtOnce; gone === sweptAtOnce; ) {
    const [row] = await db.run<{ gone: number }>({
      text: 'select app.sweep_deliveries($1) as gone',
      values: [sweptAtOnce],
    })
    gone = row!.gone
  }
}
