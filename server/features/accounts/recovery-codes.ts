import { randomBytes } from 'node:crypto'
import { ServiceError } from '#platform/errors.ts'
import { hashOf, secretToken } from '#platform/secret.ts'
import { placeOf, type SignedIn, type Visitor } from './client-info.ts'
import type { AccountContext } from './context.ts'
import { knownDevice, markDevice } from './device.ts'
import { tellOf } from './mail.ts'
import { readEmail } from './normalize.ts'
import type { Person } from './session-user.ts'
import { beginSignIn } from './sign-in.ts'

/** Ten codes on paper, each of which signs in once: for whoever has lost password, passkeys and the address. */

const codesMade = 10
/** Without I, L, O and U, which are read as others (Crockford). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 80 random bits, so a plain hash is enough: "7Q2M-C4XD-0V9K-HT5R". */
function makeCode(): string {
  const bits = BigInt(`0x${randomBytes(10).toString('hex')}`)
  const signs = Array.from({ length: 16 }, (_, at) => alphabet[Number((bits >> BigInt(5 * at)) & 31n)])
  return signs.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/** As typed from paper: in any case, with or without hyphens, O for 0, I and L for 1. */
const readCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/** In place of those before. Shown this once; what is kept are hashes. */
export async function makeRecoveryCodes({ db }: AccountContext, person: Person): Promise<string[]> {
  const codes = Array.from({ length: codesMade }, makeCode)
  await db.transaction({}, async (tx) => {
    await tx.query('select app.make_recovery_codes($1, $2)', [
      person.sessionHash,
      codes.map((code) => hashOf(readCode(code))),
    ])
    await tellOf(tx, 'recovery-codes-made', person.accountId)
  })
  return codes
}

export interface CodeGiven {
  readonly email: string
  readonly code: string
}

/** In place of a password. Every other session of the account ends, and whatever waited to be confirmed. */
export async function signInByCode(context: AccountContext, given: CodeGiven, visitor: Visitor): Promise<SignedIn> {
  const email = readEmail(given.email)
  const device = knownDevice(context.secrets, visitor.device, email)
  const { attempt } = await beginSignIn(context, email, visitor.network, device)
  const { token, hash } = secretToken()
  const account = await context.db.transaction(placeOf(visitor), async (tx) => {
    const { rows } = await tx.query<{ account: string | null }>(
      'select app.open_session_by_code($1, $2, $3, $4, $5, $6, $7) as account',
      [attempt, email, hashOf(readCode(given.code)), hash, visitor.userAgent, visitor.address, visitor.sessionHash],
    )
    const opened = rows[0]!.account
    if (opened) await tellOf(tx, 'recovery-code-used', opened)
    return opened
  })
  if (account === null) {
    const detail =
      'Email address or recovery code is incorrect, or the code was used already. Check both, or use another code.'
    throw new ServiceError(401, 'sign_in_failed', detail)
  }
  return { sessionToken: token, device: markDevice(context.secrets, email, device) }
}
