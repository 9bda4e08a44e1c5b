import type { PublishProof } from '#platform/config.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { hashOf } from '#platform/secret.ts'
import type { AccountContext } from './context.ts'
import type { Person } from './session-user.ts'

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

/** How many there were. */
export async function endOtherSessions({ db }: AccountContext, { sessionHash }: Person): Promise<number> {
  const [answer] = await db.run<{ ended: number }>({
    text: 'select app.end_other_sessions($1) as ended',
    values: [sessionHash],
  })
  return answer!.ended
}

/**
 * Refuses a session whose person was not known lately enough, or not by passkey. Moderators need more than the setting
 * says. `nonce` is that of the text to publish: a passkey must have been shown for it where the setting asks for one.
 */
export async function demandProof(
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

/** Ends the session of this token, live or not. */
export async function signOut({ db }: AccountContext, sessionToken: string): Promise<void> {
  await db.run({ text: 'select app.sign_out($1)', values: [hashOf(sessionToken)] })
}
