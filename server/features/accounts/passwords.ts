import { isUuid } from '#platform/cursor.ts'
import { invalid } from '#platform/errors.ts'
import { hashOf } from '#platform/secret.ts'
import { placeOf, type Visitor } from './client-info.ts'
import type { AccountContext } from './context.ts'
import { tellOf } from './mail.ts'
import { type KeptPassword, makePassword } from './password.ts'
import { type Owner, refuseWeakPassword } from './password-rules.ts'
import type { Person } from './session-user.ts'
import { tokenHolder } from './token.ts'

export interface Reset {
  readonly token: string
  readonly password: string
  /** Passkeys, keys and private links that the owner does not know. */
  readonly remove?: readonly string[]
}

/** By the link in an email. Every session ends, and whatever waited to be confirmed. Answers the account's address. */
export async function resetPassword(
  context: AccountContext,
  { token, password, remove = [] }: Reset,
  visitor: Visitor,
): Promise<string> {
  const { email, name } = await tokenHolder(context.db, token, 'reset')
  const { params, proof } = await newPassword(context, password, { email, name })
  await context.db.transaction(placeOf(visitor), async (tx) => {
    const { rows } = await tx.query<{ account: string }>('select app.reset_password($1, $2, $3, $4) as account', [
      hashOf(token),
      params,
      proof,
      remove.filter(isUuid),
    ])
    await tellOf(tx, 'password-changed', rows[0]!.account)
  })
  return email
}

/** A new password, or a first one. Every other session of the account ends, and whatever waited to be confirmed. */
export async function changePassword(
  context: AccountContext,
  { email, name, accountId, sessionHash }: Person,
  password: string,
): Promise<void> {
  const { params, proof } = await newPassword(context, password, { email, name })
  await context.db.transaction({}, async (tx) => {
    await tx.query('select app.set_password($1, $2, $3)', [sessionHash, params, proof])
    await tellOf(tx, 'password-changed', accountId)
  })
}

/** As it is kept, unless it is refused. */
export async function newPassword(
  { siteName, breached }: AccountContext,
  password: string,
  given: Omit<Owner, 'siteName'>,
): Promise<KeptPassword> {
  refuseWeakPassword(password, { ...given, siteName })
  if (await breached.has(password)) {
    const detail = 'was published in a breach of another site, so it is tried first; choose another'
    throw invalid([{ pointer: '/password', code: 'guessable', detail }])
  }
  return makePassword(password)
}
