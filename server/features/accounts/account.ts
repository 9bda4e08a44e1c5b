import { nearestLanguage } from '#messages/translator.ts'
import type { AccountContext } from './context.ts'
import type { ListedPasskey } from './passkeys.ts'
import type { Account, Passkey, Session, Settings, WayIn } from './schema.ts'
import type { ListedSession, Person } from './sessions.ts'
import type { WayIn as WayInRow } from './token.ts'

/** Details of the account page. */
export interface AccountDetails {
  readonly has_password: boolean
  readonly passkeys: number
  readonly drafts_letter: boolean
  readonly comment_emails: boolean
  /** As it was chosen; we may not speak it any more. */
  readonly language: string | null
  /** Requested, and not confirmed yet. */
  readonly wanted_email: string | null
  readonly wanted_at: Date | null
  /** The address before the last change, which can be undone until then. */
  readonly former_email: string | null
  readonly undo_until: Date | null
  /** When and why they were suspended as a writer. */
  readonly suspended_at: Date | null
  readonly suspended_for: string | null
  readonly delete_asked_at: Date | null
  readonly delete_at: Date | null
  readonly codes_left: number
  readonly codes_made_at: Date | null
}

export async function accountOf({ db }: AccountContext, { sessionHash }: Person): Promise<AccountDetails> {
  const [details] = await db.run<AccountDetails>({
    text: `select a.*, f.*, app.account_language($1) as language,
                  app.wants_comment_emails($1) as comment_emails, s.at as suspended_at, s.reason as suspended_for
             from app.account_of($1) a, app.account_safety_of($1) f left join app.suspension_of($1) s on true`,
    values: [sessionHash],
  })
  return details!
}

/** Which emails to send besides those about security, and the language of the desk and of emails. */
export async function changeSettings(
  { db }: AccountContext,
  { sessionHash }: Person,
  { drafts_letter: draftsEmail, comment_emails: commentEmails, language }: Settings,
): Promise<void> {
  await db.transaction({}, async (tx) => {
    if (draftsEmail !== undefined) await tx.query('select app.set_drafts_letter($1, $2)', [sessionHash, draftsEmail])
    if (commentEmails !== undefined)
      await tx.query('select app.set_comment_emails($1, $2)', [sessionHash, commentEmails])
    if (language !== undefined) await tx.query('select app.set_language($1, $2)', [sessionHash, language])
  })
}

/** The language that the owner of this session chose, if any and if we still speak it. */
export async function languageOfSession({ db }: AccountContext, sessionHash: Buffer): Promise<string | null> {
  const [chosen] = await db.run<{ language: string | null }>({
    text: 'select app.account_language($1) as language',
    values: [sessionHash],
  })
  return spoken(chosen!.language)
}

const spoken = (chosen: string | null): string | null => (chosen === null ? null : (nearestLanguage(chosen) ?? null))

export const presentAccount = ({ email, name, role, fresh, writer }: Person, details: AccountDetails): Account => ({
  email,
  name,
  role,
  fresh,
  writer,
  has_password: details.has_password,
  passkeys: details.passkeys,
  drafts_letter: details.drafts_letter,
  comment_emails: details.comment_emails,
  language: spoken(details.language),
  suspended: details.suspended_at ? { at: details.suspended_at.toISOString(), reason: details.suspended_for! } : null,
  email_change: details.wanted_email ? { to: details.wanted_email, asked_at: details.wanted_at!.toISOString() } : null,
  email_undo: details.former_email ? { to: details.former_email, until: details.undo_until!.toISOString() } : null,
  recovery_codes: details.codes_made_at
    ? { left: details.codes_left, made_at: details.codes_made_at.toISOString() }
    : null,
  deletion: details.delete_at
    ? { asked_at: details.delete_asked_at!.toISOString(), at: details.delete_at.toISOString() }
    : null,
})

export const presentWayIn = ({ kind, id, name, created_at, last_used_at }: WayInRow): WayIn => ({
  kind,
  id,
  name,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
})

export const presentSession = (session: ListedSession): Session => ({
  id: session.id,
  user_agent: session.user_agent,
  address: session.address,
  created_at: session.created_at.toISOString(),
  last_seen_at: session.last_seen_at.toISOString(),
  expires_at: session.expires_at.toISOString(),
  is_this_one: session.is_this_one,
})

export const presentPasskey = ({ id, name, created_at, last_used_at }: ListedPasskey): Passkey => ({
  id,
  name,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
})
