import { createHmac, hkdfSync } from 'node:crypto'
import type { SignUp } from '#config/setting-groups.ts'
import type { DeskContext } from '#features/context.ts'
import type { BreachedPasswords } from './breached-passwords.ts'

/** What accounts need besides the desk's connections. */
export interface AccountContext extends DeskContext {
  readonly siteName: string
  /** The site's public origin: passkeys are bound to its host. */
  readonly origin: string
  readonly secrets: AccountSecrets
  readonly breached: BreachedPasswords
  readonly signUp: SignUp
}

/** MACs that only this site can make. Each kind has a separate key, derived from AUTH_SECRET. */
export interface AccountSecrets {
  /** Replaces the salt of an account that does not exist. */
  decoy(email: string): Buffer
  /** Proves that a device signed in to this account before. */
  device(id: string, email: string): Buffer
  /** Proves to the database that the server has verified a passkey's signature. */
  seal(credentialId: Buffer): Buffer
}

export function accountSecrets(authSecret: string): AccountSecrets {
  const keyFor = (kind: string) => Buffer.from(hkdfSync('sha256', authSecret, 'standfirst accounts', kind, 32))
  const keys = { decoy: keyFor('decoy'), device: keyFor('device'), seal: keyFor('seal') }
  const mac = (key: Buffer, ...parts: (string | Buffer)[]): Buffer => {
    const hmac = createHmac('sha256', key)
    // With lengths, so that "ab" + "c" differs from "a" + "bc".
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part)
    return hmac.digest()
  }
  return {
    decoy: (email) => mac(keys.decoy, email),
    device: (id, email) => mac(keys.device, id, email),
    seal: (credentialId) => mac(keys.seal, credentialId),
  }
}
