import type pg from 'pg'
import type { PublishProof } from '#config/config.ts'
import { hashOf } from '#platform/crypto.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { signedOut } from '#platform/db/pg-errors.ts'
import { statement } from '#platform/db/statement.ts'
import type { AccountContext } from './context.ts'

export interface ListedSession {
  readonly id: string
  readonly user_agent: string | null
  readonly address: string | null
  readonly created_at: Date
  readonly last_seen_at: Date
  readonly expires_at: Date
  readonly is_this_one: boolean
}

export const listSessions = ({ db }: AccountContext, { sessionHash }: Person): Promise<ListedSession[]> =>
  db.run<ListedSession>({ text: 'select * from app.sessions_of($1)', values: [sessionHash] })

export async function endSession({ db }: AccountContext, { sessionHash }: Person, id: string): Promise<void> {
  await db.run({ text: 'select app.end_session($1, $2)', values: [sessionHash, isUuid(id) ? id : null] })
}

/** Returns how many there were. */
export async function endOtherSessions({ db }: AccountContext, { sessionHash }: Person): Promise<number> {
  const [answer] = await db.run<{ ended: number }>({
    text: 'select app.end_other_sessions($1) as ended',
    values: [sessionHash],
  })
  return answer!.ended
}

/**
 * Refuses a session that was not authenticated recently enough, or not by passkey. Moderators need more than the setting
 * demands. `nonce` is that of the revision to publish: if the setting demands a passkey, it must have been used for it.
 */
export async function requireProof(
  tx: Transaction,
  sessionHash: Buffer,
  proof: PublishProof,
  nonce?: string,
): Promise<void> {
  await tx.query('select app.demand_proof($1, $2, $3)', [
    sessionHash,
    proof,
    nonce === undefined ? null : hashOf(nonce),
  ])
}

/** Ends the session of this token; does nothing if it has ended already. */
export async function signOut({ db }: AccountContext, sessionToken: string): Promise<void> {
  await db.run({ text: 'select app.sign_out($1)', values: [hashOf(sessionToken)] })
}

declare const signedIn: unique symbol

export type Role = 'writer' | 'moderator' | 'operator'

/** A signed-in user with a live session. Only `findPerson` creates one, and only the desk API calls it. */
export interface Person {
  readonly [signedIn]: true
  readonly accountId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly sessionId: string
  readonly sessionHash: Buffer
  /** Signed in or re-authenticated in the last ten minutes. */
  readonly fresh: boolean
  /** Null for moderators and operators who are no writers. */
  readonly writer: { readonly id: string; readonly slug: string } | null
}

export interface Writer extends Person {
  readonly writer: { readonly id: string; readonly slug: string }
}

interface Row {
  readonly account_id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly session_id: string
  readonly fresh: boolean
  readonly writer_id: string | null
  readonly writer_slug: string | null
}

const personBySession = statement.raw<{ sessionHash: Buffer }, Row>(
  'person_by_session',
  'select * from app.person($1)',
  ['sessionHash'],
)

/** The user of this session token, if the session is live. */
export async function findPerson(db: Database, sessionToken: string): Promise<Person | undefined> {
  const sessionHash = hashOf(sessionToken)
  const [row] = await db.query(personBySession, { sessionHash })
  if (!row) return undefined
  return {
    accountId: row.account_id,
    email: row.email,
    name: row.name,
    role: row.role,
    sessionId: row.session_id,
    sessionHash,
    fresh: row.fresh,
    writer: row.writer_id && row.writer_slug ? { id: row.writer_id, slug: row.writer_slug } : null,
  } as Person
}

// Operator commands, from the command line. They return undefined if no account has the address.

const selectAccount = 'select id from app.accounts where email = $1 for update'

/** Returns how many sessions there were. */
export async function endSessionsOf(owner: pg.ClientBase, email: string): Promise<number | undefined> {
  const { rows } = await owner.query<{ id: string }>(selectAccount, [email])
  if (!rows[0]) return undefined
  const ended = await owner.query(
    `update app.sessions set revoked_at = clock_timestamp()
      where account_id = $1 and revoked_at is null and expires_at > clock_timestamp()`,
    [rows[0].id],
  )
  return ended.rowCount ?? 0
}

/** Disables an account: its sessions and keys stop working and none can be created. Enabling restores those not expired meanwhile. */
export async function setBarred(owner: pg.ClientBase, email: string, isBarred: boolean): Promise<boolean | undefined> {
  const { rows } = await owner.query<{ id: string }>(selectAccount, [email])
  if (!rows[0]) return undefined
  const changed = await owner.query(
    `update app.accounts set disabled_at = case when $2 then clock_timestamp() end
      where id = $1 and (disabled_at is not null) <> $2`,
    [rows[0].id, isBarred],
  )
  return changed.rowCount === 1
}

/** Runs a transaction with the rights of this session. Row security refuses everything from the moment the session ends, even half-way. */
export async function withSession<T>(
  db: Database,
  { sessionHash }: Person,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction({ 'app.session_hash': sessionHash }, work)
  } catch (error) {
    throw (error as { code?: string }).code === insufficientPrivilege ? signedOut() : error
  }
}

const insufficientPrivilege = '42501'

/** To call when no row was found: row security hides all rows from a session that has just ended. */
export async function requireSession(tx: Transaction): Promise<void> {
  const { rows } = await tx.query<{ live: boolean }>(
    'select app.session_writer() is not null or app.session_moderates() as live',
  )
  if (!rows[0]!.live) throw signedOut()
}
