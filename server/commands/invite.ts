import { inviteAsOwner } from '#features/accounts/invitations.ts'
import type { Config } from '#platform/config.ts'
import { urlsFor } from '#platform/urls.ts'
import { asOwner } from './as-owner.ts'
import { addressIn } from './invite-output.ts'

/** A link by which one person signs up, shown here or sent to them. */
export async function invite(config: Config, given: { readonly email?: string }): Promise<void> {
  const email = given.email === undefined ? null : addressIn(given.email)
  const url = await asOwner(config, (owner) => inviteAsOwner(owner, urlsFor(config.BASE_URL), email))
  console.log(
    email ? `An invitation is on its way to ${email}.` : 'Give this link to one person. It works for 14 days:',
  )
  if (!email) console.log(url)
  if (config.SIGN_UP === 'closed') console.log('Nobody can use it while SIGN_UP is closed: set it to invited.')
}
