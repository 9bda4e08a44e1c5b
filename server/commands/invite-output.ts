import { readEmail } from '#features/accounts/normalize.ts'
import type { Config } from '#platform/config.ts'
import { urlsFor } from '#platform/urls.ts'
import { CommandError } from './command-error.ts'

/** What an operator says and reads when somebody gets an account. No password is ever on a command line. */

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
