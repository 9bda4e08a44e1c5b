import type { FastifyRequest } from 'fastify'
import { invalid } from '#platform/errors.ts'

const visible = /^[\x21-\x7e]{1,255}$/
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/** As a bare token or as a quoted string, 1 to 255 visible ASCII characters; nothing where it was not sent. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const given = headers['idempotency-key']
  if (given === undefined) return null
  const text = String(given).trim()
  const key = quoted.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? text
  return demandVisible(key, '/Idempotency-Key')
}

/** The same for a key that was given as it is. */
export function demandVisible(key: string, pointer: string): string {
  if (visible.test(key)) return key
  throw invalid([{ pointer, code: 'malformed', detail: 'must be 1 to 255 visible ASCII characters, such as a UUID' }])
}
