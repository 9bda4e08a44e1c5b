import { randomBytes } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { ServiceError } from '#platform/errors.ts'
import { hashOf } from '#platform/secret.ts'
import type { AccountContext } from './context.ts'
import { longestCredentialId } from './schema.ts'

/** The two ceremonies of passkeys: making one and showing one. Each answers a challenge of ours, once, within 5 minutes. */

/** What a challenge is for, and the session or the link in a letter that asks for it. */
export type Purpose =
  | { readonly purpose: 'sign_in'; readonly holder: null }
  | { readonly purpose: 'register' | 'first_passkey'; readonly holder: Buffer }
  /** With the hash of a nonce, it is for publishing the text that was shown with it, and for no other. */
  | { readonly purpose: 'reauthenticate'; readonly holder: Buffer; readonly nonceHash: Buffer | null }

/** Loaded with the first passkey: it takes a tenth of the time in which a server starts. */
const webauthn = () => import('@simplewebauthn/server')

const patience = 5 * 60_000
/** ES256, EdDSA, RS256: what authenticators have. */
const algorithms = [-7, -8, -257]

const relyingParty = ({ origin }: AccountContext): string => new URL(origin).hostname

async function newChallenge({ db }: AccountContext, purpose: Purpose): Promise<Buffer<ArrayBuffer>> {
  const challenge = randomBytes(32)
  await db.run({
    text: 'select app.new_challenge($1, $2, $3, $4)',
    values: [hashOf(challenge.toString('base64url')), ...recorded(purpose)],
  })
  return challenge
}

const recorded = (purpose: Purpose) => [
  purpose.purpose,
  purpose.holder,
  purpose.purpose === 'reauthenticate' ? purpose.nonceHash : null,
]

async function takeChallenge({ db }: AccountContext, purpose: Purpose, challenge: string): Promise<boolean> {
  const [taken] = await db.run<{ taken: boolean }>({
    text: 'select app.take_challenge($1, $2, $3, $4) as taken',
    values: [hashOf(challenge), ...recorded(purpose)],
  })
  return taken!.taken
}

export interface PasskeyOwner {
  readonly accountId: string
  readonly email: string
  readonly name: string
  /** A device that holds one of these makes no second. */
  readonly credentialIds: readonly Buffer[]
}

export async function offerToMake(
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
    timeout: patience,
    attestationType: 'none',
    excludeCredentials: owner.credentialIds.map((id) => ({ id: id.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

export async function offerToShow(
  context: AccountContext,
  purpose: Purpose,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  // No list of credentials: it would tell which accounts there are. The authenticator knows which ones are for us.
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: relyingParty(context),
    challenge: await newChallenge(context, purpose),
    timeout: patience,
    userVerification: 'required',
  })
}

export interface MadePasskey {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
}

export async function checkMade(
  context: AccountContext,
  purpose: Purpose,
  response: RegistrationResponseJSON,
): Promise<MadePasskey> {
  const checked = await inWords(async () => {
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

export interface KnownPasskey {
  readonly account_id: string
  readonly email: string
  readonly public_key: Buffer
  readonly counter: string
}

/** The counter it showed, if the passkey is the one we know; undefined for whatever is wrong with it. */
export async function checkShown(
  context: AccountContext,
  purpose: Purpose,
  response: AuthenticationResponseJSON,
  known: KnownPasskey,
): Promise<number | undefined> {
  const { userHandle: shown } = response.response
  if (shown && shown !== Buffer.from(userHandle(known.account_id)).toString('base64url')) return undefined
  const { verifyAuthenticationResponse } = await webauthn()
  const checked = await inWords(async () => {
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

/** The account's id, as its sixteen bytes: a handle should tell nothing of the person. */
const userHandle = (accountId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(accountId.replaceAll('-', ''), 'hex'))

/** A passkey is made and shown in a page of ours, never in one that another site frames: the library lets some through. */
function refuseFrames({ clientDataJSON }: { readonly clientDataJSON: string }): void {
  const { crossOrigin, topOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
  if ((crossOrigin ?? false) !== false || topOrigin !== undefined) throw new Error('framed by another site')
}

/**
 * We ask for no statement about who made the authenticator, and browsers leave it out. One that came all the same would
 * have its certificates checked, over the network, at addresses that its sender chose.
 */
async function refuseAttestation({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const statement = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')))
  const format = statement.get('fmt')
  if (format === 'none' || (format === 'packed' && !statement.get('attStmt').get('x5c'))) return
  throw new Error('an attestation nobody asked for')
}

/** In bytes: room for any key of the algorithms above. The database holds to it too. */
const longestPublicKey = 4096

const tooLarge = () =>
  new ServiceError(
    400,
    'validation_failed',
    `This passkey is larger than we keep (${longestCredentialId} bytes of id, ${longestPublicKey} of key). Make one on another device.`,
  )

const unreadable = () =>
  new ServiceError(
    400,
    'validation_failed',
    'This passkey could not be checked. Begin again, on the page of this site.',
  )

/** Undefined for what the library has against it; our own refusals rise. */
async function inWords<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof ServiceError) throw error
    return undefined
  }
}
