import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, ok, uri } from '#platform/common-schemas.ts'

/** A writer's webhook and its deliveries, as the desk API returns them. */

const text = Type.String()
const count = Type.Integer()
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] })

const events = ['piece.published', 'webhook.ping'] as const
export type Event = (typeof events)[number]

/**
 * `unproven`: its URL has not answered a ping with 2xx yet. `paused`: by its writer; publications are held and sent when the
 * writer resumes. `disabled`: by the site; a ping that is answered makes it live again.
 */
const webhookStates = ['unproven', 'live', 'paused', 'disabled'] as const
export type WebhookState = (typeof webhookStates)[number]

/**
 * `pending`: waits for its next attempt, or is being sent. `held`: waits for its webhook to be live. `exhausted`: ten
 * attempts failed. `cancelled`: the piece was unpublished or the webhook removed, and the body is deleted.
 */
const deliveryStates = ['pending', 'held', 'delivered', 'exhausted', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Besides those of the outbound guard: `status`, not 2xx; `abandoned`, the worker died; `sealed`, the secret cannot be decrypted. */
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
  /** Null for a ping. The headline is the current one; null once the piece is deleted. */
  piece: nullable(Type.Object({ id: text, headline: nullable(text) })),
  /** Increases with every publication of the writer; 0 for a ping. */
  sequence: count,
  created_at: dateTime,
  delivered_at: nullable(dateTime),
  /** When the next attempt is due, while there will be one. */
  due_at: nullable(dateTime),
  attempts: count,
  /** Result of the last attempt. */
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
  /** When this URL was set. */
  given_at: dateTime,
  /** Publications since then are delivered or held, whatever its state; null if no URL of it has ever answered. */
  live_since: nullable(dateTime),
  /** When this URL first answered. */
  proven_at: nullable(dateTime),
  /** When the ping's challenge was echoed: the server's owner knows of this webhook. */
  owner_proven_at: nullable(dateTime),
  /** The end of the secret, such as `…a1b2`, to identify it. */
  secret_hint: text,
  secret_made_at: dateTime,
  /** Until then deliveries are signed with the former secret too. */
  former_secret_until: nullable(dateTime),
  /** Consecutive failed attempts. */
  failures: count,
  /** After ten consecutive failures there is one attempt a minute: when the next may be. */
  rests_until: nullable(dateTime),
  /** The newest ping. */
  ping: nullable(Delivery),
  /** Publications of the last 30 days. */
  deliveries: counts,
  /** The same with pings, as the list of deliveries counts them. */
  listed: counts,
})
export type Webhook = Static<typeof Webhook>

export const WebhookFound = Type.Object({ ok, webhook: nullable(Webhook) })
export type WebhookFound = Static<typeof WebhookFound>

export const SaveWebhook = Type.Object({ url: Type.String({ minLength: 1, maxLength: 4096 }) })

/** The secret is returned only here: for a new webhook and for each rotation. */
export const WebhookSaved = Type.Object({ ok, webhook: Webhook, secret: nullable(text) })
export type WebhookSaved = Static<typeof WebhookSaved>

const maxOverlapHours = 168

export const RotateSecret = Type.Object({
  /** How long the former secret signs too: 24 hours by default, 0 if it leaked. */
  keep_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: maxOverlapHours })),
  /** Rotate even while a former secret still signs; that one expires at once. */
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
  /** The IP address the host name resolved to. */
  address: nullable(text),
  /** webhook-timestamp and webhook-signature as sent. */
  timestamp: nullable(count),
  signature: nullable(text),
  status: nullable(count),
  problem: nullable(oneOf(problems)),
  /** One sentence, if there was no response. */
  detail: nullable(text),
  answer_type: nullable(text),
  /** The first KiB of the response; untrusted text. */
  answer: nullable(text),
})
export type Attempt = Static<typeof Attempt>

export const DeliveryFound = Type.Object({
  ok,
  delivery: Type.Object({
    ...delivery,
    /** The bytes that every attempt sends; null once they are deleted. */
    body: nullable(text),
  }),
  /** Newest first. */
  attempts: Type.Array(Attempt),
})
export type DeliveryFound = Static<typeof DeliveryFound>

export const OneDelivery = Type.Object({ id: Type.String({ pattern: '^msg_[0-9a-f]{32}$' }) })

/** Deliveries created between the two times; `only_failed`: only those exhausted or held. */
export const ResendRange = Type.Object({
  from: dateTime,
  to: Type.Optional(dateTime),
  only_failed: Type.Optional(Type.Boolean()),
})
export type ResendRange = Static<typeof ResendRange>

export const Resent = Type.Object({ ok, count })
export type Resent = Static<typeof Resent>
