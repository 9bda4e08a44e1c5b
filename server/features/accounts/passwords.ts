import { randomBytes, scrypt } from 'node:crypto'
import { message } from '#messages/message.ts'
import { hashOf } from '#platform/crypto.ts'
import { isUuid } from '#platform/cursor.ts'
import { invalid, overloaded } from '#platform/errors.ts'
import { type ClientInfo, clientSettings } from './client-info.ts'
import type { AccountContext } from './context.ts'
import { notifyOwner } from './mail.ts'
import { type Owner, refuseWeakPassword } from './password-rules.ts'
import type { Person } from './sessions.ts'
import { tokenHolder } from './token.ts'

export interface Reset {
  readonly token: string
  readonly password: string
  /** Ids of passkeys, API keys and private links that the owner does not recognise. */
  readonly remove?: readonly string[]
}

/** By the link in an email. Ends every session and cancels pending confirmations. Returns the account's address. */
export async function resetPassword(
  context: AccountContext,
  { token, password, remove = [] }: Reset,
  client: ClientInfo,
): Promise<string> {
  const { email, name } = await tokenHolder(context.db, token, 'reset')
  const { params, proof } = await checkAndHashPassword(context, password, { email, name })
  await context.db.transaction(clientSettings(client), async (tx) => {
    const { rows } = await tx.query<{ account: string }>('select app.reset_password($1, $2, $3, $4) as account', [
      hashOf(token),
      params,
      proof,
      remove.filter(isUuid),
    ])
    await notifyOwner(tx, 'password-changed', rows[0]!.account)
  })
  return email
}

/** Changes or sets the password. Ends every other session and cancels pending confirmations. */
export async function changePassword(
  context: AccountContext,
  { email, name, accountId, sessionHash }: Person,
  password: string,
): Promise<void> {
  const { params, proof } = await checkAndHashPassword(context, password, { email, name })
  await context.db.transaction({}, async (tx) => {
    await tx.query('select app.set_password($1, $2, $3)', [sessionHash, params, proof])
    await notifyOwner(tx, 'password-changed', accountId)
  })
}

/** Hashes a password, unless it is too weak or breached. */
export async function checkAndHashPassword(
  { siteName, breached }: AccountContext,
  password: string,
  owner: Omit<Owner, 'siteName'>,
): Promise<PasswordHash> {
  refuseWeakPassword(password, { ...owner, siteName })
  if (await breached.has(password)) {
    const detail = 'appeared in a data breach, so it is easily guessed; choose another'
    throw invalid([{ pointer: '/password', code: 'breached', detail }])
  }
  return hashPassword(password)
}

/** A password as it is stored: the parameters of the hash, and the hash. */
export interface PasswordHash {
  readonly params: string
  readonly proof: Buffer
}

/** N = 2^16, r = 8, p = 2: 64 MiB and a good part of a second per guess (OWASP's recommendation for scrypt). */
const cost = { logN: 16, r: 8, p: 2 } as const
const proofLength = 32

const paramsWith = (salt: Buffer): string => `scrypt$${cost.logN}$${cost.r}$${cost.p}$${salt.toString('base64url')}`

/** For an address without an account, so that a sign-in takes as long as one with a wrong password. */
export const decoyParams = (mark: Buffer): string => paramsWith(mark.subarray(0, 16))

export async function hashPassword(password: string): Promise<PasswordHash> {
  const params = paramsWith(randomBytes(16))
  return { params, proof: await proofOf(password, params) }
}

/** The hash that the database compares. NFKC, so that a password is the same on any keyboard. */
export function proofOf(password: string, params: string): Promise<Buffer> {
  const [, logN, r, p, salt] = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,})$/.exec(params) ?? []
  if (salt === undefined) throw new Error('these are no parameters of a password')
  const options = { N: 2 ** Number(logN), r: Number(r), p: Number(p) }
  // OpenSSL needs slightly more than the 128 · N · r of the algorithm.
  const maxmem = 129 * options.N * options.r + 1024 * options.p * options.r
  return limitConcurrency(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(
          password.normalize('NFKC'),
          Buffer.from(salt, 'base64url'),
          proofLength,
          { ...options, maxmem },
          (error, proof) => (error ? reject(error) : resolve(proof)),
        )
      }),
  )
}

/** Uses two of the four threads of Node's pool, and 128 MiB. */
const maxConcurrent = 2
/** More would wait longer than people do, and eventually longer than the request timeout. */
const maxQueued = 12
const maxWait = 4_000

let running = 0
const queue = new Set<() => void>()

async function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  if (running < maxConcurrent) running += 1
  else await takeTurn()
  try {
    return await work()
  } finally {
    const [next] = queue
    if (next) next()
    else running -= 1
  }
}

function takeTurn(): Promise<void> {
  if (queue.size >= maxQueued) throw tooMany()
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer)
      queue.delete(start)
      resolve()
    }
    const timer = setTimeout(() => {
      queue.delete(start)
      reject(tooMany())
    }, maxWait)
    queue.add(start)
  })
}

const tooMany = () => overloaded(message('error.busy_sign_in'), 5)
