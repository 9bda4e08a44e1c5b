import type { AccountDetails } from './account.ts'
import type { ListedPasskey } from './passkeys.ts'
import type { Account, Passkey, Session, WayIn } from './schema.ts'
import type { Person } from './session-user.ts'
import type { ListedSession } from './sessions.ts'
import type { WayIn as FoundWayIn } from './token.ts'

export const presentAccount = ({ email, name, role, fresh, writer }: Person, details: AccountDetails): Account => ({
  email,
  name,
  role,
  fresh,
  writer,
  has_password: details.has_password,
  passkeys: details.passkeys,
  drafts_letter: details.drafts_letter,
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

export const presentWayIn = ({ kind, id, name, created_at, last_used_at }: FoundWayIn): WayIn => ({
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
