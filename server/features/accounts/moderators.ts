import type pg from 'pg'
import { secretToken } from '#platform/secret.ts'
import { addAccount } from './add.ts'
import type { Role } from './person.ts'

/**
 * What became of it: the account was promoted, was a moderator already, is new (or never set its password) and has a
 * link for that, or is one whose address nobody has confirmed.
 */
export type Promotion =
  | { readonly outcome: 'promoted' | 'already' | 'unconfirmed' }
  | { readonly outcome: 'linked'; readonly token: string }

interface Found {
  readonly id: string
  readonly role: Role
  readonly confirmed: boolean
  readonly has_way_in: boolean
}

/** From the least to the most that each may do. */
const ranks: readonly Role[] = ['writer', 'moderator', 'operator']

/** Makes a moderator of an account, or an account for a moderator. Whoever calls this acts as the owner of the house. */
export async function addModerator(
  owner: pg.ClientBase,
  email: string,
  name: string,
  role: 'moderator' | 'operator',
): Promise<Promotion> {
  const { rows } = await owner.query<Found>(
    `select id, role, email_verified_at is not null as confirmed,
            password_proof is not null or exists (select from app.passkeys k where k.account_id = a.id) as has_way_in
       from app.accounts a where email = $1 for no key update`,
    [email],
  )
  const [found] = rows
  if (!found) return linked(owner, await addAccount(owner, { email, name, role }))
  // Whoever signed up with somebody else's address must not become a moderator by it.
  if (!found.confirmed) return { outcome: 'unconfirmed' }
  const isLess = ranks.indexOf(found.role) < ranks.indexOf(role)
  if (isLess) await owner.query('update app.accounts set role = $2 where id = $1', [found.id, role])
  if (!found.has_way_in) return linked(owner, found.id)
  return { outcome: isLess ? 'promoted' : 'already' }
}

async function linked(owner: pg.ClientBase, account: string): Promise<Promotion> {
  const { token, hash } = secretToken()
  await owner.query('delete from app.mail_tokens where account_id = $1', [account])
  await owner.query(
    `insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
     values ($1, $2, 'reset', now() + interval '24 hours')`,
    [hash, account],
  )
  return { outcome: 'linked', token }
}
