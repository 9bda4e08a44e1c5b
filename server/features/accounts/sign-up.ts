import type pg from 'pg'
import { hashOf } from '#platform/crypto.ts'
import { markDevice } from './client-info.ts'
import type { AccountContext } from './context.ts'
import { readEmail, readName, writerNamed } from './normalize.ts'
import { checkAndHashPassword, hashPassword } from './passwords.ts'
import type { Role } from './sessions.ts'
import { tokenHolder } from './token.ts'

export interface SignUpInput {
  /** From the link in the email: having it proves access to the mailbox. */
  readonly token: string
  readonly name: string
  readonly password: string
}

export interface VerifiedEmail {
  readonly email: string
  /** Marks the browser that opened the link as a known device for the sign-in that follows. */
  readonly device: string
}

/** By the link in the email: confirms the address and makes the person a writer of the site. */
export async function verifyEmail(context: AccountContext, input: SignUpInput): Promise<VerifiedEmail> {
  const name = readName(input.name)
  const { email } = await tokenHolder(context.db, input.token, 'verify')
  const { params, proof } = await checkAndHashPassword(context, input.password, { email, name })
  const { slug, searchText } = writerNamed(name)
  await context.db.run({
    text: 'select app.verify_email($1, $2, $3, $4, $5, $6)',
    values: [hashOf(input.token), params, proof, name, slug, searchText],
  })
  return { email, device: markDevice(context.secrets, email) }
}

export interface NewAccount {
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Omitted if the person gets a link instead. */
  readonly password?: string
}

/** Creates an account with an address that the operator vouches for. Needs a connection as the database owner. */
export async function addAccount(owner: pg.ClientBase, account: NewAccount): Promise<string> {
  const { name, role, password } = account
  const email = readEmail(account.email)
  const hash = password === undefined ? undefined : await hashPassword(password)
  const { rows } = await owner.query<{ id: string }>(
    `insert into app.accounts (email, name, role, password_params, password_proof, email_verified_at)
     values ($1, $2, $3, $4, $5, now()) returning id`,
    [email, name, role, hash?.params ?? null, hash?.proof ?? null],
  )
  return rows[0]!.id
}
