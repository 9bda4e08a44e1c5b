import type { Person } from './person.ts'
import type { AccountContext } from './settings.ts'

/** What the account's own page shows. */
export interface AccountDetails {
  readonly has_password: boolean
  readonly passkeys: number
  readonly drafts_letter: boolean
}

export async function accountOf({ db }: AccountContext, { sessionHash }: Person): Promise<AccountDetails> {
  const [details] = await db.run<AccountDetails>({ text: 'select * from app.account_of($1)', values: [sessionHash] })
  return details!
}

/** Whether a letter comes when one of their keys has made drafts. */
export async function wantDraftsLetter(
  { db }: AccountContext,
  { sessionHash }: Person,
  wanted: boolean,
): Promise<void> {
  await db.run({ text: 'select app.set_drafts_letter($1, $2)', values: [sessionHash, wanted] })
}
