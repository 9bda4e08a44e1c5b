import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { hashOf } from '#platform/crypto.ts'
import { ServiceError } from '#platform/errors.ts'

/** `pk_live_`, 56 random hex digits and an 8-digit checksum, by which secret scanners recognise a real key. */
const prefix = 'pk_live_'

export interface NewKey {
  /** Shown once, stored nowhere. */
  readonly key: string
  readonly hash: Buffer
  /** The parts that lists show. */
  readonly head: string
  readonly tail: string
}

export function newKey(): NewKey {
  const unchecked = prefix + randomBytes(28).toString('hex')
  const key = unchecked + checksum(unchecked)
  return { key, hash: hashOf(key), head: key.slice(0, 12), tail: key.slice(-4) }
}

/** Whether a secret scanner would take it for one of ours. Grants nothing. */
export const isWellFormedKey = (text: string): boolean =>
  /^pk_live_[0-9a-f]{64}$/.test(text) && text.endsWith(checksum(text.slice(0, -8)))

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')

export const invalidKey = () =>
  new ServiceError(
    403,
    'invalid_key',
    'This key is unknown, revoked or expired. Create one at /desk/edit/online-presence#api-keys.',
    {
      headers: { 'www-authenticate': 'Bearer realm="api", error="invalid_token"' },
    },
  )

/**
 * A valid key without the required scope. `why` continues the sentence after "needs the scope …", as in "to change
 * drafts it did not make".
 */
export const insufficientScope = (scope: string, why: string) =>
  new ServiceError(
    403,
    'insufficient_scope',
    `This key needs the scope ${scope} ${why}. Create one that has it at /desk/edit/online-presence#api-keys.`,
    { headers: { 'www-authenticate': `Bearer realm="api", error="insufficient_scope", scope="${scope}"` } },
  )
