import { randomBytes } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { message } from '#messages/message.ts'
import { hashOf } from '#platform/crypto.ts'
import { ServiceError } from '#platform/errors.ts'
import type { AccountContext } from './context.ts'
import { longestCredentialId } from './schema.ts'

/** The two WebAuthn ceremonies, registration and authentication. Each answers a single-use challenge within 5 minutes. */

/** What a challenge is for, and the hash of the session or email link that requests it. */
export type Purpose =
  | { readonly purpose: 'sign_in'; readonly holder: null }
  | { readonly purpose: 'register' | 'first_passkey'; readonly holder: Buffer }
  /** With the hash of a nonce, it authorises publishing the revision previewed with it, and nothing else. */
  | { readonly purpose: 'reauthenticate'; readonly holder: Buffer; readonly nonceHash: Buffer | null }

/** Loaded on first use: it takes a tenth of the server's start time. */
const webauthn = () => import('@simplewebauthn/server')

const timeout = 5 * 60_000
/** ES256, EdDSA, RS256: what authenticators support. */
const algorithms = [-7, -8, -257]

const relyingParty = ({ origin }: AccountContext): string => new URL(origin).hostname

async function newChallenge({ db }: AccountContext, purpose: Purpose): Promise<Buffer<ArrayBuffer>> {
  const challenge = randomBytes(32)
  await db.run({
    text: 'select app.new_challenge($1, $2, $3, $4)',
    values: [hashOf(challenge.toString('base64url')), ...challengeColumns(purpose)],
  })
  return challenge
}

const challengeColumns = (purpose: Purpose) => [
  purpose.purpose,
  purpose.holder,
  purpose.purpose === 'reauthenticate' ? purpose.nonceHash : null,
]

async function takeChallenge({ db }: AccountContext, purpose: Purpose, challenge: string): Promise<boolean> {
  const [taken] = await db.run<{ taken: boolean }>({
    text: 'select app.take_challenge($1, $2, $3, $4) as taken',
    values: [hashOf(challenge), ...challengeColumns(purpose)],
  })
  return taken!.taken
}

export interface PasskeyOwner {
  readonly accountId: string
  readonly email: string
  readonly name: string
  /** An authenticator that has one of these creates no second one. */
  readonly credentialIds: readonly Buffer[]
}

export async function registrationOptions(
  context: AccountContext,
  purpose: Purpose,
  owner: PasskeyOwner,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: context.siteName,
    rpID: relyingParty(context),
    userID: userHandle(owner.accountId),
    userName: owner.email,
    userDisplayName: owner.name,
    challenge: await newChallenge(context, purpose),
    timeout,
    attestationType: 'none',
    excludeCredentials: owner.credentialIds.map((id) => ({ id: id.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

export async function authenticationOptions(
  context: AccountContext,
  purpose: Purpose,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  // No list of credentials: it would reveal which accounts exist. The authenticator knows its credentials for this site.
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: relyingParty(context),
    challenge: await newChallenge(context, purpose),
    timeout,
    userVerification: 'required',
  })
}

export interface NewPasskey {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
}

export async function verifyRegistration(
  context: AccountContext,
  purpose: Purpose,
  response: RegistrationResponseJSON,
): Promise<NewPasskey> {
  const checked = await orUndefined(async () => {
    refuseFrames(response.response)
    await refuseAttestation(response)
    const { verifyRegistrationResponse } = await webauthn()
    return verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => takeChallenge(context, purpose, challenge),
      expectedOrigin: context.origin,
      expectedRPID: relyingParty(context),
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
  })
  if (!checked?.verified) throw unreadable()
  const { credential } = checked.registrationInfo
  const credentialId = Buffer.from(credential.id, 'base64url')
  const publicKey = Buffer.from(credential.publicKey)
  if (credentialId.length === 0) throw unreadable()
  if (credentialId.length > longestCredentialId || publicKey.length > longestPublicKey) throw tooLarge()
  return {
    credentialId,
    publicKey,
    counter: credential.counter,
    transports: (credential.transports ?? []).slice(0, 8),
  }
}

export interface StoredPasskey {
  readonly account_id: string
  readonly email: string
  readonly public_key: Buffer
  readonly counter: string
}

/** The passkey's new counter, or undefined if anything is wrong with the response. */
export async function verifyAuthentication(
  context: AccountContext,
  purpose: Purpose,
  response: AuthenticationResponseJSON,
  known: StoredPasskey,
): Promise<number | undefined> {
  const { userHandle: shown } = response.response
  if (shown && shown !== Buffer.from(userHandle(known.account_id)).toString('base64url')) return undefined
  const { verifyAuthenticationResponse } = await webauthn()
  const checked = await orUndefined(async () => {
    refuseFrames(response.response)
    return verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => takeChallenge(context, purpose, challenge),
      expectedOrigin: context.origin,
      expectedRPID: relyingParty(context),
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(known.public_key),
        counter: Number(known.counter),
      },
    })
  })
  return checked?.verified ? checked.authenticationInfo.newCounter : undefined
}

/** The sixteen bytes of the account's id: a user handle must not contain personal data. */
const userHandle = (accountId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(accountId.replaceAll('-', ''), 'hex'))

/** Refuses passkeys used in a page that another site frames; the library allows some of these. */
function refuseFrames({ clientDataJSON }: { readonly clientDataJSON: string }): void {
  const { crossOrigin, topOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
  if ((crossOrigin ?? false) !== false || topOrigin !== undefined) throw new Error('framed by another site')
}

/**
 * We request no attestation, and browsers send none. If one came, the library would check its certificates over the network,
 * at addresses that the sender chose.
 */
async function refuseAttestation({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const statement = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')))
  const format = statement.get('fmt')
  if (format === 'none' || (format === 'packed' && !statement.get('attStmt').get('x5c'))) return
  throw new Error('an attestation nobody asked for')
}

/** Bytes; enough for any key of the algorithms above. The database has the same limit. */
const longestPublicKey = 4096

const tooLarge = () => new ServiceError(400, 'validation_failed', message('error.passkey_too_large'))

const unreadable = () => new ServiceError(400, 'validation_failed', message('error.passkey_unreadable'))

/** Undefined for errors of the library; throws ours. */
async function orUndefined<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof ServiceError) throw error
    return undefined
  }
}
