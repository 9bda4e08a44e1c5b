import { endSessionsOf, setBarred } from '#features/accounts/operator.ts'
import type { Config } from '#platform/config.ts'
import { asOwner } from './as-owner.ts'
import { CommandError } from './command-error.ts'
import { addressIn } from './invite-output.ts'

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
