import { messageId } from './message-id.ts'
import type { Attempt, Delivery, DeliveryState, Event, Problem, Webhook, WebhookState } from './schema.ts'

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

export interface AttemptRow {
  readonly attempt: number
  readonly at: Date
  readonly ms: number | null
  readonly url: string
  readonly address: string | null
  readonly sent_at: string | null
  readonly signature: string | null
  readonly status: number | null
  readonly problem: Problem | null
  readonly detail: string | null
  readonly answer_type: string | null
  readonly answer: string | null
}

export const presentAttempt = ({ at, sent_at, ...row }: AttemptRow): Attempt => ({
  ...row,
  at: at.toISOString(),
  timestamp: sent_at === null ? null : Number(sent_at),
})

export interface WebhookRow {
  readonly url: string
  readonly state: WebhookState
  readonly disabled_for: 'gone' | 'failing' | null
  readonly created_at: Date
  readonly given_at: Date
  readonly live_since: Date | null
  readonly proven_at: Date | null
  readonly owner_proven_at: Date | null
  readonly secret_hint: string
  readonly secret_made_at: Date
  readonly former_secret_until: Date | null
  readonly failures: number
  readonly rests_until: Date | null
}

export const presentWebhook = (
  row: WebhookRow,
  ping: DeliveryRow | undefined,
  counts: Pick<Webhook, 'deliveries' | 'listed'>,
): Webhook => ({
  ...row,
  created_at: row.created_at.toISOString(),
  given_at: row.given_at.toISOString(),
  live_since: row.live_since?.toISOString() ?? null,
  proven_at: row.proven_at?.toISOString() ?? null,
  owner_proven_at: row.owner_proven_at?.toISOString() ?? null,
  secret_made_at: row.secret_made_at.toISOString(),
  former_secret_until: row.former_secret_until?.toISOString() ?? null,
  rests_until: row.rests_until?.toISOString() ?? null,
  ping: ping ? presentDelivery(ping) : null,
  ...counts,
})
