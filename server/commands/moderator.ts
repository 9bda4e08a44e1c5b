import { addModerator, type Promotion } from '#features/accounts/moderators.ts'
import { readEmail } from '#features/accounts/naming.ts'
import type { Config } from '#platform/config.ts'
import { normaliseLine } from '#platform/text/normalise.ts'
import { CommandError } from './command-error.ts'
import { asOwner } from './owner.ts'

export interface Given {
  readonly name?: string
  readonly operator?: true
}

/** Makes a moderator of an account, or an account for a moderator. No password is ever on a command line. */
export async function add(config: Config, given: string, { name, operator }: Given): Promise<void> {
  const email = readEmail(given)
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CommandError(`${given} is not an e-mail address.`)
  const known = normaliseLine(name ?? '') || email.split('@')[0]!
  const role = operator ? 'operator' : 'moderator'
  const promotion = await asOwner(config, (owner) => addModerator(owner, email, known, role))
  for (const line of words(config, email, `${operator ? 'an' : 'a'} ${role}`, promotion)) console.log(line)
}

function words(config: Config, email: string, aModerator: string, promotion: Promotion): string[] {
  switch (promotion.outcome) {
    case 'already':
      return [`${email} is ${aModerator} already. Nothing has changed.`]
    case 'promoted':
      return [`${email} is ${aModerator} from now on. They sign in as before.`]
    case 'unconfirmed':
      throw new CommandError(
        `${email} signed up and has not confirmed the address. Ask them to open the link in their letter, then try again.`,
      )
    case 'linked':
      return [
        `${email} is ${aModerator}. They set their own password here, once, within 24 hours:`,
        '',
        `  ${config.BASE_URL.replace(/\/+$/, '')}/desk/reset-password#${promotion.token}`,
        '',
        'Send it over a channel you trust: whoever opens it first has the account.',
        'If it comes too late, run this command again for a new link; the old one then opens nothing.',
      ]
  }
}
