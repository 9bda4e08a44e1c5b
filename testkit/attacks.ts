import pg from 'pg'
import { hashOf, secretToken } from '../server/platform/crypto.ts'
import { testDatabase } from './database.ts'
import { asDesk, inTransaction, makeDraft, makeKey, makePiece, makeWriter, unpublish } from './factories.ts'

/** A site to attack: pieces, sessions and nonces that are valid, and one invalid of each kind. */
export async function makeAttackSite() {
  const { url, admin } = await testDatabase()
  const [me, other, barred] = [await makeWriter(admin), await makeWriter(admin), await makeWriter(admin)]
  const pieces = {
    draft: await makeDraft(admin, me, { headline: 'Mine, unfinished' }),
    live: await makePiece(admin, me, { headline: 'Mine, public' }),
    hidden: await makePiece(admin, me, { headline: 'Mine, public once' }),
    edited: await makeDraft(admin, me),
    held: await makeDraft(admin, me),
    scheduled: await makeDraft(admin, me, { headline: 'Mine, scheduled' }),
    theirs: await makeDraft(admin, other, { headline: 'Theirs, unfinished' }),
    theirsScheduled: await makeDraft(admin, other, { headline: 'Theirs, scheduled' }),
    /** To which I am invited, and from which I was removed. */
    inviting: await makeDraft(admin, other, { headline: 'Theirs, to sign' }),
    removed: await makeDraft(admin, other, { headline: 'Theirs, without me' }),
    barred: await makeDraft(admin, barred),
  }
  await unpublish(admin, me, pieces.hidden)
  await admin.query(
    `insert into app.co_authors (piece_id, writer_id, invited_by, position, removed_at)
     values ($1, $3, $4, 1, null), ($2, $3, $4, 1, now())`,
    [pieces.inviting, pieces.removed, me.id, other.id],
  )
  await admin.query('insert into app.piece_reads values ($1, $2, 5)', [pieces.theirs, other.id])
  await admin.query("insert into app.piece_sources values ($1, $2, '2026-01-01', 'news.example', 5)", [
    pieces.theirs,
    other.id,
  ])
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query('update app.pieces set review_required = true where id = $1', [pieces.held])
  })

  async function session(given: { expires?: string; revoked?: boolean }) {
    const { token, hash } = secretToken()
    const { rows } = await admin.query<{ id: string }>(
      `insert into app.sessions (account_id, token_hash, expires_at, revoked_at)
       values ($1, $2, now() + $3::interval, case when $4 then now() end) returning id`,
      [me.accountId, hash, given.expires ?? '1 day', given.revoked ?? false],
    )
    return { token, id: rows[0]!.id }
  }
  const expired = await session({ expires: '-1 second' })
  const revoked = await session({ revoked: true })

  async function nonce(piece: string, sessionId: string, given: { expires?: string; used?: boolean } = {}) {
    const { token, hash } = secretToken()
    await admin.query(
      `insert into app.publish_nonces (nonce_hash, piece_id, revision, session_id, expires_at, used_at)
       select $1, id, revision, $3, now() + $4::interval, case when $5 then now() end from app.pieces where id = $2`,
      [hash, piece, sessionId, given.expires ?? '10 minutes', given.used ?? false],
    )
    return token
  }
  const nonces = {
    good: await nonce(pieces.draft, me.sessionId),
    ofLive: await nonce(pieces.live, me.sessionId),
    ofHeld: await nonce(pieces.held, me.sessionId),
    ofEdited: await nonce(pieces.edited, me.sessionId),
    ofTheirs: await nonce(pieces.theirs, me.sessionId),
    ofBarred: await nonce(pieces.barred, barred.sessionId),
    used: await nonce(pieces.draft, me.sessionId, { used: true }),
    late: await nonce(pieces.draft, me.sessionId, { expires: '-1 second' }),
    ofOther: await nonce(pieces.draft, other.sessionId),
    ofExpired: await nonce(pieces.draft, expired.id),
    ofRevoked: await nonce(pieces.draft, revoked.id),
  }
  await asDesk(admin, me, (client) =>
    client.query("update app.pieces set body_md = 'Not what was shown.' where id = $1", [pieces.edited]),
  )
  for (const [writer, piece] of [
    [me, pieces.scheduled],
    [other, pieces.theirsScheduled],
  ] as const) {
    const shown = hashOf(await nonce(piece, writer.sessionId))
    await asDesk(admin, writer, (client) =>
      client.query(
        `select app.desk_schedule($1, $2, $3, row('s', 'Summary', '<p>Text</p>', 'Text', 'h', '', 'text')::app.rendering,
                                  now() + interval '1 day')`,
        [piece, hashOf(writer.sessionToken), shown],
      ),
    )
  }
  await admin.query('update app.accounts set disabled_at = now() where id = $1', [barred.accountId])
  const key = await makeKey(admin, me)
  /** What a connection that acts for me sets. */
  const acting = {
    'app.key_hash': key.hash.toString('hex'),
    'app.session_hash': hashOf(me.sessionToken).toString('hex'),
  }
  return { url, admin, me, other, barred, expired, revoked, pieces, nonces, acting }
}

export type AttackSite = Awaited<ReturnType<typeof makeAttackSite>>

/** The receipt a publication needs in its transaction; its signature is not valid. */
export const signing = (piece: string): string =>
  `select app.sign_receipt('${piece}', repeat('0', 64), sha256('r'), repeat('k', 43), sha256('k'), sha256('s') || sha256('s'))`

/** The SQLSTATE of insufficient_privilege. */
export const noRight = '42501'
export const noRow = 'no row'
export const through = 'went through'

export interface Attack {
  readonly name: string
  readonly as: string
  readonly sql: string
  /** An SQLSTATE, or `noRow`. */
  readonly outcome: string
}

/** Attacks by one role with one outcome, by name. */
export const by = (as: string, outcome: string, statements: Record<string, string>): Attack[] =>
  Object.entries(statements).map(([name, sql]) => ({ name, as, sql, outcome }))

/** The hash of a secret, as the functions take it. */
export const hash = (secret: string | null): string =>
  secret === null ? 'null' : `'\\x${hashOf(secret).toString('hex')}'::bytea`

/**
 * Tries SQL, and tells the SQLSTATE that refused it, `noRow` or `through`. `as` is a role that a superuser's
 * connection takes on ("svc_api"), a role that signs in by itself ("svc_api itself"), or "superuser".
 */
export async function attempt(
  databaseUrl: string,
  as: string,
  sql: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const [role = '', itself] = as.split(' ')
  const url = new URL(databaseUrl)
  if (itself) url.username = role
  // An attacker can change a role's settings: only privileges count.
  const free = { default_transaction_read_only: 'off', ...settings }
  const all = itself || role === 'superuser' ? free : { ...free, role }
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)
  const client = new pg.Client({ connectionString: url.href, options: options.join(' ') })
  await client.connect()
  try {
    const last = [await client.query(sql)].flat().at(-1)
    return last?.rowCount === 0 ? noRow : through
  } catch (error) {
    return (error as pg.DatabaseError).code ?? String(error)
  } finally {
    await client.end()
  }
}

/** Every row of schemas app and pub, by table. */
export async function allRows(admin: pg.Pool): Promise<Record<string, string[]>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('app', 'pub')",
  )
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await admin.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)
    found[name] = rows.map(({ row }) => row)
  }
  return found
}
