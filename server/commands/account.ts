import { readFile } from 'node:fs/promises'
import Type from 'typebox'
import { Check } from 'typebox/value'
import type { Config } from '#config/config.ts'
import { checkChains, findBroken } from '#features/accounts/history.ts'
import { grantRole, inviteAsOwner, type RoleGrant } from '#features/accounts/invitations.ts'
import { readEmail } from '#features/accounts/normalize.ts'
import { SecurityEvent } from '#features/accounts/schema.ts'
import { endSessionsOf, setBarred } from '#features/accounts/sessions.ts'
import { urlsFor } from '#features/urls.ts'
import { cliTranslator } from '#messages/cli.ts'
import { normaliseLine } from '#platform/text/normalise.ts'
import { asOwner, CommandError } from './command-support.ts'

const t = cliTranslator()

const unknown = (email: string): CommandError => new CommandError(t('cli.account.unknown', { email }))

export async function signOut(config: Config, given: string): Promise<void> {
  const email = addressIn(given)
  const ended = await asOwner(config, (owner) => endSessionsOf(owner, email))
  if (ended === undefined) throw unknown(email)
  console.log(t('cli.account.signed_out', { count: ended, email }))
}

export async function bar(config: Config, given: string): Promise<void> {
  const email = addressIn(given)
  const changed = await asOwner(config, async (owner) => {
    await endSessionsOf(owner, email)
    return setBarred(owner, email, true)
  })
  if (changed === undefined) throw unknown(email)
  console.log(t(changed ? 'cli.account.barred' : 'cli.account.barred_already', { email }))
}

export async function allow(config: Config, given: string): Promise<void> {
  const email = addressIn(given)
  const changed = await asOwner(config, (owner) => setBarred(owner, email, false))
  if (changed === undefined) throw unknown(email)
  console.log(t(changed ? 'cli.account.allowed' : 'cli.account.not_barred', { email }))
}

/** Input and output of commands that create accounts. No password is ever on a command line. */

export function addressIn(given: string): string {
  const email = readEmail(given)
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email
  throw new CommandError(t('cli.account.not_an_email', { given }))
}

export const unconfirmed = (email: string): CommandError => new CommandError(t('cli.account.unconfirmed', { email }))

/** `command` makes a new link. */
export const linkFor = ({ BASE_URL }: Config, token: string, command: string): string[] => [
  '',
  `  ${urlsFor(BASE_URL).page('desk/reset-password')}#${token}`,
  '',
  t('cli.account.link_warning'),
  t('cli.account.link_again', { command }),
]

export interface NewModerator {
  readonly name?: string
  readonly operator?: true
}

/** Makes an account a moderator, or creates an account for one. No password is ever on a command line. */
export async function addModerator(config: Config, given: string, { name, operator }: NewModerator): Promise<void> {
  const email = addressIn(given)
  const known = normaliseLine(name ?? '') || email.split('@')[0]!
  const role = operator ? 'operator' : 'moderator'
  const admission = await asOwner(config, (owner) => grantRole(owner, email, known, role))
  for (const line of linesOf(config, email, role, admission)) console.log(line)
}

function linesOf(config: Config, email: string, role: 'moderator' | 'operator', admission: RoleGrant): string[] {
  const { outcome } = admission
  if (outcome === 'unconfirmed') throw unconfirmed(email)
  const line = t(`cli.moderator.${outcome}`, { email, role })
  if (outcome !== 'linked') return [line]
  const flag = role === 'operator' ? ' --operator' : ''
  return [line, ...linkFor(config, admission.token, `standfirst moderator add ${email}${flag}`)]
}

/** Prints or sends a sign-up link for one person. */
export async function inviteToSignUp(config: Config, given: { readonly email?: string }): Promise<void> {
  const email = given.email === undefined ? null : addressIn(given.email)
  const url = await asOwner(config, (owner) => inviteAsOwner(owner, urlsFor(config.BASE_URL), email))
  console.log(email ? t('cli.invite.sent', { email }) : t('cli.invite.link'))
  if (!email) console.log(url)
  if (config.SIGN_UP === 'closed') console.log(t('cli.invite.closed'))
}

/** `standfirst account history-verify`: verifies every chain in the database, or a downloaded one. */
export async function verifyHistory(config: () => Config, file: string | undefined): Promise<void> {
  if (file !== undefined) return verifyFile(file)
  const { chains, broken } = await asOwner(config(), (owner) =>
    checkChains(async (text, values) => (await owner.query(text, values)).rows),
  )
  for (const { account_id, broken: number } of broken)
    console.log(t('cli.account.history_broken', { account: account_id, number }))
  if (broken.length > 0) {
    console.log(t('cli.account.histories_broken', { broken: broken.length, count: chains }))
    process.exitCode = 1
  } else console.log(t('cli.account.histories_verified', { count: chains }))
}

async function verifyFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(t('cli.file_unreadable', { file, reason: error.message }))
  })
  const history = parsed(text)
  if (!Check(Type.Array(SecurityEvent), history)) throw new CommandError(t('cli.account.no_history', { file }))
  const broken = findBroken(history)
  if (broken === undefined) console.log(t('cli.account.history_verified', { count: history.length }))
  else {
    console.log(t('cli.account.history_event_broken', { number: broken }))
    process.exitCode = 1
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
