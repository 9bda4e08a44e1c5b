import type { Writer } from '#features/accounts/session-user.ts'
import type { DeskContext } from '#platform/context.ts'
import { isUuid } from '#platform/cursor.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { normaliseLineWithin } from '#platform/text/normalise.ts'
import { newKey } from './key.ts'
import { type KeyList, type KeyMinted, longestLife, longestName, type MintKey, scopesOf, usualLife } from './schema.ts'

/** A writer's own keys. The database checks the session, its freshness and how many there are. */

const day = 86_400_000

const advice =
  'Copy the key now: it is not shown again. It is a secret for servers, never for a web page; it makes drafts and cannot publish.'

export async function mintKey(
  { db }: DeskContext,
  writer: Writer,
  { name, expires_at: expires = new Date(Date.now() + usualLife * day).toISOString(), scopes = [] }: MintKey,
): Promise<KeyMinted> {
  const expiresAt = expires === null ? null : endOf(expires)
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
    await enqueue(tx, 'mail', { to: { account: writer.accountId }, letter: 'key-minted', params })
    return { ok: true, id: rows[0]!.id, key, prefix: shownAs(head, tail), advice }
  })
}

/** A time may be written well and be none, as 23:59:60 is, or lie where PostgreSQL does not follow. */
function endOf(expires: string): Date {
  const at = new Date(expires)
  const [life, longest] = [at.getTime() - Date.now(), longestLife * day]
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
    prefix: shownAs(row.head, row.tail),
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }))
  return { ok: true, count: keys.length, keys }
}

export async function revokeKey({ db }: DeskContext, writer: Writer, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound('You have no such key. The list of your keys shows those you have.')
  // Whatever the database's default is: a key that was said to be dead stays so after a fail-over.
  await db.run({
    text: `select set_config('synchronous_commit', 'remote_apply', true), app.revoke_key($1, $2)`,
    values: [writer.sessionHash, id],
  })
}

const shownAs = (head: string, tail: string): string => `${head}…${tail}`
