import { type Message, message } from '#messages/message.ts'
import { sourceLanguage, translatorOf } from '#messages/translator.ts'
import { normaliseLine } from './text/normalise.ts'

/** Errors for API clients: a stable code for programs, one sentence for people, and every invalid field. */

export type Reason =
  | 'not_found'
  | 'validation_failed'
  | 'missing_authorization'
  | 'malformed_authorization'
  | 'invalid_key'
  | 'insufficient_scope'
  | 'signed_out'
  | 'sign_in_failed'
  | 'forbidden'
  | 'cross_site'
  | 'fresh_sign_in_required'
  | 'passkey_required'
  | 'idempotency_conflict'
  | 'idempotency_mismatch'
  | 'precondition_required'
  | 'precondition_failed'
  | 'illegal_transition'
  | 'changed_meanwhile'
  | 'expired'
  | 'limit_reached'
  | 'slug_taken'
  | 'suspended'
  | 'passkey_known'
  | 'last_way_in'
  | 'rate_limited'
  | 'payload_too_large'
  | 'render_too_large'
  | 'unsupported_media_type'
  | 'method_not_allowed'
  | 'uri_too_long'
  | 'headers_too_large'
  | 'request_timeout'
  | 'overloaded'
  | 'database_away'
  | 'internal'

export interface FieldProblem {
  /** RFC 6901: `/tags/3`, `/limit`. */
  readonly pointer: string
  readonly code: string
  /** What is wrong, to follow the name of the field; or a message, which is a sentence of its own. */
  readonly detail: string | Message
  readonly limit?: number
  readonly actual?: number
}

/**
 * Pointer to a member with a name from the request: truncated and normalised, since it may contain NUL or half a
 * surrogate pair.
 */
export const pointerTo = (name: string): string =>
  `/${normaliseLine(name.slice(0, 100)).replaceAll('~', '~0').replaceAll('/', '~1')}`

interface Extras {
  readonly errors?: readonly FieldProblem[]
  readonly headers?: Readonly<Record<string, string>>
}

/** `detail` is a message where people may see it at the desk, in their language; text where only programs do. */
export class ServiceError extends Error {
  readonly #detail: string | Message
  readonly status: number
  readonly reason: Reason
  readonly errors: readonly FieldProblem[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, reason: Reason, detail: string | Message, { errors, headers }: Extras = {}) {
    super(inLanguage(detail, sourceLanguage))
    this.#detail = detail
    this.name = 'ServiceError'
    this.status = status
    this.reason = reason
    this.errors = errors
    this.headers = headers ?? {}
  }

  get detail(): string | Message {
    return this.#detail
  }

  /** One sentence for people. */
  detailIn(language: string): string {
    return inLanguage(this.#detail, language)
  }

  errorsIn(language: string): object[] | undefined {
    return this.errors?.map((problem) => ({ ...problem, detail: inLanguage(problem.detail, language) }))
  }
}

const inLanguage = (detail: string | Message, language: string): string =>
  typeof detail === 'string' ? detail : translatorOf(language).say(detail)

export const notFound = (detail: string | Message) => new ServiceError(404, 'not_found', detail)

/** At most this many invalid fields are reported. */
const mostProblems = 20

export const invalid = (problems: readonly FieldProblem[]) =>
  new ServiceError(400, 'validation_failed', summary(problems), { errors: problems.slice(0, mostProblems) })

export const overloaded = (detail: string | Message, retryAfter = 2) =>
  new ServiceError(503, 'overloaded', detail, { headers: { 'retry-after': String(retryAfter) } })

/** The database is unreachable, silent, stopping or starting. More processes would not help. */
export const databaseAway = (detail: string | Message = message('error.database_away')) =>
  new ServiceError(503, 'database_away', detail, { headers: { 'retry-after': '2' } })

function summary(problems: readonly FieldProblem[]): string | Message {
  const [first] = problems
  if (!first) return 'The request is invalid.'
  if (typeof first.detail !== 'string') return first.detail
  const field = first.pointer.slice(1) || 'the request'
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, see errors)` : ''
  return `${field} ${first.detail}${more}.`
}
