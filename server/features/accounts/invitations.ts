import type pg from 'pg'
import { isUuid } from '#platform/cursor.ts'
import { notFound } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { secretToken } from '#platform/secret.ts'
import type { Urls } from '#platform/urls.ts'
import type { AccountContext } from './context.ts'
import type { InvitationMade, Invitations } from './invitations-schema.ts'
import { readEmail } from './normalize.ts'
import type { Person } from './session-user.ts'
import { demandProof } from './sessions.ts'

/** Links by which somebody signs up where not everybody may: for one account each, for two weeks. */

const days = 14
const mostListed = 200

/** By email, or as a link that is shown once. */
export async function invite(
  { db, urls }: AccountContext,
  { sessionHash }: Person,
  given: string | null,
): Promise<InvitationMade> {
  const { token, hash } = secretToken()
  const email = given === null ? null : readEmail(given)
  const made = await db.transaction({}, async (tx) => {
    await demandProof(tx, sessionHash, 'recent')
    const { rows } = await tx.query<{ id: string; expires_at: Date }>('select * from app.desk_invite($1, $2, $3)', [
      sessionHash,
      hash,
      email,
    ])
    if (email) await send(tx, email, token)
    return rows[0]!
  })
  const url = email ? null : urls.invitation(token)
  return { ok: true, invitation: { id: made.id, expires_at: made.expires_at.toISOString(), url } }
}

/** By the operator, from the command line. */
export async function inviteAsOwner(owner: pg.ClientBase, urls: Urls, email: string | null): Promise<string> {
  const { token, hash } = secretToken()
  await owner.query('insert into app.invitations (token_hash, email) values ($1, $2)', [hash, email])
  if (email) await send(owner, email, token)
  return urls.invitation(token)
}

const send = (tx: Parameters<typeof enqueue>[0], email: string, token: string) =>
  enqueue(tx, 'mail.invited', { email, letter: 'invitation', params: { token, days } })

interface Row {
  readonly id: string
  readonly made_by: string | null
  readonly email: string | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly used_at: Date | null
  readonly used_by: string | null
}

/** Those that work, and those that were used. */
export async function listInvitations({ db }: AccountContext, { sessionHash }: Person): Promise<Invitations> {
  const rows = await db.run<Row>({
    text: 'select * from app.invitations_for_review($1, $2)',
    values: [sessionHash, mostListed],
  })
  const invitations = rows.map(({ created_at, expires_at, used_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    used_at: used_at?.toISOString() ?? null,
  }))
  return { ok: true, count: invitations.length, invitations }
}

export async function withdrawInvitation(
  { db }: AccountContext,
  { sessionHash }: Person,
  invitation: string,
): Promise<void> {
  if (!isUuid(invitation)) throw notFound('There is no such invitation, or it was used already.')
  await db.run({ text: 'select app.withdraw_invitation($1, $2)', values: [sessionHash, invitation] })
}
