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
import { normaliseLine } from '#platform/text/normalise.ts'
import { asOwner, CommandError } from './command-support.ts'

const unknown = (email: string): CommandError => new CommandError(`Nobody has an account with the address ${email}.`)

export async function signOut(config: Config, given: string): Promise<void> {
  const email = addressIn(given)
  const ended = await asOwner(config, (owner) => endSessionsOf(owner, email))
  if (ended === undefined) throw unknown(email)
  console.log(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'} of ${email}. They can sign in again.`)
}

export async function bar(config: Config, given: string): Promise<void> {
  const email = addressIn(given)
  const changed = await asOwner(config, async (owner) => {
    await endSessionsOf(owner, email)
    return setBarred(owner, email, true)
  })
  if (changed === undefined) throw unknown(email)
  console.log(
    changed
      ? `${email} is barred: signed out everywhere, their keys do nothing. What is public stays so.`
      : `${email} was barred already.`,
  )
}

export async function allow(config: Config, given: string): Promise<void> {
  const email = addressIn(given)
  const changed = await asOwner(config, (owner) => setBarred(owner, email, false))
  if (changed === undefined) throw unknown(email)
  console.log(changed ? `${email} may sign in again, and their keys work.` : `${email} was not barred.`)
}

/** Input and output of commands that create accounts. No password is ever on a command line. */

export function addressIn(given: string): string {
  const email = readEmail(given)
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email
  throw new CommandError(`${given} is not an e-mail address.`)
}

export const unconfirmed = (email: string): CommandError =>
  new CommandError(
    `${email} signed up and has not confirmed the address. Ask them to open the link in their letter, then try again.`,
  )

export const linkFor = ({ BASE_URL }: Config, token: string, again: string): string[] => [
  '',
  `  ${urlsFor(BASE_URL).page('desk/reset-password')}#${token}`,
  '',
  'Send it over a channel you trust: whoever opens it first has the account.',
  `If it comes too late, ${again} for a new link; the old one then opens nothing.`,
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
  for (const line of words(config, email, `${operator ? 'an' : 'a'} ${role}`, admission)) console.log(line)
}

function words(config: Config, email: string, aModerator: string, admission: RoleGrant): string[] {
  switch (admission.outcome) {
    case 'already':
      return [`${email} is ${aModerator} already. Nothing has changed.`]
    case 'promoted':
      return [`${email} is ${aModerator} from now on. They sign in as before.`]
    case 'unconfirmed':
      throw unconfirmed(email)
    case 'linked':
      return [
        `${email} is ${aModerator}. They set their own password here, once, within 24 hours:`,
        ...linkFor(config, admission.token, 'run this command again'),
      ]
  }
}

/** Prints or sends a sign-up link for one person. */
export async function inviteToSignUp(config: Config, given: { readonly email?: string }): Promise<void> {
  const email = given.email === undefined ? null : addressIn(given.email)
  const url = await asOwner(config, (owner) => inviteAsOwner(owner, urlsFor(config.BASE_URL), email))
  console.log(
    email ? `An invitation is on its way to ${email}.` : 'Give this link to one person. It works for 14 days:',
  )
  if (!email) console.log(url)
  if (config.SIGN_UP === 'closed') console.log('Nobody can use it while SIGN_UP is closed: set it to invited.')
}

/** `standfirst account history-verify`: verifies every chain in the database, or a downloaded one. */
export async function verifyHistory(config: () => Config, file: string | undefined): Promise<void> {
  if (file !== undefined) return verifyFile(file)
  const { chains, broken } = await asOwner(config(), (owner) =>
    checkChains(async (text, values) => (await owner.query(text, values)).rows),
  )
  for (const { account_id, broken: number } of broken)
    console.log(
      `Account ${account_id}: event ${number} is wrong or missing. What comes before it is as it was written.`,
    )
  if (broken.length > 0) {
    console.log(`${broken.length} of ${chains} histories are broken.`)
    process.exitCode = 1
  } else console.log(`Verified: ${chains} ${chains === 1 ? 'history is' : 'histories are'} as written.`)
}

async function verifyFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}.`)
  })
  const history = parsed(text)
  if (!Check(Type.Array(SecurityEvent), history))
    throw new CommandError(`${file} is no security history. Download yours at the desk, under Account.`)
  const broken = findBroken(history)
  if (broken === undefined) console.log(`Verified: ${history.length} events, each as written after the one before.`)
  else {
    console.log(`Event ${broken} was changed, or what came before it is missing.`)
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
