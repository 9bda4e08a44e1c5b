import type { Piece } from './types.generated.ts'

export interface Delivery {
  /** The raw bytes received. Not parsed JSON: serialising it again gives other bytes. */
  readonly body: Uint8Array | ArrayBuffer | string
  readonly headers: HeaderSource
  /** `whsec_…`, or several during a rotation. */
  readonly secret: string | readonly string[]
  /** Allowed difference in seconds between the signing time and now, either way. */
  readonly tolerance?: number
  readonly now?: Date
}

/** The default of the Standard Webhooks libraries. */
const fiveMinutes = 300

/**
 * Returns the event of a delivery, or throws a `WebhookError` that says why it was rejected. An invalid secret or body
 * throws a `TypeError`: the mistake is in the receiver's code.
 */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { headers, secret, tolerance = fiveMinutes, now = new Date() } = delivery
  const bytes = copyOf(delivery.body)
  const keys = [secret].flat().map(keyOf)
  if (keys.length === 0) throw new TypeError('verifyWebhook needs a secret.')

  const claims = readClaims(headers)
  const [{ id, seconds }] = claims
  checkAge(Math.floor(now.getTime() / 1000) - seconds, tolerance)

  const signed = concat(new TextEncoder().encode(`${id}.${seconds}.`), bytes)
  const expected = await Promise.all(keys.map((key) => hmacSha256(key, signed)))
  // Every signature scheme present must match: a broken one suggests tampering.
  if (!claims.every(({ macs }) => hasMatch(macs, expected))) {
    throw new WebhookError('no_match', 'No signature is by this secret over this id, time and body.')
  }
  return readEvent(id, seconds, bytes)
}

/** A copy, so that what is verified is what is parsed, whatever the caller does meanwhile. */
function copyOf(body: Delivery['body']): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('verifyWebhook needs the raw bytes of the body, not what was parsed of them.')
}

/** `whsec_` and the base64 of 24 to 64 bytes. The message never shows the secret, since messages are logged. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const [, base64 = ''] = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret) ?? []
  const key = fromBase64(base64)
  if (key.length < 24 || key.length > 64) {
    throw new TypeError('A secret is whsec_ and base64, as the desk shows it: no quotes, spaces or line ends.')
  }
  return key
}

function checkAge(age: number, tolerance: number): void {
  // A NaN would make every comparison false and accept everything.
  if (!(tolerance >= 0) || Number.isNaN(age)) throw new TypeError('tolerance is a number of seconds, now a valid date.')
  if (age > tolerance) throw new WebhookError('too_old', `It was signed ${age} seconds ago.`)
  if (-age > tolerance) throw new WebhookError('too_new', `It was signed ${-age} seconds ahead of this clock.`)
}

async function hmacSha256(key: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, signed))
}

/** Compares all pairs in constant time, so that timing reveals nothing about where they differ. */
function hasMatch(macs: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  let matches = 0
  for (const mac of macs) for (const wanted of expected) matches |= Number(differenceOf(mac, wanted) === 0)
  return matches === 1
}

