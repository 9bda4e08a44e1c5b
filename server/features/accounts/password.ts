import { randomBytes, scrypt } from 'node:crypto'
import { overloaded } from '#platform/errors.ts'

/** A password as it is kept: how its proof is derived, and the proof. */
export interface KeptPassword {
  readonly params: string
  readonly proof: Buffer
}

/** N = 2^16, r = 8, p = 2: 64 MiB and a good part of a second for each guess (OWASP's advice for scrypt). */
const cost = { logN: 16, r: 8, p: 2 } as const
const proofLength = 32

const paramsWith = (salt: Buffer): string => `scrypt$${cost.logN}$${cost.r}$${cost.p}$${salt.toString('base64url')}`

/** Of an account that does not exist, so that finding it out takes as long as being wrong. */
export const decoyParams = (mark: Buffer): string => paramsWith(mark.subarray(0, 16))

export async function makePassword(password: string): Promise<KeptPassword> {
  const params = paramsWith(randomBytes(16))
  return { params, proof: await proofOf(password, params) }
}

/** What the database compares. NFKC first: one password typed on two keyboards is one password. */
export function proofOf(password: string, params: string): Promise<Buffer> {
  const [, logN, r, p, salt] = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,})$/.exec(params) ?? []
  if (salt === undefined) throw new Error('these are no parameters of a password')
  const options = { N: 2 ** Number(logN), r: Number(r), p: Number(p) }
  // OpenSSL wants a little more than the 128 · N · r of the algorithm itself.
  const maxmem = 129 * options.N * options.r + 1024 * options.p * options.r
  return oneOfFew(
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

/** Two of the four threads Node has for such work, and 128 MiB. */
const mostAtOnce = 2
/** One more would wait longer than people do, and in the end longer than a request lives. */
const mostWaiting = 12
const longestWait = 4_000

let atWork = 0
const waiting = new Set<() => void>()

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (atWork < mostAtOnce) atWork += 1
  else await takeTurn()
  try {
    return await work()
  } finally {
    const [next] = waiting
    if (next) next()
    else atWork -= 1
  }
}

function takeTurn(): Promise<void> {
  if (waiting.size >= mostWaiting) throw tooMany()
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(patience)
      waiting.delete(start)
      resolve()
    }
    const patience = setTimeout(() => {
      waiting.delete(start)
      reject(tooMany())
    }, longestWait)
    waiting.add(start)
  })
}

const tooMany = () => overloaded('Many people are signing in just now. Try again in a moment.', 5)
