import pg from 'pg'
import { type Config, ConfigError } from '#config/config.ts'
import { cliTranslator } from '#messages/cli.ts'
import { messageOf } from '#platform/db/pg-errors.ts'
import { ServiceError } from '#platform/errors.ts'

const t = cliTranslator()

export function ownerUrl({ DATABASE_URL }: Config): string {
  if (DATABASE_URL === undefined) throw new CommandError(t('cli.no_database_url'))
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

const untrusted = [
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
    return t('cli.database_unreachable', { reason: message || code, command: 'standfirst doctor' })
  }
  if (code !== undefined && untrusted.includes(code))
    return t('cli.certificate_untrusted', {
      reason: message ?? code,
      example: '?sslmode=verify-full&sslrootcert=/path/ca.pem',
    })
  // Raised by one of our own functions.
  if (error instanceof pg.DatabaseError && code?.startsWith('SF')) return t.say(messageOf(error))
  if (error instanceof pg.DatabaseError && code === '23514') {
    return t('cli.field_refused', { constraint: error.constraint ?? '' })
  }
  return error
}
