import { enqueue } from '#platform/jobs/jobs.ts'
import { hashOf } from '#platform/secret.ts'
import { readEmail, readName, writerNamed } from './naming.ts'
import { makePassword } from './password.ts'
import { refuseWeakPassword } from './password-rules.ts'
import type { AccountContext } from './settings.ts'
import { tokenHolder } from './token.ts'

export interface Newcomer {
  readonly email: string
  readonly name: string
  /** Left out by whoever will sign in with a passkey. */
  readonly password?: string
}

/** Nothing here depends on whether the address is known: the worker looks, and the letter says which. */
export async function signUp({ db, houseName }: AccountContext, given: Newcomer): Promise<void> {
  const email = readEmail(given.email)
  const name = readName(given.name)
  if (given.password !== undefined) refuseWeakPassword(given.password, { email, name, houseName, hasPasskey: false })
  const kept = given.password === undefined ? undefined : await makePassword(given.password)
  await db.transaction({}, async (tx) => {
    await tx.query('select app.sign_up($1, $2, $3, $4)', [email, name, kept?.params ?? null, kept?.proof ?? null])
    await enqueue(tx, 'account.letter', { email, asked: 'sign_up' })
  })
}

/** By the link in the letter: the address is theirs, and they become a writer of the house. */
export async function verifyEmail({ db }: AccountContext, token: string): Promise<void> {
  const { name } = await tokenHolder(db, token, 'verify')
  const { slug, searchText } = writerNamed(name)
  await db.run({ text: 'select app.verify_email($1, $2, $3)', values: [hashOf(token), slug, searchText] })
}
