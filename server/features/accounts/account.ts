import type { AccountContext } from './context.ts'
import type { Person } from './session-user.ts'

/** What the account's own page shows. */
export interface AccountDetails {
  readonly has_password: boolean
  readonly passkeys: number
  readonly drafts_letter: boolean
  /** Asked for, and not yet confirmed. */
  readonly wanted_email: string | null
  readonly wanted_at: Date | null
  /** Changed, and to be undone until then. */
  readonly former_email: string | null
  readonly undo_until: Date | null
  /** Since when they are suspended as a writer, and why. */
  readonly suspended_at: Date | null
  readonly suspended_for: string | null
  readonly delete_asked_at: Date | null
  readonly delete_at: Date | null
  readonly codes_left: number
  readonly codes_made_at: Date | null
}

export async function accountOf({ db }: AccountContext, { sessionHash }: Person): Promise<AccountDetails> {
  const [details] = await db.run<AccountDetails>({
    text: `select a.*, f.*, s.at as suspended_at, s.reason as suspended_for
             from app.account_of($1) a, app.account_safety_of($1) f left join app.suspension_of($1) s on true`,
    values: [sessionHash],
  })
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
