import type pg from 'pg'
import { readEmail } from './normalize.ts'
import { makePassword } from './password.ts'
import type { Role } from './session-user.ts'

export interface NewAccount {
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Left out where a link is given instead. */
  readonly password?: string
}

/** An account whose address the operator vouches for. Whoever calls this acts as the owner of the site. */
export async function addAccount(owner: pg.ClientBase, given: NewAccount): Promise<string> {
  const { name, role, password } = given
  const email = readEmail(given.email)
  const kept = password === undefined ? undefined : await makePassword(password)
  const { rows } = await owner.query<{ id: string }>(
    `insert into app.accounts (email, name, role, password_params, password_proof, email_verified_at)
     values ($1, $2, $3, $4, $5, now()) returning id`,
    [email, name, role, kept?.params ?? null, kept?.proof ?? null],
  )
  return rows[0]!.id
}
