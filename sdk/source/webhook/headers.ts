import { malformed, WebhookError } from './refusal.ts'

/** A `Headers`, or the plain object of Node and of most frameworks. */
export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** What a family of headers claims: who signed what, and when. */
export interface Claim {
  readonly id: string
  readonly seconds: number
  /** One for each secret that was live. */
  readonly macs: readonly Uint8Array[]
}

/** Without a full stop in the id and with digits alone in the time, `id.time.body` can be read in one way only. */
const idForm = /^[A-Za-z0-9_-]{1,128}$/
const timeForm = /^[1-9][0-9]{0,11}$/
/** 32 bytes in base64. The last sign carries four bits: any but these would spell the same bytes a second time. */
const base64Form = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/
/** Lower case alone: upper case would spell the same bytes a second time. */
const hexForm = /^[0-9a-f]{64}$/

/** A claim for each family of headers that is there: Standard Webhooks', the site's own, or both. */
export function readClaims(headers: HeaderSource): [Claim, ...Claim[]] {
  const standard = one(headers, 'webhook-signature')
  const own = one(headers, 'x-service-signature')
  const claims = [
    ...(standard === undefined ? [] : [standardClaim(headers, standard)]),
    ...(own === undefined ? [] : [ownClaim(own)]),
  ]
  const [first] = claims
  if (!first) throw missing('webhook-signature or X-Service-Signature')
  if (claims.some(({ id, seconds }) => id !== first.id || seconds !== first.seconds)) {
    throw malformed('The signature headers disagree about the id or the time.')
  }
  return [first, ...claims.slice(1)]
}

/** `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,<base64> v1,<base64>`. */
function standardClaim(headers: HeaderSource, signature: string): Claim {
  const id = one(headers, 'webhook-id')
  const time = one(headers, 'webhook-timestamp')
  if (id === undefined) throw missing('webhook-id')
  if (time === undefined) throw missing('webhook-timestamp')
  const macs = signature.split(' ').flatMap((item) => {
    const [, version, value = ''] = /^(v[0-9]{1,3}[a-z]?),([^ ,]+)$/.exec(item) ?? []
    return macOf(version, value, base64Form, fromBase64)
  })
  return claim(id, time, macs)
}

/** `X-Service-Signature: t=<seconds>,id=<id>,v1=<hex>,v1=<hex>`: whole in itself. */
function ownClaim(signature: string): Claim {
  const [time = '', id = '', ...items] = signature.split(',')
  if (!time.startsWith('t=') || !id.startsWith('id=')) throw malformed('X-Service-Signature is not t=…,id=…,v1=….')
  const macs = items.flatMap((item) => {
    const [, version, value = ''] = /^(v[0-9]{1,3}[a-z]?)=([^ =]+)$/.exec(item) ?? []
    return macOf(version, value, hexForm, fromHex)
  })
  return claim(id.slice(3), time.slice(2), macs)
}

/** Versions other than v1 are for verifiers to come, and are passed over. */
function macOf(
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

function claim(id: string, time: string, macs: readonly Uint8Array[]): Claim {
  if (!idForm.test(id)) throw malformed('The id has other signs than letters, digits, _ and -.')
  if (!timeForm.test(time)) throw malformed('The time is not whole seconds in plain digits.')
  return { id, seconds: Number(time), macs }
}

/** The one value of a header, whatever the case of its name; two are one too many. */
function one(headers: HeaderSource, name: string): string | undefined {
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

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))

const fromHex = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))
