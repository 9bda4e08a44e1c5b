import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'

/**
 * Encrypts secrets that are stored in the database and must be readable again: AES-256-GCM, with the key's id as
 * prefix.
 */
export interface Sealer {
  /** `context` names the row it belongs to: it cannot be decrypted in another one. */
  seal(text: string, context: string): Buffer
  /** Undefined if none of our keys encrypted it for this context. */
  open(sealed: Buffer, context: string): string | undefined
  /** Whether the current key encrypted it. */
  isNewest(sealed: Buffer): boolean
  /** The prefixes of values encrypted with each key, in hex, the current key first. */
  readonly keyIds: readonly string[]
}

export const keyIdLength = 4
const ivLength = 12
const tagLength = 16
const headLength = keyIdLength + ivLength + tagLength

/** The first key encrypts, all keys decrypt, so that keys can be rotated. */
export function createSealer(secrets: readonly string[]): Sealer {
  const keys = secrets.map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret, 'standfirst secrets', 'sealing', 32))
    return { key, id: createHash('sha256').update(key).digest().subarray(0, keyIdLength) }
  })
  const keyIds = keys.map(({ id }) => id.toString('hex'))
  return {
    keyIds,
    isNewest: (sealed) => sealed.toString('hex', 0, keyIdLength) === keyIds[0],
    seal(text, context) {
      const { key, id } = keys[0]!
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([id, iv, cipher.getAuthTag(), hidden])
    },
    open(sealed, context) {
      const known = keys.find(({ id }) => id.equals(sealed.subarray(0, keyIdLength)))
      if (!known || sealed.length < headLength) return undefined
      const ivEnd = keyIdLength + ivLength
      const decipher = createDecipheriv('aes-256-gcm', known.key, sealed.subarray(keyIdLength, ivEnd), {
        authTagLength: tagLength,
      })
      decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(ivEnd, headLength))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(headLength)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

/**
 * Codes that only holders of the keys can make (HMAC-SHA256): to find a value without storing it, and for links that need no
 * row. The first key makes them, all keys are recognised.
 */
export interface KeyedHash {
  /** One for each key, the current first. */
  hashesOf(text: string): readonly Buffer[]
  hashOf(text: string): Buffer
  /** Whether this is the beginning of a code of ours. */
  isHashOf(text: string, given: Buffer): boolean
}

export function createKeyedHash(secrets: readonly string[], purpose: string): KeyedHash {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, 'standfirst keyed hashes', purpose, 32)))
  const hashesOf = (text: string) => keys.map((key) => createHmac('sha256', key).update(text).digest())
  return {
    hashesOf,
    hashOf: (text) => hashesOf(text)[0]!,
    isHashOf: (text, given) =>
      given.length >= 8 && hashesOf(text).some((hash) => timingSafeEqual(hash.subarray(0, given.length), given)),
  }
}

/** Ed25519 (RFC 8032) signatures: anyone can verify them, only this site can create them. */
export interface Signer {
  readonly keyId: string
  /** 32 bytes. */
  readonly publicKey: Buffer
  sign(text: string): Buffer
}

/** DER prefixes of a 32-byte key: PKCS #8 and SPKI, RFC 8410. */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicHead = Buffer.from('302a300506032b6570032100', 'hex')

export function createSigner(secret: string): Signer {
  const seed = Buffer.from(hkdfSync('sha256', secret, 'standfirst receipts', 'signing', 32))
  const key = createPrivateKey({ key: Buffer.concat([privateHead, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(publicHead.length)
  return { keyId: keyIdOf(publicKey), publicKey, sign: (text) => sign(null, Buffer.from(text), key) }
}

/** The JWK thumbprint of RFC 7638, which anyone can compute from the key. */
export const keyIdOf = (publicKey: Buffer): string =>
  createHash('sha256')
    .update(`{"crv":"Ed25519","kty":"OKP","x":"${publicKey.toString('base64url')}"}`)
    .digest('base64url')

export function isSignedBy(publicKey: Buffer, text: string, signature: Buffer): boolean {
  return publicKey.length === 32 && verify(null, Buffer.from(text), keyOf(publicKey), signature)
}

const keyOf = (publicKey: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicHead, publicKey]), format: 'der', type: 'spki' })

/** A secret that is stored only as a hash. It has 256 random bits, so a fast hash is enough. */
export function secretToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOf(token) }
}

export const hashOf = (token: string | Buffer): Buffer => createHash('sha256').update(token).digest()

/**
 * JSON in the canonical form of RFC 8785 (JCS): equal values give equal bytes. Members are sorted by UTF-16 code units,
 * as JavaScript sorts strings; strings and numbers are written as JSON.stringify writes them.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    return `{${members.map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`).join(',')}}`
  }
  const isWritable =
    value === null ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value)) ||
    (typeof value === 'string' && value.isWellFormed())
  if (!isWritable) throw new TypeError('This value has no canonical form.')
  return JSON.stringify(value)
}
