import type pg from 'pg'
import type { Writer } from '#features/accounts/sessions.ts'
import type { DeskContext, WriteContext } from '#features/context.ts'
import { enqueue } from '#features/jobs.ts'
import { message } from '#messages/message.ts'
import { hashOf } from '#platform/crypto.ts'
import { isUuid } from '#platform/cursor.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { normaliseLineWithin } from '#platform/text/normalise.ts'
import { type NewKey, newKey } from './key.ts'
import {
  defaultLifeDays,
  type KeyList,
  type KeyMinted,
  type LeakedKeys,
  longestName,
  type MintKey,
  maxLifeDays,
  scopesOf,
} from './schema.ts'

/** A writer's own API keys. The database checks the session, how recent its sign-in is, and the number of keys. */

const day = 86_400_000

export async function mintKey(
  { db }: DeskContext,
  writer: Writer,
  { name, expires_at: expires = new Date(Date.now() + defaultLifeDays * day).toISOString(), scopes = [] }: MintKey,
): Promise<KeyMinted> {
  const expiresAt = expires === null ? null : parseExpiry(expires)
  const { key, hash, head, tail } = newKey()
  return db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ id: string }>('select app.mint_key($1, $2, $3, $4, $5, $6, $7) as id', [
      writer.sessionHash,
      normaliseLineWithin(name, longestName),
      hash,
      head,
      tail,
      scopesOf(scopes),
      expiresAt,
    ])
    const params = { key: head, at: new Date().toISOString() }
    await enqueue(tx, 'mail', { to: { account: writer.accountId }, template: 'key-minted', params })
    return { ok: true, id: rows[0]!.id, key, prefix: maskedKey(head, tail) }
  })
}

/** Passing the format check is not enough: 23:59:60 is no time, and some are out of PostgreSQL's range. */
function parseExpiry(expires: string): Date {
  const at = new Date(expires)
  const [life, longest] = [at.getTime() - Date.now(), maxLifeDays * day]
  if (life > 0 && life <= longest) return at
  throw invalid([
    {
      pointer: '/expires_at',
      code: 'out_of_range',
      detail: 'must be a time between now and a hundred years from now, such as 2030-01-31T12:00:00Z',
    },
  ])
}

interface KeyRow {
  readonly id: string
  readonly name: string
  readonly head: string
  readonly tail: string
  readonly scopes: string[]
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}

export async function listKeys({ db }: DeskContext, writer: Writer): Promise<KeyList> {
  const rows = await db.run<KeyRow>({ text: 'select * from app.keys_of($1)', values: [writer.sessionHash] })
  const keys = rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: maskedKey(row.head, row.tail),
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }))
  return { ok: true, count: keys.length, keys }
}

export async function revokeKey({ db }: DeskContext, writer: Writer, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound(message('error.key_not_found'))
  // Whatever the default is: a key reported as revoked must stay revoked after a failover.
  await db.run({
    text: `select set_config('synchronous_commit', 'remote_apply', true), app.revoke_key($1, $2)`,
    values: [writer.sessionHash, id],
  })
}

const maskedKey = (head: string, tail: string): string => `${head}…${tail}`

// Operator commands, from the command line. The keys are of the same kind.

export async function mintKeyAsOwner(
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

export interface ListedKey extends KeyRow {
  readonly writer: string
}

/** Keys of one writer, or of all. */
export async function listKeysAsOwner(owner: pg.ClientBase, writerSlug: string | null): Promise<ListedKey[]> {
  const { rows } = await owner.query<ListedKey>(
    `select k.id, w.slug as writer, k.name, k.head, k.tail, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
       from app.api_keys k join app.writers w on w.id = k.writer_id
      where $1::text is null or w.slug = $1
      order by w.slug, k.created_at desc`,
    [writerSlug],
  )
  return rows
}

/** By id, by the whole key, or by the prefix that lists show. Revokes only if exactly one matches; returns the number of matches. */
export async function revokeKeyAsOwner(owner: pg.ClientBase, which: string, hash: Buffer): Promise<number> {
  const { rows } = await owner.query<{ id: string }>(
    `select id from app.api_keys
      where revoked_at is null and (id::text = $1 or head = $1 or key_hash = $2) for update`,
    [which, hash],
  )
  if (rows.length === 1) await owner.query('update app.api_keys set revoked_at = now() where id = $1', [rows[0]!.id])
  return rows.length
}

/** Revokes reported tokens that are our keys. The rest of the report is not stored. */
export async function reportLeakedKeys({ db }: WriteContext, found: LeakedKeys): Promise<void> {
  await db.run({
    text: 'select app.report_leaked_keys($1)',
    values: [found.map(({ token }) => hashOf(token))],
  })
}
