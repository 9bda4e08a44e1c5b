import type { Failure } from '../types.generated.ts'

export type FieldProblem = NonNullable<Failure['errors']>[number]

interface ErrorFields extends Pick<Failure, 'reason' | 'detail' | 'errors'> {
  readonly status: number
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

/** The error of every call: the site refused, or could not be reached. */
export class StandfirstError extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /**
   * A stable code for programs: the site's, or `unreachable` (no response), `unreadable` (not a response of the site),
   * `moved` (a redirect to another address).
   */
  readonly reason: string
  /** One sentence for people. */
  readonly detail: string
  /** Every invalid field, if fields are the problem. */
  readonly errors: readonly FieldProblem[]
  /** Seconds to wait before retrying, if the site said so. */
  readonly retryAfter: number | null

  constructor({ status, reason, detail, errors = [], retryAfter = null, cause }: ErrorFields) {
    super(detail, cause === undefined ? undefined : { cause })
    this.name = 'StandfirstError'
    this.status = status
    this.reason = reason
    this.detail = detail
    this.errors = errors
    this.retryAfter = retryAfter
  }
}

/** Known without asking the site. */
export const notFound = (detail: string): StandfirstError =>
  new StandfirstError({ status: 404, reason: 'not_found', detail })

/** There was no response, or it was incomplete. */
export const unreachable = (base: string, cause: unknown): StandfirstError =>
  new StandfirstError({ status: 0, reason: 'unreachable', detail: `${base} did not answer.`, cause })

export const unreadable = (status: number): StandfirstError =>
  new StandfirstError({
    status,
    reason: 'unreadable',
    detail: `The answer (${status}) is not one of a Standfirst site. Is the address in base right?`,
  })

export const moved = (base: string, { status, headers }: ErrorResponse): StandfirstError =>
  new StandfirstError({
    status,
    reason: 'moved',
    detail: `${base} leads on to ${headers.get('location') ?? 'another address'}. Use the address of the site there.`,
  })

/** The part of `Response` we need, since not every set of type libraries has that name. */
interface ErrorResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
}

export function refusal({ status, headers }: ErrorResponse, body: unknown): StandfirstError {
  const retryAfter = retryAfterSeconds(headers.get('retry-after'))
  const { reason, detail, errors } = Object(body) as Partial<Failure>
  // A proxy sends its own body, but its Retry-After is still useful.
  if (typeof reason !== 'string' || typeof detail !== 'string') {
    const { reason, detail } = unreadable(status)
    return new StandfirstError({ status, reason, detail, retryAfter })
  }
  return new StandfirstError({ status, reason, detail, errors, retryAfter })
}

/** Parses Retry-After: seconds or a date. */
function retryAfterSeconds(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
