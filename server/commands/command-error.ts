import pg from 'pg'
import { ConfigError } from '#platform/config.ts'

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

/** What the operator is told: a sentence where they can do something, everything where only we can. */
export function inWords(error: unknown): unknown {
  if (error instanceof CommandError || error instanceof ConfigError) return error.message
  const { code, message } = error as { code?: string; message?: string }
  if (code !== undefined && unreachable.includes(code)) {
    return `The database does not answer: ${message || code}. Check DATABASE_URL, or the address that stands in its place (standfirst doctor names it), and that PostgreSQL runs.`
  }
  // A refusal of one of our own functions, with a sentence for people.
  if (error instanceof pg.DatabaseError && code?.startsWith('SF')) return message
  if (error instanceof pg.DatabaseError && code === '23514') {
    return `The database refuses a field: it is too long or has what it may not have (${error.constraint}).`
  }
  return error
}
