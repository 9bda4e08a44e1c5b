import pg from 'pg'
import { ConfigError } from '#platform/config.ts'
import { ServiceError } from '#platform/errors.ts'

/** Something the operator can mend: shown as a sentence, without a stack. */
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

/** What the operator is told: a sentence where they can do something, everything where only we can. */
export function inWords(error: unknown): unknown {
  if (error instanceof CommandError || error instanceof ConfigError) return error.message
  // What a caller of the API is told is for them; why is for the operator.
  if (error instanceof ServiceError && error.cause !== undefined) return inWords(error.cause)
  const { code, message } = error as { code?: string; message?: string }
  if (code !== undefined && unreachable.includes(code)) {
    return `The database does not answer: ${message || code}. Check DATABASE_URL, or the address that stands in its place (standfirst doctor names it), and that PostgreSQL runs.`
  }
  if (code !== undefined && unbelieved.includes(code))
    return `The certificate of the database is not believed: ${message}. Name its root certificate in the address, as in ?sslmode=verify-full&sslrootcert=/path/ca.pem, and connect by a name that the certificate has.`
  // A refusal of one of our own functions, with a sentence for people.
  if (error instanceof pg.DatabaseError && code?.startsWith('SF')) return message
  if (error instanceof pg.DatabaseError && code === '23514') {
    return `The database refuses a field: it is too long or has what it may not have (${error.constraint}).`
  }
  return error
}
