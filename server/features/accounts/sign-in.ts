import { message } from '#messages/message.ts'
import { secretToken } from '#platform/crypto.ts'
import { ServiceError } from '#platform/errors.ts'
import { type ClientInfo, clientSettings, knownDevice, markDevice, type SignedIn } from './client-info.ts'
import type { AccountContext } from './context.ts'
import { notifyOwner } from './mail.ts'
import { readEmail } from './normalize.ts'
import { decoyParams, proofOf } from './passwords.ts'
import type { Person } from './sessions.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** The same error for an unknown address, a wrong password and an unconfirmed address. */
const signInFailed = () => new ServiceError(401, 'sign_in_failed', message('error.sign_in_failed'))

export async function signIn(context: AccountContext, credentials: Credentials, client: ClientInfo): Promise<SignedIn> {
  const email = readEmail(credentials.email)
  const device = knownDevice(context.secrets, client.device, email)
  const { attempt, proof } = await tryPassword(context, email, credentials.password, client.network, device)
  const { token, hash } = secretToken()
  const account = await context.db.transaction(clientSettings(client), async (tx) => {
    const { rows } = await tx.query<{ account: string | null }>(
      'select app.open_session($1, $2, $3, $4, $5, $6, $7) as account',
      [attempt, email, proof, hash, client.userAgent, client.address, client.sessionHash],
    )
    const opened = rows[0]!.account
    if (opened && device === undefined) await notifyOwner(tx, 'new-sign-in', opened)
    return opened
  })
  if (account === null) throw signInFailed()
  return { sessionToken: token, device: markDevice(context.secrets, email, device) }
}

/** Re-authenticates a signed-in person and gives their session a new token. */
export async function confirmByPassword(context: AccountContext, person: Person, password: string): Promise<string> {
  // Counted per session: other people's guesses must not lock out someone who is signed in.
  const device = `session ${person.sessionId}`
  const { attempt, proof } = await tryPassword(context, person.email, password, '', device)
  const { token, hash } = secretToken()
  const [renewed] = await context.db.run<{ account: string | null }>({
    text: 'select app.renew_session($1, $2, $3, $4) as account',
    values: [person.sessionHash, attempt, proof, hash],
  })
  if (!renewed?.account) {
    throw new ServiceError(401, 'sign_in_failed', message('error.wrong_password'))
  }
  return token
}

interface AttemptRow {
  readonly attempt: string | null
  readonly params: string | null
  readonly wait: number
}

/** Counts the attempt, then hashes; takes as long for an address without an account. */
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

/** Counts the attempt, or refuses it until later. */
export async function beginSignIn(
  { db }: AccountContext,
  email: string,
  network: string,
  device: string | undefined,
): Promise<{ attempt: string; params: string | null }> {
  const [begun] = await db.run<AttemptRow>({
    text: 'select * from app.begin_sign_in($1, $2, $3)',
    values: [email, network, device ?? null],
  })
  const { attempt, params, wait } = begun!
  if (attempt === null) throw tooManyTries(wait)
  return { attempt, params }
}

const tooManyTries = (seconds: number) =>
  new ServiceError(429, 'rate_limited', tooManyAttempts(seconds), { headers: { 'retry-after': String(seconds) } })

const tooManyAttempts = (seconds: number) =>
  seconds < 120
    ? message('error.sign_in_limit_seconds', { seconds })
    : message('error.sign_in_limit_minutes', { minutes: Math.ceil(seconds / 60) })
