import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A passkey in software: makes a credential and signs with it, as an authenticator that keeps no counter does. */

interface MadeBy {
  readonly credentialId?: Buffer
  /** Bytes beside the key's own that no key needs. */
  readonly ballast?: number
  readonly id?: string
  /** What the browser says beside the challenge, such as that another site framed the page. */
  readonly said?: object
  readonly transports?: readonly string[]
}

export interface SoftPasskey {
  readonly id: string
  readonly privateKey: KeyObject
  /** What a browser sends to register it. */
  readonly credential: object
}

const origin = 'https://site.test'
/** Present and verified; counter 0. */
const flags = 0x05

export function makeSoftPasskey({ challenge }: { challenge: string }, given: MadeBy = {}): SoftPasskey {
  const { credentialId = randomBytes(32), ballast = 0, transports = ['internal', 'hybrid', 'smart-card'] } = given
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = new Map<Cbor, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  if (ballast > 0) key.set(-70_000, Buffer.alloc(ballast))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credentialId.length)
  // With a credential; of no maker.
  const authData = Buffer.concat([
    authenticatorData(flags | 0x40),
    Buffer.alloc(16),
    length,
    credentialId,
    encoded(key),
  ])
  const attestation = new Map<Cbor, Cbor>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  const id = given.id ?? (credentialId.subarray(0, 1000).toString('base64url') || 'AAAA')
  const response = {
    clientDataJSON: clientData('webauthn.create', challenge, given.said).toString('base64url'),
    attestationObject: encoded(attestation).toString('base64url'),
    transports,
  }
  return { id, privateKey, credential: { ...credential(id), response } }
}

/** What a browser sends to sign in with it. */
export function showSoftPasskey(
  { id, privateKey }: SoftPasskey,
  { challenge }: { challenge: string },
  said: object = {},
): object {
  const data = authenticatorData(flags)
  const client = clientData('webauthn.get', challenge, said)
  const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
  const response = {
    clientDataJSON: client.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature: sign('sha256', signed, privateKey).toString('base64url'),
  }
  return { ...credential(id), response }
}

const credential = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} })

const clientData = (type: string, challenge: string, said: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, ...said }))

const authenticatorData = (bits: number): Buffer =>
  Buffer.concat([createHash('sha256').update(new URL(origin).hostname).digest(), Buffer.from([bits, 0, 0, 0, 0])])

type Cbor = number | string | Buffer | Map<Cbor, Cbor>

/** As much of RFC 8949 as a passkey needs. */
function encoded(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(encoded)])
}

/** The shortest form, which is the only one that authenticators write. */
function head(kind: number, count: number): Buffer {
  const first = kind << 5
  if (count < 24) return Buffer.from([first | count])
  const size = count < 0x100 ? 1 : count < 0x10000 ? 2 : 4
  const bytes = Buffer.alloc(1 + size)
  bytes.writeUInt8(first | (size === 4 ? 26 : 23 + size))
  bytes.writeUIntBE(count, 1, size)
  return bytes
}
