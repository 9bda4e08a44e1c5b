import { type Admission, admit } from '#features/accounts/invite.ts'
import type { Config } from '#platform/config.ts'
import { normaliseLine } from '#platform/text/normalise.ts'
import { asOwner } from './as-owner.ts'
import { addressIn, linkFor, unconfirmed } from './invite-output.ts'

export interface Given {
  readonly name?: string
  readonly operator?: true
}

/** Makes a moderator of an account, or an account for a moderator. No password is ever on a command line. */
export async function add(config: Config, given: string, { name, operator }: Given): Promise<void> {
  const email = addressIn(given)
  const known = normaliseLine(name ?? '') || email.split('@')[0]!
  const role = operator ? 'operator' : 'moderator'
  const admission = await asOwner(config, (owner) => admit(owner, email, known, role))
  for (const line of words(config, email, `${operator ? 'an' : 'a'} ${role}`, admission)) console.log(line)
}

function words(config: Config, email: string, aModerator: string, admission: Admission): string[] {
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
