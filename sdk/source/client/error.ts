import type { Failure } from '../types.generated.ts'

export type FieldProblem = NonNullable<Failure['errors']>[number]

interface Told extends Pick<Failure, 'reason' | 'detail' | 'errors'> {
  readonly status: number
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

/** The site refused, or could not be asked. The one error of every call. */
export class StandfirstError extends Error {
  /** Of the answer; 0 where none came. */
  readonly status: number
  /** A stable code for programs: the site's, or `unreachable` (no answer came), `unreadable` (it is not the site's), `moved` (it leads elsewhere). */
  readonly reason: string
  /** One sentence for people. */
  readonly detail: string
  /** Every wrong field, if fields are what is wrong. */
  readonly errors: readonly FieldProblem[]
  /** How many seconds to wait before asking again, if the site said so. */
  readonly retryAfter: number | null

  constructor({ status, reason, detail, errors = [], retryAfter = null, cause }: Told) {
    super(detail, cause === undefined ? undefined : { cause })
    this.name = 'StandfirstError'
    this.status = status
    this.reason = reason
    this.detail = detail
    this.errors = errors
    this.retryAfter = retryAfter
  }
}

/** What the site would answer, known without asking. */
export const notFound = (detail: string): StandfirstError =>
  new StandfirstError({ status: 404, reason: 'not_found', detail })

/** No answer came, or not all of it. */
export const unreachable = (base: string, cause: unknown): StandfirstError =>
  new StandfirstError({ status: 0, reason: 'unreachable', detail: `${base} did not answer.`, cause })

export const unreadable = (status: number): StandfirstError =>
  new StandfirstError({
    status,
    reason: 'unreadable',
    detail: `The answer (${status}) is not one of a Standfirst site. Is the address in base right?`,
  })

export const moved = (base: string, { status, headers }: Refused): StandfirstError =>
  new StandfirstError({
    status,
    reason: 'moved',
    detail: `${base} leads on to ${headers.get('location') ?? 'another address'}. Use the address of the site there.`,
  })

/** Of a `Response`, without the name: not every place that reads these types has it. */
interface Refused {
  readonly status: number
  readonly headers: { get(name: string): string | null }
}

export function refusal({ status, headers }: Refused, body: unknown): StandfirstError {
  const retryAfter = secondsIn(headers.get('retry-after'))
  const { reason, detail, errors } = Object(body) as Partial<Failure>
  // A proxy on the way has words of its own; how long to wait is worth knowing all the same.
  if (typeof reason !== 'string' || typeof detail !== 'string') {
    const { reason, detail } = unreadable(status)
    return new StandfirstError({ status, reason, detail, retryAfter })
  }
  return new StandfirstError({ status, reason, detail, errors, retryAfter })
}

/** Seconds or a date, as HTTP has it. */
function secondsIn(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
