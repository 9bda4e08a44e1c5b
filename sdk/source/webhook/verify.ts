import { readEvent, type WebhookEvent } from './event.ts'
import { fromBase64, type HeaderSource, readClaims } from './headers.ts'
import { WebhookError } from './refusal.ts'

export type { HeaderSource }

export interface Delivery {
  /** The bytes as they came. Never parsed JSON: written again it is other bytes. */
  readonly body: Uint8Array | ArrayBuffer | string
  readonly headers: HeaderSource
  /** `whsec_…`, or several while you change from one to another. */
  readonly secret: string | readonly string[]
  /** How many seconds the time of signing may lie from now, either way. */
  readonly tolerance?: number
  readonly now?: Date
}

/** As the libraries of Standard Webhooks have it. */
const fiveMinutes = 300

/**
 * The event of a delivery, or a `WebhookError` that says why it is not to be believed.
 * A secret or a body that cannot be right is a `TypeError`: the mistake is here, not in the delivery.
 */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { headers, secret, tolerance = fiveMinutes, now = new Date() } = delivery
  const bytes = ownCopy(delivery.body)
  const keys = [secret].flat().map(keyOf)
  if (keys.length === 0) throw new TypeError('verifyWebhook needs a secret.')

  const claims = readClaims(headers)
  const [{ id, seconds }] = claims
  checkAge(Math.floor(now.getTime() / 1000) - seconds, tolerance)

  const signed = joined(new TextEncoder().encode(`${id}.${seconds}.`), bytes)
  const expected = await Promise.all(keys.map((key) => macOf(key, signed)))
  // Every family that is there has to be good: one that is spoilt is a sign of meddling.
  if (!claims.every(({ macs }) => hasMatch(macs, expected))) {
    throw new WebhookError('no_match', 'No signature is by this secret over this id, time and body.')
  }
  return readEvent(id, seconds, bytes)
}

/** A copy, so that what is verified is what is read, whatever the caller does with theirs in between. */
function ownCopy(body: Delivery['body']): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('verifyWebhook needs the raw bytes of the body, not what was parsed of them.')
}

/** `whsec_` and the base64 of 24 to 64 bytes. The message never shows the secret: messages are logged. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const [, base64 = ''] = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret) ?? []
  const key = fromBase64(base64)
  if (key.length < 24 || key.length > 64) {
    throw new TypeError('A secret is whsec_ and base64, as the desk shows it: no quotes, spaces or line ends.')
  }
  return key
}

function checkAge(age: number, tolerance: number): void {
  // What is no number would be larger than nothing, and let everything pass.
  if (!(tolerance >= 0) || Number.isNaN(age)) throw new TypeError('tolerance is a number of seconds, now a valid date.')
  if (age > tolerance) throw new WebhookError('too_old', `It was signed ${age} seconds ago.`)
  if (-age > tolerance) throw new WebhookError('too_new', `It was signed ${-age} seconds ahead of this clock.`)
}

async function macOf(key: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, signed))
}

/** Compares all with all and each to its end: the time it takes tells nothing about where they differ. */
function hasMatch(macs: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  let matches = 0
  for (const mac of macs) for (const one of expected) matches |= Number(differenceOf(mac, one) === 0)
  return matches === 1
}

function differenceOf(mac: Uint8Array, expected: Uint8Array): number {
  let difference = mac.length ^ expected.length
  for (let at = 0; at < expected.length; at++) difference |= mac[at]! ^ expected[at]!
  return difference
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}
