import { hashOf } from '#platform/secret.ts'
import type { AccountDetails } from './account.ts'
import { tellOf } from './letters.ts'
import { type KeptPassword, makePassword } from './password.ts'
import { type Owner, refuseWeakPassword, standsAlone } from './password-rules.ts'
import type { Person } from './person.ts'
import type { AccountContext } from './settings.ts'
import { tokenHolder } from './token.ts'

/** By the link in the letter. Every session of the account ends. Answers its address. */
export async function resetPassword(context: AccountContext, token: string, password: string): Promise<string> {
  const { email, name, has_passkey: hasPasskey } = await tokenHolder(context.db, token, 'reset')
  const { params, proof, alone } = await newPassword(context, password, { email, name, hasPasskey })
  await context.db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ account: string }>('select app.reset_password($1, $2, $3, $4) as account', [
      hashOf(token),
      params,
      proof,
      alone,
    ])
    await tellOf(tx, 'password-changed', rows[0]!.account)
  })
  return email
}

/** A new password, or a first one. Every other session of the account ends. */
export async function changePassword(
  context: AccountContext,
  { email, name, accountId, sessionHash }: Person,
  { passkeys }: AccountDetails,
  password: string,
): Promise<void> {
  const { params, proof, alone } = await newPassword(context, password, { email, name, hasPasskey: passkeys > 0 })
  await context.db.transaction({}, async (tx) => {
    await tx.query('select app.set_password($1, $2, $3, $4)', [sessionHash, params, proof, alone])
    await tellOf(tx, 'password-changed', accountId)
  })
}

/** As it is kept, unless it is refused; and whether it would do without a passkey beside it. */
export async function newPassword(
  { houseName }: AccountContext,
  password: string,
  given: Omit<Owner, 'houseName'>,
): Promise<KeptPassword & { readonly alone: boolean }> {
  const owner = { ...given, houseName }
  refuseWeakPassword(password, owner)
  return { ...(await makePassword(password)), alone: standsAlone(password, owner) }
}
