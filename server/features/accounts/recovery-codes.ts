import { randomBytes } from 'node:crypto'
import { message } from '#messages/message.ts'
import { hashOf, secretToken } from '#platform/crypto.ts'
import { ServiceError } from '#platform/errors.ts'
import { type ClientInfo, clientSettings, knownDevice, markDevice, type SignedIn } from './client-info.ts'
import type { AccountContext } from './context.ts'
import { notifyOwner } from './mail.ts'
import { readEmail } from './normalize.ts'
import type { Person } from './sessions.ts'
import { beginSignIn } from './sign-in.ts'

/** Ten codes to print, each of which signs in once: for people who lost password, passkeys and email address. */

const codeCount = 10
/** Without I, L, O and U, which are easily misread (Crockford). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 80 random bits, so a fast hash is enough: "7Q2M-C4XD-0V9K-HT5R". */
function makeCode(): string {
  const bits = BigInt(`0x${randomBytes(10).toString('hex')}`)
  const characters = Array.from({ length: 16 }, (_, at) => alphabet[Number((bits >> BigInt(5 * at)) & 31n)])
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/** Accepts any case, with or without hyphens, O for 0, I and L for 1. */
const readCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/** Replaces earlier codes. They are shown once; only hashes are stored. */
export async function makeRecoveryCodes({ db }: AccountContext, person: Person): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, makeCode)
  await db.transaction({}, async (tx) => {
    await tx.query('select app.make_recovery_codes($1, $2)', [
      person.sessionHash,
      codes.map((code) => hashOf(readCode(code))),
    ])
    await notifyOwner(tx, 'recovery-codes-made', person.accountId)
  })
  return codes
}

export interface RecoveryCredentials {
  readonly email: string
  readonly code: string
}

/** Instead of a password. Ends every other session and cancels pending confirmations. */
export async function signInByCode(
  context: AccountContext,
  credentials: RecoveryCredentials,
  client: ClientInfo,
): Promise<SignedIn> {
  const email = readEmail(credentials.email)
  const device = knownDevice(context.secrets, client.device, email)
  const { attempt } = await beginSignIn(context, email, client.network, device)
  const { token, hash } = secretToken()
  const account = await context.db.transaction(clientSettings(client), async (tx) => {
    const { rows } = await tx.query<{ account: string | null }>(
      'select app.open_session_by_code($1, $2, $3, $4, $5, $6, $7) as account',
      [attempt, email, hashOf(readCode(credentials.code)), hash, client.userAgent, client.address, client.sessionHash],
    )
    const opened = rows[0]!.account
    if (opened) await notifyOwner(tx, 'recovery-code-used', opened)
    return opened
  })
  if (account === null) {
    throw new ServiceError(401, 'sign_in_failed', message('error.recovery_failed'))
  }
  return { sessionToken: token, device: markDevice(context.secrets, email, device) }
}
