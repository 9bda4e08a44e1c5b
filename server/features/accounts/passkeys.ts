import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { isUuid } from '#platform/cursor.ts'
import { ServiceError } from '#platform/errors.ts'
import { hashOf, secretToken } from '#platform/secret.ts'
import { normaliseLine } from '#platform/text/normalise.ts'
import type { SignedIn, Visitor } from './client-info.ts'
import type { AccountContext } from './context.ts'
import { knownDevice, markDevice } from './device.ts'
import { tellOf } from './mail.ts'
import { readName, writerNamed } from './normalize.ts'
import type { Person } from './session-user.ts'
import { tokenHolder } from './token.ts'
import {
  checkMade,
  checkShown,
  type KnownPasskey,
  type MadePasskey,
  offerToMake,
  offerToShow,
  type Purpose,
} from './webauthn.ts'

const signingIn: Purpose = { purpose: 'sign_in', holder: null }
const confirming = ({ sessionHash }: Person, nonceHash: Buffer | null) =>
  ({ purpose: 'reauthenticate', holder: sessionHash, nonceHash }) satisfies Purpose
const registering = ({ sessionHash }: Person): Purpose => ({ purpose: 'register', holder: sessionHash })
const beginning = (token: string): Purpose => ({ purpose: 'first_passkey', holder: hashOf(token) })

const passkeyFailed = () =>
  new ServiceError(
    401,
    'sign_in_failed',
    'This passkey is not known here, or took too long. Try again, or use your password.',
  )

export interface ListedPasskey {
  readonly id: string
  readonly name: string
  readonly credential_id: Buffer
  readonly created_at: Date
  readonly last_used_at: Date | null
}

export const listPasskeys = ({ db }: AccountContext, { sessionHash }: Person): Promise<ListedPasskey[]> =>
  db.run<ListedPasskey>({ text: 'select * from app.passkeys_of($1)', values: [sessionHash] })

export async function offerPasskey(context: AccountContext, person: Person) {
  const known = await listPasskeys(context, person)
  return offerToMake(context, registering(person), { ...person, credentialIds: known.map((one) => one.credential_id) })
}

/** Keeps a new passkey. Every other session of the account ends. */
export async function addPasskey(
  context: AccountContext,
  person: Person,
  response: RegistrationResponseJSON,
  name: string | undefined,
): Promise<string> {
  const made = await checkMade(context, registering(person), response)
  return context.db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ id: string }>('select app.add_passkey($1, $2, $3, $4, $5, $6, $7) as id', [
      person.sessionHash,
      ...kept(context, made, name),
    ])
    await tellOf(tx, 'new-passkey', person.accountId)
    return rows[0]!.id
  })
}

export async function renamePasskey({ db }: AccountContext, person: Person, id: string, name: string): Promise<void> {
  await db.run({
    text: 'select app.rename_passkey($1, $2, $3)',
    values: [person.sessionHash, isUuid(id) ? id : null, named(name)],
  })
}

/** Refused for the last way in. Every other session of the account ends. */
export async function deletePasskey(
  { db }: AccountContext,
  { sessionHash, accountId }: Person,
  id: string,
): Promise<void> {
  await db.transaction({}, async (tx) => {
    await tx.query('select app.delete_passkey($1, $2)', [sessionHash, isUuid(id) ? id : null])
    await tellOf(tx, 'passkey-deleted', accountId)
  })
}

export const offerSignIn = (context: AccountContext) => offerToShow(context, signingIn)

export async function signInByPasskey(
  context: AccountContext,
  response: AuthenticationResponseJSON,
  visitor: Visitor,
): Promise<SignedIn> {
  const { email, shown } = await shownPasskey(context, signingIn, response)
  const device = knownDevice(context.secrets, visitor.device, email)
  const { token, hash } = secretToken()
  const account = await context.db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ account: string | null }>(
      'select app.open_session_by_passkey($1, $2, $3, $4, $5, $6, $7) as account',
      [...shown, hash, visitor.userAgent, visitor.address, visitor.sessionHash],
    )
    const opened = rows[0]!.account
    if (opened && device === undefined) await tellOf(tx, 'new-sign-in', opened)
    return opened
  })
  if (account === null) throw passkeyFailed()
  return { sessionToken: token, device: markDevice(context.secrets, email, device) }
}

export const offerConfirmation = (context: AccountContext, person: Person, nonce: string | undefined) =>
  offerToShow(context, confirming(person, hashOfGiven(nonce)))

/**
 * The person at the desk shows once more that it is them, and goes on under a new token. With a nonce, they do so to
 * publish the text that was shown with it.
 */
export async function confirmByPasskey(
  context: AccountContext,
  person: Person,
  response: AuthenticationResponseJSON,
  nonce: string | undefined,
): Promise<string> {
  const purpose = confirming(person, hashOfGiven(nonce))
  const { shown } = await shownPasskey(context, purpose, response)
  const { token, hash } = secretToken()
  const [renewed] = await context.db.run<{ account: string | null }>({
    text: 'select app.renew_session_by_passkey($1, $2, $3, $4, $5, $6) as account',
    values: [person.sessionHash, ...shown, hash, purpose.nonceHash],
  })
  if (!renewed?.account) throw passkeyFailed()
  return token
}

const hashOfGiven = (nonce: string | undefined): Buffer | null => (nonce === undefined ? null : hashOf(nonce))

/** In place of a password, by the link in the email. */
export async function offerFirstPasskey(context: AccountContext, token: string, givenName: string) {
  const name = readName(givenName)
  const { account_id: accountId, email } = await tokenHolder(context.db, token, 'verify')
  return offerToMake(context, beginning(token), { accountId, email, name, credentialIds: [] })
}

/** Confirms the address, makes them a writer of the site and signs them in. */
export async function addFirstPasskey(
  context: AccountContext,
  token: string,
  givenName: string,
  response: RegistrationResponseJSON,
  visitor: Visitor,
): Promise<SignedIn> {
  const name = readName(givenName)
  const { email } = await tokenHolder(context.db, token, 'verify')
  const made = await checkMade(context, beginning(token), response)
  const { slug, searchText } = writerNamed(name)
  const session = secretToken()
  await context.db.run({
    text: 'select app.add_first_passkey($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
    values: [
      hashOf(token),
      ...kept(context, made, undefined),
      name,
      slug,
      searchText,
      session.hash,
      visitor.userAgent,
      visitor.address,
      visitor.sessionHash,
    ],
  })
  return { sessionToken: session.token, device: markDevice(context.secrets, email) }
}

/** Whose it is; and credential, seal and counter, as the database wants them once the signature has been checked. */
async function shownPasskey(
  context: AccountContext,
  purpose: Purpose,
  response: AuthenticationResponseJSON,
): Promise<{ email: string; shown: [Buffer, Buffer, number] }> {
  const credentialId = Buffer.from(response.id, 'base64url')
  const [known] = await context.db.run<KnownPasskey>({
    text: 'select * from app.passkey($1)',
    values: [credentialId],
  })
  const counter = known && (await checkShown(context, purpose, response, known))
  if (counter === undefined) throw passkeyFailed()
  return { email: known!.email, shown: [credentialId, context.secrets.seal(credentialId), counter] }
}

const kept = ({ secrets }: AccountContext, made: MadePasskey, name: string | undefined) => [
  made.credentialId,
  made.publicKey,
  made.counter,
  made.transports,
  named(name),
  hashOf(secrets.seal(made.credentialId)),
]

const longestName = 60
const named = (given: string | undefined): string =>
  [...normaliseLine(given ?? '')].slice(0, longestName).join('').trim() || 'Passkey'
