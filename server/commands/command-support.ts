import pg from 'pg'
import { type Config, ConfigError } from '#config/config.ts'
import { ServiceError } from '#platform/errors.ts'

export function ownerUrl({ DATABASE_URL }: Config): string {
  if (DATABASE_URL === undefined) throw new CommandError('This command acts as the owner: set DATABASE_URL.')
  return DATABASE_URL
}

/** Runs one transaction as the owner of the site. */
export async function asOwner<T>(config: Config, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: ownerUrl(config), connectionTimeoutMillis: 5000 })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query('set local role svc_owner')
    const result = await work(owner)
    await owner.query('commit')
    return result
  } finally {
    await owner.end()
  }
}

/** A problem the operator can fix: printed without a stack trace. */
export class CommandError extends Error {}

const unreachable = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  '28000',
  '28P01',
  '3D000',
  '57P03',
]

const unbelieved = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
]

/** What to print: a sentence if the operator can do something, else the whole error. */
export function inWords(error: unknown): unknown {
  if (error instanceof CommandError || error instanceof ConfigError) return error.message
  // API clients get the message; the operator needs the cause.
  if (error instanceof ServiceError && error.cause !== undefined) return inWords(error.cause)
  const { code, message } = error as { code?: string; message?: string }
  if (code !== undefined && unreachable.includes(code)) {
    return `The database does not answer: ${message || code}. Check DATABASE_URL, or the address that stands in its place (standfirst doctor names it), and that PostgreSQL runs.`
  }
  if (code !== undefined && unbelieved.includes(code))
    return `The certificate of the database is not believed: ${message}. Name its root certificate in the address, as in ?sslmode=verify-full&sslrootcert=/path/ca.pem, and connect by a name that the certificate has.`
  // Raised by one of our own functions, with a sentence for people.
  if (error instanceof pg.DatabaseError && code?.startsWith('SF')) return message
  if (error instanceof pg.DatabaseError && code === '23514') {
    return `The database refuses a field: it is too long or has what it may not have (${error.constraint}).`
  }
  return error
}
