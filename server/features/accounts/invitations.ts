import type pg from 'pg'
import { enqueue } from '#features/jobs.ts'
import type { Urls } from '#features/urls.ts'
import { message } from '#messages/message.ts'
import { secretToken } from '#platform/crypto.ts'
import { isUuid } from '#platform/cursor.ts'
import { notFound } from '#platform/errors.ts'
import type { AccountContext } from './context.ts'
import { readEmail } from './normalize.ts'
import type { InvitationMade, Invitations } from './schema.ts'
import { type Person, type Role, requireProof } from './sessions.ts'
import { addAccount } from './sign-up.ts'

/** Invitation links for sites with restricted sign-up. Each is valid for one account, for two weeks. */

const days = 14
const maxListed = 200

/** Sends the link by email or, without an address, returns it once. */
export async function invite(
  { db, urls }: AccountContext,
  { sessionHash }: Person,
  address: string | null,
): Promise<InvitationMade> {
  const { token, hash } = secretToken()
  const email = address === null ? null : readEmail(address)
  const made = await db.transaction({}, async (tx) => {
    await requireProof(tx, sessionHash, 'recent')
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
  enqueue(tx, 'mail.invited', { email, template: 'invitation', params: { token, days } })

interface Row {
  readonly id: string
  readonly made_by: string | null
  readonly email: string | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly used_at: Date | null
  readonly used_by: string | null
}

/** Valid and used invitations. */
export async function listInvitations({ db }: AccountContext, { sessionHash }: Person): Promise<Invitations> {
  const rows = await db.run<Row>({
    text: 'select * from app.invitations_for_review($1, $2)',
    values: [sessionHash, maxListed],
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
  if (!isUuid(invitation)) throw notFound(message('error.invitation_not_found'))
  await db.run({ text: 'select app.withdraw_invitation($1, $2)', values: [sessionHash, invitation] })
}

/**
 * `promoted`: got the role. `already`: had it, or a higher one. `linked`: is new, or never set a password, and gets a link to
 * do so. `unconfirmed`: its email address is not confirmed.
 */
export type RoleGrant =
  | { readonly outcome: 'promoted' | 'already'; readonly account: string }
  | { readonly outcome: 'linked'; readonly account: string; readonly token: string }
  | { readonly outcome: 'unconfirmed' }

interface AccountRow {
  readonly id: string
  readonly role: Role
  readonly confirmed: boolean
  readonly has_way_in: boolean
}

/** In ascending order of rights. */
const ranks: readonly Role[] = ['writer', 'moderator', 'operator']

/** Gives an account at least this role, creating it if there is none. Needs a connection as the database owner. */
export async function grantRole(owner: pg.ClientBase, email: string, name: string, role: Role): Promise<RoleGrant> {
  const { rows } = await owner.query<AccountRow>(
    `select id, role, email_verified_at is not null as confirmed,
            password_proof is not null or exists (select from app.passkeys k where k.account_id = a.id) as has_way_in
       from app.accounts a where email = $1 for no key update`,
    [email],
  )
  const [account] = rows
  if (!account) return withPasswordLink(owner, await addAccount(owner, { email, name, role }))
  // Someone who signed up with another person's address must gain nothing by it.
  if (!account.confirmed) return { outcome: 'unconfirmed' }
  const isLess = ranks.indexOf(account.role) < ranks.indexOf(role)
  if (isLess) await owner.query('update app.accounts set role = $2 where id = $1', [account.id, role])
  if (!account.has_way_in) return withPasswordLink(owner, account.id)
  return { outcome: isLess ? 'promoted' : 'already', account: account.id }
}

/** Lets the owner of this address sign in as this writer; `taken` if either belongs to another account. */
export async function linkWriterAccount(
  owner: pg.ClientBase,
  slug: string,
  email: string,
): Promise<RoleGrant | { readonly outcome: 'taken' | 'no_writer' }> {
  const { rows } = await owner.query<{ id: string; name: string; account_id: string | null }>(
    'select id, name, account_id from app.writers where slug = $1 for no key update',
    [slug],
  )
  const [writer] = rows
  if (!writer) return { outcome: 'no_writer' }
  const { rows: others } = await owner.query(
    `select from app.accounts a
      where (a.id = $1 and a.email <> $2)
         or (a.email = $2 and exists (select from app.writers w where w.account_id = a.id and w.id <> $3))`,
    [writer.account_id, email, writer.id],
  )
  if (others.length > 0) return { outcome: 'taken' }
  const grant = await grantRole(owner, email, writer.name, 'writer')
  if (grant.outcome !== 'unconfirmed') {
    await owner.query('update app.writers set account_id = $2 where id = $1', [writer.id, grant.account])
  }
  return grant
}

async function withPasswordLink(owner: pg.ClientBase, account: string): Promise<RoleGrant> {
  const { token, hash } = secretToken()
  await owner.query('delete from app.mail_tokens where account_id = $1', [account])
  await owner.query(
    `insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
     values ($1, $2, 'reset', now() + interval '24 hours')`,
    [hash, account],
  )
  return { outcome: 'linked', account, token }
}
