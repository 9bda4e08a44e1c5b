import { type PlainMessageId, t } from '../messages.ts'
import { ApiError, callApi } from './client.ts'

/** The two WebAuthn ceremonies. Each starts with options from the server. */

export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

interface PasskeyOptions<Options> {
  readonly options: Options
}

/** Asks for a passkey. With `mediation: 'conditional'` the browser offers it in the email field. */
export async function getPasskeyAssertion(
  optionsPath: string,
  given: { readonly mediation?: CredentialMediationRequirement; readonly signal?: AbortSignal } = {},
  body: object = {},
): Promise<object> {
  const { options } = await callApi<PasskeyOptions<PublicKeyCredentialRequestOptionsJSON>>('POST', optionsPath, body)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return runCeremony(() => navigator.credentials.get({ publicKey, ...given }))
}

export async function createPasskey(optionsPath: string, body: object = {}): Promise<object> {
  const { options } = await callApi<PasskeyOptions<PublicKeyCredentialCreationOptionsJSON>>('POST', optionsPath, body)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return runCeremony(() => navigator.credentials.create({ publicKey }))
}

/** Messages for ceremonies that fail. */
const messages: Readonly<Record<string, PlainMessageId>> = {
  NotAllowedError: 'desk.common.passkey.not_allowed',
  InvalidStateError: 'desk.common.passkey.exists',
  SecurityError: 'desk.common.passkey.wrong_address',
}

async function runCeremony(ceremony: () => Promise<Credential | null>): Promise<object> {
  try {
    const credential = await ceremony()
    if (credential instanceof PublicKeyCredential) return credential.toJSON()
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    if (error.name === 'AbortError') throw error
    throw new ApiError(0, error.name, t(messages[error.name] ?? 'desk.common.passkey.failed'))
  }
  throw new ApiError(0, 'NotAllowedError', t('desk.common.passkey.not_allowed'))
}
