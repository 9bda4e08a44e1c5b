import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type pg from 'pg'
import { message } from '#messages/message.ts'
import { hashOf, secretToken } from '#platform/crypto.ts'
import { isUuid } from '#platform/cursor.ts'
import { ServiceError } from '#platform/errors.ts'
import { normaliseLine } from '#platform/text/normalise.ts'
import { type ClientInfo, knownDevice, markDevice, type SignedIn } from './client-info.ts'
import type { AccountContext, AccountSecrets } from './context.ts'
import { notifyOwner } from './mail.ts'
import { readName, writerNamed } from './normalize.ts'
import type { Person } from './sessions.ts'
import { tokenHolder } from './token.ts'
import {
  authenticationOptions,
  type NewPasskey,
  type Purpose,
  registrationOptions,
  type StoredPasskey,
  verifyAuthentication,
  verifyRegistration,
} from './webauthn.ts'

const toSignIn: Purpose = { purpose: 'sign_in', holder: null }
const toReauthenticate = ({ sessionHash }: Person, nonceHash: Buffer | null) =>
  ({ purpose: 'reauthenticate', holder: sessionHash, nonceHash }) satisfies Purpose
const toRegister = ({ sessionHash }: Person): Purpose => ({ purpose: 'register', holder: sessionHash })
const toSignUp = (token: string): Purpose => ({ purpose: 'first_passkey', holder: hashOf(token) })

const passkeyFailed = () => new ServiceError(401, 'sign_in_failed', message('error.passkey_unknown'))

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
  return registrationOptions(context, toRegister(person), {
    ...person,
    credentialIds: known.map((one) => one.credential_id),
  })
}

/** Stores a new passkey. Ends every other session of the account. */
export async function addPasskey(
  context: AccountContext,
  person: Person,
  response: RegistrationResponseJSON,
  name: string | undefined,
): Promise<string> {
  const made = await verifyRegistration(context, toRegister(person), response)
  return context.db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ id: string }>('select app.add_passkey($1, $2, $3, $4, $5, $6, $7) as id', [
      person.sessionHash,
      ...passkeyColumns(context, made, name),
    ])
    await notifyOwner(tx, 'new-passkey', person.accountId)
    return rows[0]!.id
  })
}

export async function renamePasskey({ db }: AccountContext, person: Person, id: string, name: string): Promise<void> {
  await db.run({
    text: 'select app.rename_passkey($1, $2, $3)',
    values: [person.sessionHash, isUuid(id) ? id : null, passkeyName(name)],
  })
}

/** Refused for the account's last credential. Ends every other session of the account. */
export async function deletePasskey(
  { db }: AccountContext,
  { sessionHash, accountId }: Person,
  id: string,
): Promise<void> {
  await db.transaction({}, async (tx) => {
    await tx.query('select app.delete_passkey($1, $2)', [sessionHash, isUuid(id) ? id : null])
    await notifyOwner(tx, 'passkey-deleted', accountId)
  })
}

export const offerSignIn = (context: AccountContext) => authenticationOptions(context, toSignIn)

export async function signInByPasskey(
  context: AccountContext,
  response: AuthenticationResponseJSON,
  client: ClientInfo,
): Promise<SignedIn> {
  const { email, shown } = await verifyPasskey(context, toSignIn, response)
  const device = knownDevice(context.secrets, client.device, email)
  const { token, hash } = secretToken()
  const account = await context.db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ account: string | null }>(
      'select app.open_session_by_passkey($1, $2, $3, $4, $5, $6, $7) as account',
      [...shown, hash, client.userAgent, client.address, client.sessionHash],
    )
    const opened = rows[0]!.account
    if (opened && device === undefined) await notifyOwner(tx, 'new-sign-in', opened)
    return opened
  })
  if (account === null) throw passkeyFailed()
  return { sessionToken: token, device: markDevice(context.secrets, email, device) }
}

export const offerConfirmation = (context: AccountContext, person: Person, nonce: string | undefined) =>
  authenticationOptions(context, toReauthenticate(person, hashOfNonce(nonce)))

