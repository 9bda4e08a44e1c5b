import { createHmac, hkdfSync } from 'node:crypto'
import type { SignUp } from '#platform/abuse-settings.ts'
import type { DeskContext } from '#platform/context.ts'
import type { BreachedPasswords } from './breached-passwords.ts'

/** What accounts need: the desk's connections, and a few facts about the site. */
export interface AccountContext extends DeskContext {
  readonly siteName: string
  /** Where people reach the site: passkeys are made for its host and answer to its origin alone. */
  readonly origin: string
  readonly secrets: AccountSecrets
  readonly breached: BreachedPasswords
  readonly signUp: SignUp
}

/** Marks that only this site can make. Each kind has a key of its own, derived from AUTH_SECRET. */
export interface AccountSecrets {
  /** Stands in for the salt of an account that does not exist. */
  decoy(email: string): Buffer
  /** Shows that a device signed in to this account before. */
  device(id: string, email: string): Buffer
  /** Shows the database that the server has checked a passkey's signature. */
  seal(credentialId: Buffer): Buffer
}

export function accountSecrets(authSecret: string): AccountSecrets {
  const keyFor = (kind: string) => Buffer.from(hkdfSync('sha256', authSecret, 'standfirst accounts', kind, 32))
  const keys = { decoy: keyFor('decoy'), device: keyFor('device'), seal: keyFor('seal') }
  const mark = (key: Buffer, ...parts: (string | Buffer)[]): Buffer => {
    const mac = createHmac('sha256', key)
    // Lengths first: "ab" + "c" is not "a" + "bc".
    for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part)
    return mac.digest()
  }
  return {
    decoy: (email) => mark(keys.decoy, email),
    device: (id, email) => mark(keys.device, id, email),
    seal: (credentialId) => mark(keys.seal, credentialId),
  }
}
