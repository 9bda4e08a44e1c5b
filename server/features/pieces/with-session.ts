import type { Person } from '#features/accounts/session-user.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { signedOut } from '#platform/db/pg-errors.ts'

/** Work with the rights of this person's session. Row security refuses it from the moment the session ends, also half-way through. */
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

/** Asked where nothing was found: to a session that ended a moment ago nothing is there. */
export async function demandSession(tx: Transaction): Promise<void> {
  const { rows } = await tx.query<{ live: boolean }>(
    'select app.session_writer() is not null or app.session_moderates() as live',
  )
  if (!rows[0]!.live) throw signedOut()
}