/**
 * Re-authenticates a signed-in person and gives their session a new token. With a nonce, it authorises publishing the
 * revision that was previewed with it.
 */
export async function confirmByPasskey(
  context: AccountContext,
  person: Person,
  response: AuthenticationResponseJSON,
  nonce: string | undefined,
): Promise<string> {
  const purpose = toReauthenticate(person, hashOfNonce(nonce))
  const { shown } = await verifyPasskey(context, purpose, response)
  const { token, hash } = secretToken()
  const [renewed] = await context.db.run<{ account: string | null }>({
    text: 'select app.renew_session_by_passkey($1, $2, $3, $4, $5, $6) as account',
    values: [person.sessionHash, ...shown, hash, purpose.nonceHash],
  })
  if (!renewed?.account) throw passkeyFailed()
  return token
}

const hashOfNonce = (nonce: string | undefined): Buffer | null => (nonce === undefined ? null : hashOf(nonce))

/** For sign-up with a passkey instead of a password, by the link in the email. */
export async function offerFirstPasskey(context: AccountContext, token: string, givenName: string) {
  const name = readName(givenName)
  const { account_id: accountId, email } = await tokenHolder(context.db, token, 'verify')
  return registrationOptions(context, toSignUp(token), { accountId, email, name, credentialIds: [] })
}

/** Confirms the email address, makes the person a writer and signs them in. */
export async function addFirstPasskey(
  context: AccountContext,
  token: string,
  givenName: string,
  response: RegistrationResponseJSON,
  client: ClientInfo,
): Promise<SignedIn> {
  const name = readName(givenName)
  const { email } = await tokenHolder(context.db, token, 'verify')
  const made = await verifyRegistration(context, toSignUp(token), response)
  const { slug, searchText } = writerNamed(name)
  const session = secretToken()
  await context.db.run({
    text: 'select app.add_first_passkey($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
    values: [
      hashOf(token),
      ...passkeyColumns(context, made, undefined),
      name,
      slug,
      searchText,
      session.hash,
      client.userAgent,
      client.address,
      client.sessionHash,
    ],
  })
  return { sessionToken: session.token, device: markDevice(context.secrets, email) }
}

/** The owner's email, and credential id, seal and counter as parameters for the database, once the signature is verified. */
async function verifyPasskey(
  context: AccountContext,
  purpose: Purpose,
  response: AuthenticationResponseJSON,
): Promise<{ email: string; shown: [Buffer, Buffer, number] }> {
  const credentialId = Buffer.from(response.id, 'base64url')
  const [known] = await context.db.run<StoredPasskey>({
    text: 'select * from app.passkey($1)',
    values: [credentialId],
  })
  const counter = known && (await verifyAuthentication(context, purpose, response, known))
  if (counter === undefined) throw passkeyFailed()
  return { email: known!.email, shown: [credentialId, context.secrets.seal(credentialId), counter] }
}

const passkeyColumns = ({ secrets }: AccountContext, made: NewPasskey, name: string | undefined) => [
  made.credentialId,
  made.publicKey,
  made.counter,
  made.transports,
  passkeyName(name),
  hashOf(secrets.seal(made.credentialId)),
]

const longestName = 60
const passkeyName = (input: string | undefined): string =>
  [...normaliseLine(input ?? '')].slice(0, longestName).join('').trim() || 'Passkey'

/**
 * Seals every passkey again after AUTH_SECRET was changed; until then none of them opens a session. Needs a connection as the
 * database owner. Returns how many there are.
 */
export async function resealPasskeys(owner: pg.ClientBase, secrets: AccountSecrets): Promise<number> {
  const { rows } = await owner.query<{ credential_id: Buffer }>(
    'select credential_id from app.passkeys for no key update',
  )
  for (const { credential_id } of rows) {
    await owner.query('update app.passkeys set seal_hash = $2 where credential_id = $1', [
      credential_id,
      hashOf(secrets.seal(credential_id)),
    ])
  }
  return rows.length
}
