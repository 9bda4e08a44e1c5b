export type OutboundFailure =
  /** The text of the address breaks a rule. */
  | 'forbidden_url'
  /** Its name leads to an address that is not public. */
  | 'forbidden_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  /** The connection ended before the answer did. */
  | 'reset'
  | 'too_many_headers'
  /** The answer is not HTTP. */
  | 'protocol'

/** A call without an answer. Its message may be shown to the writer who gave the address. */
export class OutboundError extends Error {
  readonly kind: OutboundFailure
  /** Filled in by the call. Never a forbidden address: it would tell a stranger what our name servers know. */
  address: string | undefined
  ms = 0

  constructor(kind: OutboundFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
    this.kind = kind
  }
}

/** ` (ECONNREFUSED)`: what to search for, after the words. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? ` (${code})` : ''
}
