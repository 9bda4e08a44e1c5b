import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccountSecrets } from './context.ts'

/**
 * A device that signed in to an account before, or opened it by the first letter, carries a mark of it, so that
 * others' guessing locks out whoever comes for the first time and never its owner. The mark proves nothing else: it is
 * for one account, and opens nothing.
 */

/** The device's id, if it was marked for this account. */
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
