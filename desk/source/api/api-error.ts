/** What is wrong with one field of what was sent, as the server says it. */
export interface Problem {
  /** Which field, such as /headline. */
  readonly pointer: string
  readonly code: string
  readonly detail: string
  readonly limit?: number
  readonly actual?: number
}

/** Why something was not done. `detail` is a sentence for people; `status` is 0 where no answer came. */
export class Refusal extends Error {
  readonly status: number
  readonly reason: string
  readonly detail: string
  readonly errors: readonly Problem[]
  /** The version that is there now, where ours was out of date (412). */
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

/** In words for whoever tried it. What is no refusal is a fault of ours. */
export const wordsOf = (error: unknown): string =>
  error instanceof Refusal
    ? error.detail
    : 'Something went wrong in this page. Try again; if it stays, load the page anew.'

/** What is wrong with this field or in it, if the server said so: its words are a sentence, or begin with a verb. */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof Refusal)) return undefined
  const found = error.errors.find(({ pointer }) => pointer === `/${field}` || pointer.startsWith(`/${field}/`))
  if (!found || /^[A-Z]/.test(found.detail)) return found?.detail
  return `This ${found.detail.replace(/\.$/, '')}.`
}
