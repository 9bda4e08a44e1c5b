import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Secrets the site must be able to read again, as they lie in the database: AES-256-GCM, with the key's id in front. */
export interface Sealer {
  /** `context` is what it belongs to: moved elsewhere, it does not open. */
  seal(text: string, context: string): Buffer
  /** Undefined if none of our keys sealed it, for this context. */
  open(sealed: Buffer, context: string): string | undefined
  /** Whether the key in use sealed it. */
  isNewest(sealed: Buffer): boolean
  /** What stands in front of all that each key sealed, in hex, the key in use first. */
  readonly keyIds: readonly string[]
}

export const keyIdLength = 4
const ivLength = 12
const tagLength = 16
const headLength = keyIdLength + ivLength + tagLength

/** The first key seals; all of them open, so that a new one can be put before the old. */
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
