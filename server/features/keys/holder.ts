import type { Database, Transaction } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { invalidKey } from '#platform/errors.ts'

declare const heldAKey: unique symbol

/** Whoever sent a live key. Nothing that publishes takes one. */
export interface KeyHolder {
  readonly [heldAKey]: true
  readonly keyId: string
  readonly keyHash: Buffer
  readonly writerId: string
  readonly scopes: readonly string[]
  /** The address of the public profile, once there is one. */
  readonly profileSlug: string | null
}

interface HolderRow {
  readonly key_id: string
  readonly writer_id: string
  readonly scopes: string[]
  readonly profile_slug: string | null
}

const holderOfKey = statement.raw<{ keyHash: Buffer }, HolderRow>('holder_of_key', 'select * from app.key_holder($1)', [
  'keyHash',
])

/** Asked of the primary for every request: a revoked key stops with the next one. */
export async function findHolder(db: Database, keyHash: Buffer): Promise<KeyHolder | undefined> {
  const [row] = await db.query(holderOfKey, { keyHash })
  if (!row) return undefined
  const { key_id: keyId, writer_id: writerId, scopes, profile_slug: profileSlug } = row
  return { keyId, keyHash, writerId, scopes, profileSlug } as unknown as KeyHolder
}

/** Work with the rights of this key. Row security refuses it from the moment the key is revoked, also half-way through. */
export function withKey<T>(db: Database, { keyHash }: KeyHolder, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return orInvalidKey(db.transaction({ 'app.key_hash': keyHash }, work))
}

const insufficientPrivilege = '42501'

export async function orInvalidKey<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw (error as { code?: string }).code === insufficientPrivilege ? invalidKey() : error
  }
}
