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

/** Asked of the primary for every request: a revoked key stops with the next one, and its writer reads that it was used. */
export async function findHolder(db: Database, keyHash: Buffer): Promise<KeyHolder | undefined> {
  const [row] = await db.query(holderOfKey, { keyHash })
  if (!row) {
    await db.query(noteDeadKey, { keyHash })
    return undefined
  }
  const { key_id: keyId, writer_id: writerId, scopes } = row
  return { keyId, keyHash, writerId, scopes } as unknown as KeyHolder
}

const remembered = 5_000
const mostRemembered = 1_000

/**
 * Holders of keys that were live a moment ago. Only for work that the database refuses by itself once the key is
 * revoked, in the very transaction that does it: there a second look-up would tell nothing more.
 */
export class KeyRing {
  readonly #seen = new Map<string, { holder: KeyHolder; until: number }>()

  recall(keyHash: Buffer): KeyHolder | undefined {
    const kept = this.#seen.get(keyHash.toString('latin1'))
    return kept && kept.until > Date.now() ? kept.holder : undefined
  }

  remember(holder: KeyHolder): void {
    if (this.#seen.size >= mostRemembered) this.#seen.clear()
    this.#seen.set(holder.keyHash.toString('latin1'), { holder, until: Date.now() + remembered })
  }

  forget({ keyHash }: KeyHolder): void {
    this.#seen.delete(keyHash.toString('latin1'))
  }
}

/** Work with the rights of this key. Row security refuses it from the moment the key is revoked, also half-way through. */
export function withKey<T>(db: Database, { keyHash }: KeyHolder, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return orInvalidKey(db.transaction({ 'app.key_hash': keyHash }, work))
}

/** Asked where nothing was found: to a key that was revoked a moment ago nothing is there. */
export async function demandKey(tx: Transaction): Promise<void> {
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
