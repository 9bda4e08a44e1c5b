import type { Database, Transaction } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { invalidKey } from './key.ts'

declare const authenticatedByKey: unique symbol

/** A client that sent a valid API key. No function that publishes accepts one. */
export interface KeyHolder {
  readonly [authenticatedByKey]: true
  readonly keyId: string
  readonly keyHash: Buffer
  readonly writerId: string
  readonly scopes: readonly string[]
}

interface HolderRow {
  readonly key_id: string
  readonly writer_id: string
  readonly scopes: string[]
}

const holderOfKey = statement.raw<{ keyHash: Buffer }, HolderRow>('holder_of_key', 'select * from app.key_holder($1)', [
  'keyHash',
])

const noteDeadKey = statement.raw<{ keyHash: Buffer }, object>('note_dead_key', 'select app.note_dead_key($1)', [
  'keyHash',
])

/** Looked up on the primary for every request, so a revoked key fails at once; its writer sees that it was used. */
export async function findHolder(db: Database, keyHash: Buffer): Promise<KeyHolder | undefined> {
  const [row] = await db.query(holderOfKey, { keyHash })
  if (!row) {
    await db.query(noteDeadKey, { keyHash })
    return undefined
  }
  const { key_id: keyId, writer_id: writerId, scopes } = row
  return { keyId, keyHash, writerId, scopes } as unknown as KeyHolder
}

const cacheMilliseconds = 5_000
const maxCached = 1_000

/**
 * A cache of keys that were valid a moment ago. Only for work whose own transaction is refused by the database once the key
 * is revoked, where another lookup would add nothing.
 */
export class KeyCache {
  readonly #entries = new Map<string, { holder: KeyHolder; until: number }>()

  get(keyHash: Buffer): KeyHolder | undefined {
    const entry = this.#entries.get(keyHash.toString('latin1'))
    return entry && entry.until > Date.now() ? entry.holder : undefined
  }

  set(holder: KeyHolder): void {
    if (this.#entries.size >= maxCached) this.#entries.clear()
    this.#entries.set(holder.keyHash.toString('latin1'), { holder, until: Date.now() + cacheMilliseconds })
  }

  delete({ keyHash }: KeyHolder): void {
    this.#entries.delete(keyHash.toString('latin1'))
  }
}

/** Runs a transaction with the rights of this key. Row security refuses everything from the moment the key is revoked, even half-way. */
export function withKey<T>(db: Database, { keyHash }: KeyHolder, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return orInvalidKey(db.transaction({ 'app.key_hash': keyHash }, work))
}

/** To call when no row was found: row security hides all rows from a key that has just been revoked. */
export async function requireKey(tx: Transaction): Promise<void> {
  const { rows } = await tx.query<{ writer: string | null }>('select app.key_writer() as writer')
  if (!rows[0]?.writer) throw invalidKey()
}

const insufficientPrivilege = '42501'

export async function orInvalidKey<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw (error as { code?: string }).code === insufficientPrivilege ? invalidKey() : error
  }
}
