import { ServiceError } from '#platform/errors.ts'
import { secretToken } from '#platform/secret.ts'
import { placeOf, type SignedIn, type Visitor } from './client-info.ts'
import type { AccountContext } from './context.ts'
import { knownDevice, markDevice } from './device.ts'
import { tellOf } from './mail.ts'
import { readEmail } from './normalize.ts'
import { decoyParams, proofOf } from './password.ts'
import type { Person } from './session-user.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** The same words for an unknown address, a wrong password and an address that was never confirmed. */
const signInFailed = () =>
  new ServiceError(
    401,
    'sign_in_failed',
    'This address and password do not fit together, or the address is not confirmed yet. Check both, or reset your password.',
  )

export async function signIn(context: AccountContext, given: Credentials, visitor: Visitor): Promise<SignedIn> {
  const email = readEmail(given.email)
  const device = knownDevice(context.secrets, visitor.device, email)
  const { attempt, proof } = await tryPassword(context, email, given.password, visitor.network, device)
  const { token, hash } = secretToken()
  const account = await context.db.transaction(placeOf(visitor), async (tx) => {
    const { rows } = await tx.query<{ account: string | null }>(
      'select app.open_session($1, $2, $3, $4, $5, $6, $7) as account',
      [attempt, email, proof, hash, visitor.userAgent, visitor.address, visitor.sessionHash],
    )
    const opened = rows[0]!.account
    if (opened && device === undefined) await tellOf(tx, 'new-sign-in', opened)
    return opened
  })
  if (account === null) throw signInFailed()
  return { sessionToken: token, device: markDevice(context.secrets, email, device) }
}

/** The person at the desk shows once more that it is them, and goes on under a new token. */
export async function confirmByPassword(context: AccountContext, person: Person, password: string): Promise<string> {
  // Whoever is signed in counts for themselves: others' guessing must not keep them from this.
  const place = `session ${person.sessionId}`
  const { attempt, proof } = await tryPassword(context, person.email, password, '', place)
  const { token, hash } = secretToken()
  const [renewed] = await context.db.run<{ account: string | null }>({
    text: 'select app.renew_session($1, $2, $3, $4) as account',
    values: [person.sessionHash, attempt, proof, hash],
  })
  if (!renewed?.account) {
    throw new ServiceError(401, 'sign_in_failed', 'This is not your password. Check it, or use a passkey.')
  }
  return token
}

interface Begun {
  readonly attempt: string | null
  readonly params: string | null
  readonly wait: number
}

/** Counted first, then derived: for an address without an account exactly as long. */
async function tryPassword(
  context: AccountContext,
  email: string,
  password: string,
  network: string,
  device: string | undefined,
): Promise<{ attempt: string; proof: Buffer }> {
  const { attempt, params } = await beginSignIn(context, email, network, device)
  return { attempt, proof: await proofOf(password, params ?? decoyParams(context.secrets.decoy(email))) }
}

/** Counts the try, or refuses it until later. */
export async function beginSignIn(
  { db }: AccountContext,
  email: string,
  network: string,
  device: string | undefined,
): Promise<{ attempt: string; params: string | null }> {
  const [begun] = await db.run<Begun>({
    text: 'select * from app.begin_sign_in($1, $2, $3)',
    values: [email, network, device ?? null],
  })
  const { attempt, params, wait } = begun!
  if (attempt === null) throw tooManyTries(wait)
  return { attempt, params }
}

const tooManyTries = (seconds: number) =>
  new ServiceError(
    429,
    'rate_limited',
    `Too many tries with this address. Try again in ${spoken(seconds)}, use a passkey, or reset your password.`,
    { headers: { 'retry-after': String(seconds) } },
  )

const spoken = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`)
