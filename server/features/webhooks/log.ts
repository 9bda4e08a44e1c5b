import { requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import { cutPage, latest, parseCursor } from '#features/pieces/keyset.ts'
import { message } from '#messages/message.ts'
import { fromStored } from '#messages/stored.ts'
import type { Translator } from '#messages/translator.ts'
import type { Transaction } from '#platform/db/database.ts'
import { invalid, notFound, ServiceError } from '#platform/errors.ts'
import type { AttemptRecord } from './delivery-queue.ts'
import {
  type Attempt,
  type Delivery,
  type DeliveryFound,
  type DeliveryPage,
  type DeliveryState,
  deliveryLimits,
  type Event,
  type ListDeliveries,
  type Problem,
  type ResendRange,
  type Resent,
} from './schema.ts'
import { deliveryId, messageId } from './sign.ts'

/** The log of a writer's deliveries and their attempts, kept for thirty days. */

/** Can be resent: a piece that is still public, to a webhook that is live, while no attempt is under way. */
const selectDelivery = `
  select d.id, d.event, d.state, d.piece_id, p.headline, d.sequence, d.created_at, d.ended_at, d.due_at, d.attempts,
         d.last_at, d.last_status, d.last_problem,
         d.event = 'piece.published' and d.body is not null and d.lease_token is null and p.editor_status = 'approved'
           and exists (select from app.webhooks w where w.writer_id = d.writer_id and w.state = 'live') as can_resend`

const tables = 'app.deliveries d left join app.pieces p on p.id = d.piece_id'

export async function listDeliveries(
  { db }: DeskContext,
  writer: Writer,
  { state, limit = deliveryLimits.default, cursor }: ListDeliveries,
): Promise<DeliveryPage> {
  const after = parseCursor('deliveries', cursor, latest)
  const rows = await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<DeliveryRow>(
      `${selectDelivery} from ${tables}
        where d.writer_id = (select app.session_writer()) and (d.created_at, d.id) < ($1, $2)
          and ($3::text is null or d.state = $3)
        order by d.created_at desc, d.id desc limit $4`,
      [after.time, after.id, state ?? null, limit + 1],
    )
    if (rows.length === 0) await requireSession(tx)
    return rows
  })
  const { page, next_cursor } = cutPage('deliveries', rows, limit, (row) => row.created_at)
  return { ok: true, count: page.length, deliveries: page.map(presentDelivery), next_cursor }
}

/** The newest ping, if one was ever sent. */
export async function newestPing(tx: Transaction): Promise<DeliveryRow | undefined> {
  const { rows } = await tx.query<DeliveryRow>(
    `${selectDelivery} from ${tables}
      where d.writer_id = (select app.session_writer()) and d.event = 'webhook.ping'
      order by d.created_at desc limit 1`,
  )
  return rows[0]
}

/** `t` puts what was found out about each attempt into words. */
export function findDelivery(
  { db }: DeskContext,
  writer: Writer,
  message: string,
  t: Translator,
): Promise<DeliveryFound> {
  return withSession(db, writer, (tx) => readDelivery(tx, deliveryId(message), t))
}

async function readDelivery(tx: Transaction, id: string, t: Translator): Promise<DeliveryFound> {
  const { rows } = await tx.query<DeliveryRow & { body: Buffer | null }>(
    `${selectDelivery}, d.body from ${tables} where d.id = $1 and d.writer_id = (select app.session_writer())`,
    [id],
  )
  const [row] = rows
  if (!row) {
    await requireSession(tx)
    throw notFound(message('error.delivery_not_found'))
  }
  const attempts = await tx.query<AttemptRow>(
    `select attempt, at, ms, url, host(address) as address, sent_at, signature, status, problem, detail, answer_type, answer
       from app.delivery_attempts where delivery_id = $1 order by attempt desc`,
    [id],
  )
  return {
    ok: true,
    delivery: { ...presentDelivery(row), body: row.body?.toString('utf8') ?? null },
    attempts: attempts.rows.map((row) => presentAttempt(row, t)),
  }
}

const notResent = (canResend: boolean) =>
  new ServiceError(
    409,
    'illegal_transition',
    canResend ? message('error.resent_recently') : message('error.cannot_resend'),
  )

/** Sends the same bytes under the same id again, now. */
export async function resendOne(
  { db }: DeskContext,
  writer: Writer,
  message: string,
  t: Translator,
): Promise<DeliveryFound> {
  const id = deliveryId(message)
  return withSession(db, writer, async (tx) => {
    const { delivery } = await readDelivery(tx, id, t)
    if ((await resend(tx, writer, { id })) === 0) {
      throw notResent(delivery.can_resend)
    }
    return readDelivery(tx, id, t)
  })
}

export async function resendRange({ db }: DeskContext, writer: Writer, range: ResendRange): Promise<Resent> {
  const [from, to] = [parseTime('/from', range.from), range.to === undefined ? new Date() : parseTime('/to', range.to)]
  const count = await withSession(db, writer, (tx) => resend(tx, writer, { from, to, failed: range.only_failed }))
  return { ok: true, count }
}

interface ResendFilter {
  readonly id?: string
  readonly from?: Date
  readonly to?: Date
  readonly failed?: boolean | undefined
}

async function resend(tx: Transaction, { sessionHash }: Writer, { id, from, to, failed = false }: ResendFilter) {
  const { rows } = await tx.query<{ count: number }>('select app.desk_resend($1, $2, $3, $4, $5) as count', [
    sessionHash,
    id ?? null,
    from ?? null,
    to ?? null,
    failed,
  ])
  return rows[0]!.count
}

/** Passing the format check is not enough: 23:59:60 does, and is no time. */
function parseTime(pointer: string, text: string): Date {
  const at = new Date(text)
  if (at.getTime() >= 0 && at.getUTCFullYear() < 10_000) return at
  throw invalid([{ pointer, code: 'malformed', detail: 'must be a time, such as 2026-01-31T12:00:00Z' }])
}

export interface DeliveryRow {
  readonly id: string
  readonly event: Event
  readonly state: DeliveryState
  readonly piece_id: string | null
  readonly headline: string | null
  readonly sequence: string
  readonly created_at: Date
  readonly ended_at: Date | null
  readonly due_at: Date
  readonly attempts: number
  readonly last_at: Date | null
  readonly last_status: number | null
  readonly last_problem: Problem | null
  readonly can_resend: boolean
}

export const presentDelivery = (row: DeliveryRow): Delivery => ({
  id: messageId(row.id),
  event: row.event,
  state: row.state,
  piece: row.piece_id === null ? null : { id: row.piece_id, headline: row.headline },
  sequence: Number(row.sequence),
  created_at: row.created_at.toISOString(),
  delivered_at: row.state === 'delivered' ? (row.ended_at?.toISOString() ?? null) : null,
  due_at: row.state === 'pending' ? row.due_at.toISOString() : null,
  attempts: row.attempts,
  last: row.last_at && { at: row.last_at.toISOString(), status: row.last_status, problem: row.last_problem },
  can_resend: row.can_resend,
})

interface AttemptRow extends AttemptRecord {
  readonly at: Date
  readonly ms: number | null
  readonly sent_at: string | null
}

const presentAttempt = ({ at, sent_at, detail, ...row }: AttemptRow, t: Translator): Attempt => ({
  ...row,
  detail: detail === null ? null : fromStored(detail, t),
  at: at.toISOString(),
  timestamp: sent_at === null ? null : Number(sent_at),
})
