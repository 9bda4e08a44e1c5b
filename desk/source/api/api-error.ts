/** A validation error of one field, as the server reports it. */
export interface Problem {
  /** The field as a JSON pointer, such as /headline. */
  readonly pointer: string
  readonly code: string
  readonly detail: string
  readonly limit?: number
  readonly actual?: number
}

/** A failed request. `detail` is a sentence for users; `status` is 0 if there was no response. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly detail: string
  readonly errors: readonly Problem[]
  /** The current etag, if ours was out of date (412). */
  readonly tag: string | null

  constructor(
    status: number,
    reason: string,
    detail: string,
    errors: readonly Problem[] = [],
    tag: string | null = null,
  ) {
    super(detail)
    this.name = 'Refusal'
    this.status = status
    this.reason = reason
    this.detail = detail
    this.errors = errors
    this.tag = tag
  }
}

/** A message for the user. Anything but an ApiError is a bug of ours. */
export const errorMessage = (error: unknown): string =>
  error instanceof ApiError
    ? error.detail
    : 'Something went wrong in this page. Try again; if it stays, load the page anew.'

/** The problem of this field or of a member of it. The server's text is either a sentence or begins with a verb. */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const found = error.errors.find(({ pointer }) => pointer === `/${field}` || pointer.startsWith(`/${field}/`))
  if (!found || /^[A-Z]/.test(found.detail)) return found?.detail
  return `This ${found.detail.replace(/\.$/, '')}.`
}
