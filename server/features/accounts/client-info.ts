import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { TransactionSettings } from '#platform/db/database.ts'
import type { AccountSecrets } from './context.ts'

/** What is known of a client before it signs in. */
export interface ClientInfo {
  readonly address: string
  /** The address or, for IPv6, its /64 network, which one customer usually has. */
  readonly network: string
  readonly userAgent: string | null
  /** The cookie that marks a device which signed in before; not verified yet. */
  readonly device: string | undefined
  /** The session this browser has so far; signing in ends it. */
  readonly sessionHash: Buffer | null
}

/** For the security history: where a request without a session comes from. */
export const clientSettings = ({
  address,
  userAgent,
}: Pick<ClientInfo, 'address' | 'userAgent'>): TransactionSettings => ({
  'app.visitor': Buffer.from(JSON.stringify({ address, browser: userAgent?.slice(0, 400) ?? null })),
})

/** What a browser gets when it has signed in. */
export interface SignedIn {
  readonly sessionToken: string
  readonly device: string
}

// Known devices. A device that has signed in to an account, or confirmed its email address, carries a mark of it: when
// others guess passwords, the lockout affects unknown devices and not the owner's. The mark is valid for one account and
// grants no access.

/** The device's id, if it is marked for this account. */
export function knownDevice(secrets: AccountSecrets, marked: string | undefined, email: string): string | undefined {
  const [, id, mark] = /^([\w-]{22})\.([\w-]{43})$/.exec(marked ?? '') ?? []
  if (id === undefined || mark === undefined) return undefined
  const expected = secrets.device(id, email)
  return timingSafeEqual(Buffer.from(mark, 'base64url'), expected) ? id : undefined
}

export const markDevice = (
  secrets: AccountSecrets,
  email: string,
  id = randomBytes(16).toString('base64url'),
): string => `${id}.${secrets.device(id, email).toString('base64url')}`
