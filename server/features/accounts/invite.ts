import type pg from 'pg'
import { secretToken } from '#platform/secret.ts'
import { addAccount } from './add.ts'
import type { Role } from './session-user.ts'

/**
 * What became of it: the account was promoted, was as much already, is new (or never set its password) and has a link
 * for that, or is one whose address nobody has confirmed.
 */
export type Admission =
  | { readonly outcome: 'promoted' | 'already'; readonly account: string }
  | { readonly outcome: 'linked'; readonly account: string; readonly token: string }
  | { readonly outcome: 'unconfirmed' }

interface Found {
  readonly id: string
  readonly role: Role
  readonly confirmed: boolean
  readonly has_way_in: boolean
}

/** From the least to the most that each may do. */
const ranks: readonly Role[] = ['writer', 'moderator', 'operator']

/** Gives an account at least this role, or makes one that has it. Whoever calls this acts as the owner of the site. */
export async function admit(owner: pg.ClientBase, email: string, name: string, role: Role): Promise<Admission> {
  const { rows } = await owner.query<Found>(
    `select id, role, email_verified_at is not null as confirmed,
            password_proof is not null or exists (select from app.passkeys k where k.account_id = a.id) as has_way_in
       from app.accounts a where email = $1 for no key update`,
    [email],
  )
  const [found] = rows
  if (!found) return linked(owner, await addAccount(owner, { email, name, role }))
  // Whoever signed up with somebody else's address must get nothing by it.
  if (!found.confirmed) return { outcome: 'unconfirmed' }
  const isLess = ranks.indexOf(found.role) < ranks.indexOf(role)
  if (isLess) await owner.query('update app.accounts set role = $2 where id = $1', [found.id, role])
  if (!found.has_way_in) return linked(owner, found.id)
  return { outcome: isLess ? 'promoted' : 'already', account: found.id }
}

/** Lets somebody sign in as a writer; `taken` where either is somebody else's already. */
export async function admitWriter(
  owner: pg.ClientBase,
  slug: string,
  email: string,
): Promise<Admission | { readonly outcome: 'taken' | 'no_writer' }> {
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
  const admission = await admit(owner, email, writer.name, 'writer')
  if (admission.outcome !== 'unconfirmed') {
    await owner.query('update app.writers set account_id = $2 where id = $1', [writer.id, admission.account])
  }
  return admission
}

async function linked(owner: pg.ClientBase, account: string): Promise<Admission> {
  const { token, hash } = secretToken()
  await owner.query('delete from app.mail_tokens where account_id = $1', [account])
  await owner.query(
    `insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
     values ($1, $2, 'reset', now() + interval '24 hours')`,
    [hash, account],
  )
  return { outcome: 'linked', account, token }
}
