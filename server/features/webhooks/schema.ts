import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, ok, uri } from '#platform/common-schemas.ts'

/** A writer's webhook and what was sent to it, as the desk shows them. */

const text = Type.String()
const count = Type.Integer()
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] })

const events = ['piece.published', 'webhook.ping'] as const
export type Event = (typeof events)[number]

/**
 * `unproven`: its address has not answered a ping with 2xx yet. `paused`: by its writer; what is published meanwhile is
 * held, and sent when they resume. `disabled`: by the site; a ping that is answered makes it live again.
 */
const webhookStates = ['unproven', 'live', 'paused', 'disabled'] as const
export type WebhookState = (typeof webhookStates)[number]

/**
 * `pending`: waits for its next attempt, or is under way. `held`: waits for its webhook. `exhausted`: ten attempts
 * failed. `cancelled`: the piece was unpublished, or the webhook removed, and what was to be sent is gone.
 */
const deliveryStates = ['pending', 'held', 'delivered', 'exhausted', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Beside those of the outbound guard: any answer but 2xx, a worker that ended half-way, a secret that does not open. */
const problems = [
  'status',
  'forbidden_url',
  'forbidden_address',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'too_many_headers',
  'protocol',
  'abandoned',
  'sealed',
] as const
export type Problem = (typeof problems)[number]

const Last = Type.Object({ at: dateTime, status: nullable(count), problem: nullable(oneOf(problems)) })

const delivery = {
  /** `msg_…`, as in the header webhook-id: the same for every attempt. */
  id: text,
  event: oneOf(events),
  state: oneOf(deliveryStates),
  /** Null for a ping. The headline is the piece's now; null once the piece is deleted. */
  piece: nullable(Type.Object({ id: text, headline: nullable(text) })),
  /** Rises with every piece of the writer that becomes public; 0 for a ping. */
  sequence: count,
  created_at: dateTime,
  delivered_at: nullable(dateTime),
  /** When the next attempt is due, while there will be one. */
  due_at: nullable(dateTime),
  attempts: count,
  /** What the last attempt met. */
  last: nullable(Last),
  can_resend: Type.Boolean(),
}

export const Delivery = Type.Object(delivery)
export type Delivery = Static<typeof Delivery>

const counts = Type.Object({ pending: count, held: count, delivered: count, exhausted: count, cancelled: count })

export const Webhook = Type.Object({
  url: uri,
  state: oneOf(webhookStates),
  /** Why it is disabled: its server answered 410, or failed for five days. */
  disabled_for: nullable(oneOf(['gone', 'failing'])),
  created_at: dateTime,
  /** When this address was given. */
  given_at: dateTime,
  /** From then on publications are kept for it, whatever its state; null while no address of it ever answered. */
  live_since: nullable(dateTime),
  /** Since when this address has answered. */
  proven_at: nullable(dateTime),
  /** The ping's challenge came back: whoever runs the address knows of this. */
  owner_proven_at: nullable(dateTime),
  /** The end of the secret, as `…a1b2`, to tell it from another. */
  secret_hint: text,
  secret_made_at: dateTime,
  /** While set, deliveries carry a signature of the former secret too. */
  former_secret_until: nullable(dateTime),
  /** Attempts that failed since the last that did not. */
  failures: count,
  /** After ten failures in a row one is tried a minute: when the next may be. */
  rests_until: nullable(dateTime),
  /** The newest ping. */
  ping: nullable(Delivery),
  /** Pieces of the last 30 days. */
  deliveries: counts,
  /** The same with tests, as the list of deliveries has them. */
  listed: counts,
})
export type Webhook = Static<typeof Webhook>

export const WebhookFound = Type.Object({ ok, webhook: nullable(Webhook) })
export type WebhookFound = Static<typeof WebhookFound>

export const SaveWebhook = Type.Object({ url: Type.String({ minLength: 1, maxLength: 4096 }) })

/** The secret is shown this once: with a new webhook, and with every rotation. */
export const WebhookSaved = Type.Object({ ok, webhook: Webhook, secret: nullable(text), advice: nullable(text) })
export type WebhookSaved = Static<typeof WebhookSaved>

const longestOverlap = 168

export const RotateSecret = Type.Object({
  /** For how long the former secret goes on signing too: 24 hours unless told, 0 where it leaked. */
  keep_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: longestOverlap })),
  /** Even while the one before still signs: that one then ends at once. */
  force: Type.Optional(Type.Boolean()),
})
export type RotateSecret = Static<typeof RotateSecret>

export const deliveryLimits = { minimum: 1, maximum: 100, default: 30 } as const

export const ListDeliveries = Type.Object({
  state: Type.Optional(oneOf(deliveryStates)),
  limit: limited(deliveryLimits),
  cursor,
})
export type ListDeliveries = Static<typeof ListDeliveries>

/** Newest first. */
export const DeliveryPage = Type.Object({ ok, count, deliveries: Type.Array(Delivery), next_cursor: nextCursor })
export type DeliveryPage = Static<typeof DeliveryPage>

const Attempt = Type.Object({
  attempt: count,
  at: dateTime,
  ms: nullable(count),
  url: text,
  /** Where the name led. */
  address: nullable(text),
  /** webhook-timestamp and webhook-signature as they were sent. */
  timestamp: nullable(count),
  signature: nullable(text),
  status: nullable(count),
  problem: nullable(oneOf(problems)),
  /** One sentence, where there was no answer. */
  detail: nullable(text),
  answer_type: nullable(text),
  /** The first KiB of the answer: text of strangers. */
  answer: nullable(text),
})
export type Attempt = Static<typeof Attempt>

export const DeliveryFound = Type.Object({
  ok,
  delivery: Type.Object({
    ...delivery,
    /** The bytes that every attempt sends; null once there is nothing left to send. */
    body: nullable(text),
  }),
  /** Newest first. */
  attempts: Type.Array(Attempt),
})
export type DeliveryFound = Static<typeof DeliveryFound>

export const OneDelivery = Type.Object({ id: Type.String({ pattern: '^msg_[0-9a-f]{32}$' }) })

/** What was made between the two; `only_failed`: of those, what is exhausted or held. */
export const ResendRange = Type.Object({
  from: dateTime,
  to: Type.Optional(dateTime),
  only_failed: Type.Optional(Type.Boolean()),
})
export type ResendRange = Static<typeof ResendRange>

export const Resent = Type.Object({ ok, count })
export type Resent = Static<typeof Resent>
