import { Refusal } from './api-error.ts'
import { ask } from './client.ts'

/** The two ceremonies of WebAuthn. Each begins with options from the server. */

export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

interface Offer<Options> {
  readonly options: Options
}

/** Shows a passkey. With `mediation: 'conditional'` the browser offers it where the address is typed. */
export async function showPasskey(
  optionsPath: string,
  given: { readonly mediation?: CredentialMediationRequirement; readonly signal?: AbortSignal } = {},
  body: object = {},
): Promise<object> {
  const { options } = await ask<Offer<PublicKeyCredentialRequestOptionsJSON>>('POST', optionsPath, body)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return credentialOf(() => navigator.credentials.get({ publicKey, ...given }))
}

export async function makePasskey(optionsPath: string, body: object = {}): Promise<object> {
  const { options } = await ask<Offer<PublicKeyCredentialCreationOptionsJSON>>('POST', optionsPath, body)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return credentialOf(() => navigator.credentials.create({ publicKey }))
}

/** The ways in which a ceremony ends early, in words. */
const endings: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used. Try again, or choose another way.',
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys do not work at this address.',
}

async function credentialOf(ceremony: () => Promise<Credential | null>): Promise<object> {
  try {
    const credential = await ceremony()
    if (credential instanceof PublicKeyCredential) return credential.toJSON()
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    if (error.name === 'AbortError') throw error
    throw new Refusal(0, error.name, endings[error.name] ?? 'The passkey could not be used. Try again.')
  }
  throw new Refusal(0, 'NotAllowedError', endings['NotAllowedError']!)
}
