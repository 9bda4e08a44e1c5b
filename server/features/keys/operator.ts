import type pg from 'pg'
import { type NewKey, newKey } from './key.ts'
import { scopesOf } from './schema.ts'

/** What an operator does with keys, without a browser. A key minted here is the same kind of key. */

export async function mintFor(
  owner: pg.ClientBase,
  writerSlug: string,
  name: string,
  expiresAt: Date | null,
  scopes: readonly string[] = scopesOf([]),
): Promise<NewKey | undefined> {
  const minted = newKey()
  const { rowCount } = await owner.query(
    `insert into app.api_keys (writer_id, name, key_hash, head, tail, expires_at, scopes)
     select id, $2, $3, $4, $5, $6, $7 from app.writers where slug = $1`,
    [writerSlug, name, minted.hash, minted.head, minted.tail, expiresAt, scopes],
  )
  return rowCount ? minted : undefined
}

export interface ListedKey {
  readonly id: string
  readonly writer: string
  readonly name: string
  readonly head: string
  readonly tail: string
  readonly scopes: string[]
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}

/** Of one writer, or of all. */
export async function keysFor(owner: pg.ClientBase, writerSlug: string | null): Promise<ListedKey[]> {
  const { rows } = await owner.query<ListedKey>(
    `select k.id, w.slug as writer, k.name, k.head, k.tail, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
       from app.api_keys k join app.writers w on w.id = k.writer_id
      where $1::text is null or w.slug = $1
      order by w.slug, k.created_at desc`,
    [writerSlug],
  )
  return rows
}

/** By its id, by the whole key, or by the beginning that lists show, if only one has it; how many are called that. */
export async function revokeOne(owner: pg.ClientBase, which: string, hash: Buffer): Promise<number> {
  const { rows } = await owner.query<{ id: string }>(
    `select id from app.api_keys
      where revoked_at is null and (id::text = $1 or head = $1 or key_hash = $2) for update`,
    [which, hash],
  )
  if (rows.length === 1) await owner.query('update app.api_keys set revoked_at = now() where id = $1', [rows[0]!.id])
  return rows.length
}