function differenceOf(mac: Uint8Array, expected: Uint8Array): number {
  let difference = mac.length ^ expected.length
  for (let at = 0; at < expected.length; at++) difference |= mac[at]! ^ expected[at]!
  return difference
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

/** A `Headers` object, or the plain object of Node and most frameworks. */
export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** What one signature scheme claims: who signed what, and when. */
interface SignatureClaim {
  readonly id: string
  readonly seconds: number
  /** One for each active secret. */
  readonly macs: readonly Uint8Array[]
}

/** No full stop in the id and only digits in the time, so that `id.time.body` is unambiguous. */
const idForm = /^[A-Za-z0-9_-]{1,128}$/
const timeForm = /^[1-9][0-9]{0,11}$/
/** 32 bytes in base64. The last character carries four bits: any other would encode the same bytes a second way. */
const base64Form = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/
/** Lower case only: upper case would encode the same bytes a second way. */
const hexForm = /^[0-9a-f]{64}$/

/** One claim per signature scheme present: Standard Webhooks, our own, or both. */
function readClaims(headers: HeaderSource): [SignatureClaim, ...SignatureClaim[]] {
  const standard = headerValue(headers, 'webhook-signature')
  const own = headerValue(headers, 'x-service-signature')
  const claims = [
    ...(standard === undefined ? [] : [standardClaim(headers, standard)]),
    ...(own === undefined ? [] : [serviceClaim(own)]),
  ]
  const [first] = claims
  if (!first) throw missing('webhook-signature or X-Service-Signature')
  if (claims.some(({ id, seconds }) => id !== first.id || seconds !== first.seconds)) {
    throw malformed('The signature headers disagree about the id or the time.')
  }
  return [first, ...claims.slice(1)]
}

/** `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,<base64> v1,<base64>`. */
function standardClaim(headers: HeaderSource, signature: string): SignatureClaim {
  const id = headerValue(headers, 'webhook-id')
  const time = headerValue(headers, 'webhook-timestamp')
  if (id === undefined) throw missing('webhook-id')
  if (time === undefined) throw missing('webhook-timestamp')
  const macs = signature.split(' ').flatMap((item) => {
    const [, version, value = ''] = /^(v[0-9]{1,3}[a-z]?),([^ ,]+)$/.exec(item) ?? []
    return decodeMac(version, value, base64Form, fromBase64)
  })
  return claim(id, time, macs)
}

/** `X-Service-Signature: t=<seconds>,id=<id>,v1=<hex>,v1=<hex>`; needs no other header. */
function serviceClaim(signature: string): SignatureClaim {
  const [time = '', id = '', ...items] = signature.split(',')
  if (!time.startsWith('t=') || !id.startsWith('id=')) throw malformed('X-Service-Signature is not t=…,id=…,v1=….')
  const macs = items.flatMap((item) => {
    const [, version, value = ''] = /^(v[0-9]{1,3}[a-z]?)=([^ =]+)$/.exec(item) ?? []
    return decodeMac(version, value, hexForm, fromHex)
  })
  return claim(id.slice(3), time.slice(2), macs)
}

/** Ignores versions other than v1, which are for future verifiers. */
function decodeMac(
  version: string | undefined,
  value: string,
  form: RegExp,
  read: (value: string) => Uint8Array,
): Uint8Array[] {
  if (version === undefined) throw malformed('A signature is not spelt as a version and a value.')
  if (version !== 'v1') return []
  if (!form.test(value)) throw malformed('A v1 signature is not 32 bytes, spelt in the one way they are.')
  return [read(value)]
}

function claim(id: string, time: string, macs: readonly Uint8Array[]): SignatureClaim {
  if (!idForm.test(id)) throw malformed('The id has other signs than letters, digits, _ and -.')
  if (!timeForm.test(time)) throw malformed('The time is not whole seconds in plain digits.')
  return { id, seconds: Number(time), macs }
}

/** Returns the single value of a header, case-insensitively; throws if there is more than one. */
function headerValue(headers: HeaderSource, name: string): string | undefined {
  const values = isHeaders(headers)
    ? [headers.get(name) ?? undefined]
    : Object.keys(headers)
        .filter((key) => key.toLowerCase() === name)
        .flatMap((key) => headers[key])
  const given = values.filter((value) => value !== undefined)
  if (given.length > 1) throw malformed(`The header ${name} is there more than once.`)
  return given[0]
}

const isHeaders = (headers: HeaderSource): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function'

const missing = (name: string): WebhookError => new WebhookError('missing_header', `The header ${name} is missing.`)

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))

const fromHex = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))

interface Delivered {
  /** The same for every attempt and resend: use it to detect duplicates. */
  readonly id: string
  /** When this attempt was signed. */
  readonly timestamp: Date
}

export interface PiecePublished extends Delivered {
  readonly event: 'piece.published'
  /** Increases with each piece of the writer; a gap means a piece you were not sent. */
  readonly sequence: number
  /** The piece was too large to send whole: `content_html` is null; fetch it from `url`. */
  readonly truncated: boolean
  readonly piece: Piece
}

export interface WebhookPing extends Delivered {
  readonly event: 'webhook.ping'
  /** Respond with it as text to prove that you control the address. */
  readonly challenge: string
}

/** An event type added after this version. Respond 2xx and ignore it. */
export interface UnknownEvent extends Delivered {
  readonly event: 'unknown'
  readonly body: unknown
}

export type WebhookEvent = PiecePublished | WebhookPing | UnknownEvent

/** Only for verified bytes: their shape is trusted because the sender is. */
function readEvent(id: string, seconds: number, bytes: Uint8Array): WebhookEvent {
  const delivered = { id, timestamp: new Date(seconds * 1000) }
  const body = parsed(bytes)
  const { _service: service, ...rest } = Object(body)
  if (service?.event === 'piece.published') {
    const { sequence, truncated = false } = service
    return { ...delivered, event: 'piece.published', sequence, truncated, piece: rest }
  }
  if (service?.event === 'webhook.ping') return { ...delivered, event: 'webhook.ping', challenge: rest.challenge }
  return { ...delivered, event: 'unknown', body }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw malformed('The body is no JSON in UTF-8.')
  }
}

/** Why a delivery was rejected. */
export type Refusal = 'missing_header' | 'malformed' | 'too_old' | 'too_new' | 'no_match'

/** The delivery is not from the site, or was altered. Respond 400 and do nothing else. */
export class WebhookError extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal, message: string) {
    super(message)
    this.name = 'WebhookError'
    this.reason = reason
  }
}

const malformed = (message: string): WebhookError => new WebhookError('malformed', message)
