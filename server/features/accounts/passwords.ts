import type { Transaction } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { hashOf } from '#platform/secret.ts'
import type { AccountDetails } from './account.ts'
import { readEmail } from './naming.ts'
import { makePassword } from './password.ts'
import { refuseWeakPassword } from './password-rules.ts'
import type { Person } from './person.ts'
import type { AccountContext } from './settings.ts'
import { tokenHolder } from './token.ts'

/** Asks for a letter. Whether there is an account is looked up later, by the worker: nothing here depends on it. */
export async function askForReset({ db }: AccountContext, given: string): Promise<void> {
  await db.transaction({}, (tx) => enqueue(tx, 'account.letter', { email: readEmail(given), asked: 'reset' }))
}

/** By the link in the letter. Every session of the account ends. */
export async function resetPassword(context: AccountContext, token: string, password: string): Promise<void> {
  const { email, name, has_passkey } = await tokenHolder(context.db, token, 'reset')
  refuseWeakPassword(password, { email, name, houseName: context.houseName, hasPasskey: has_passkey })
  const { params, proof } = await makePassword(password)
  await context.db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ account: string }>('select app.reset_password($1, $2, $3) as account', [
      hashOf(token),
      params,
      proof,
    ])
    await tellOfChange(tx, rows[0]!.account)
  })
}

/** A new password, or a first one. Every other session of the account ends. */
export async function changePassword(
  context: AccountContext,
  person: Person,
  { passkeys }: AccountDetails,
  password: string,
): Promise<void> {
  const { email, name, accountId, sessionHash } = person
  refuseWeakPassword(password, { email, name, houseName: context.houseName, hasPasskey: passkeys > 0 })
  const { params, proof } = await makePassword(password)
  await context.db.transaction({}, async (tx) => {
    await tx.query('select app.set_password($1, $2, $3)', [sessionHash, params, proof])
    await tellOfChange(tx, accountId)
  })
}

const tellOfChange = (tx: Transaction, account: string) =>
  enqueue(tx, 'mail', { letter: 'password-changed', params: { at: new Date().toISOString() }, to: { account } })
