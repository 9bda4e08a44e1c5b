import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { hashOf } from '#platform/secret.ts'

declare const signedInAtTheDesk: unique symbol

export type Role = 'writer' | 'moderator' | 'operator'

/** Somebody at the desk, known by a live session. Only `findPerson` makes one, and only the desk's door calls it. */
export interface Person {
  readonly [signedInAtTheDesk]: true
  readonly accountId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly sessionId: string
  readonly sessionHash: Buffer
  /** Signed in, or confirmed that it is them, in the last ten minutes. */
  readonly fresh: boolean
  /** Null for moderators and operators who write nothing. */
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

/** Who holds this token, if their session is live. */
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
