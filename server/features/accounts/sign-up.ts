import { hashOf } from '#platform/secret.ts'
import type { AccountContext } from './context.ts'
import { markDevice } from './device.ts'
import { readName, writerNamed } from './normalize.ts'
import { newPassword } from './passwords.ts'
import { tokenHolder } from './token.ts'

export interface Newcomer {
  /** Of the link in the letter: who has it reads the letters of that address. */
  readonly token: string
  readonly name: string
  readonly password: string
}

export interface Confirmed {
  readonly email: string
  /** The mark of the browser that opened the letter: the sign-in that follows is from no unknown one. */
  readonly device: string
}

/** By the link in the letter: the address is theirs, and they become a writer of the site. */
export async function verifyEmail(context: AccountContext, given: Newcomer): Promise<Confirmed> {
  const name = readName(given.name)
  const { email } = await tokenHolder(context.db, given.token, 'verify')
  const { params, proof } = await newPassword(context, given.password, { email, name })
  const { slug, searchText } = writerNamed(name)
  await context.db.run({
    text: 'select app.verify_email($1, $2, $3, $4, $5, $6)',
    values: [hashOf(given.token), params, proof, name, slug, searchText],
  })
  return { email, device: markDevice(context.secrets, email) }
}
