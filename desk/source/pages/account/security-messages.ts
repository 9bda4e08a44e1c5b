import type { SecurityEvent } from '../../../../server/features/accounts/schema.ts'

/** What happened to an account, in a sentence. */
export function wordsOf({ act, facts }: Pick<SecurityEvent, 'act' | 'facts'>): string {
  const words = sentences[act]
  return words ? words(facts) : 'Something about your account changed'
}

type Facts = Readonly<Record<string, string>>

const ways: Facts = { password: 'your password', passkey: 'a passkey', recovery_code: 'a recovery code' }
const named = (what: string, { name }: Facts): string => (name ? `${what} “${name}”` : what)

const sentences: Readonly<Record<string, (facts: Facts) => string>> = {
  signed_up: () => 'Account created',
  signed_in: ({ by = '' }) => (ways[by] ? `Signed in with ${ways[by]}` : 'Signed in'),
  sign_in_failed: () => 'Sign-in failed: wrong password or recovery code, once or more within an hour',
  sessions_ended: ({ count }) => (count === '1' ? 'Signed out of one session' : `Signed out of ${count} sessions`),
  password_set: () => 'Password changed',
  password_reset: () => 'Password reset with a link from an email',
  passkey_added: (facts) => named('Passkey added:', facts),
  passkey_deleted: (facts) => named('Passkey deleted:', facts),
  key_made: (facts) => `${named('API key made:', facts)} (${facts['key']})`,
  key_revoked: (facts) => `${named('API key revoked:', facts)} (${facts['key']})`,
  dead_key_used: (facts) => `${named('Revoked or expired API key used:', facts)} (${facts['key']})`,
  link_made: () => 'Private link to a draft made',
  link_revoked: () => 'Private link to a draft revoked',
  recovery_codes_made: () => 'Recovery codes made',
  email_asked: ({ to }) => `Change of email address to ${to} requested`,
  email_cancelled: ({ to }) => `Change of email address to ${to} cancelled`,
  email_confirmed: ({ from, to }) => `Email address changed from ${from} to ${to}`,
  email_undone: ({ from, to }) => `Email address changed back from ${from} to ${to}`,
  role_changed: ({ from, to }) => `Role changed from ${from} to ${to} by an operator`,
  deletion_asked: () => 'Deletion of the account requested',
  deletion_cancelled: () => 'Deletion of the account cancelled',
  disabled: () => 'Account disabled by an operator',
  enabled: () => 'Account enabled by an operator',
}
