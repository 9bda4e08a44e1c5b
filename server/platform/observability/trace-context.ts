/** W3C Trace Context: `00-<trace id>-<span id>-<flags>`. https://www.w3.org/TR/trace-context/ */
const shape = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/

export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

export function readTraceparent(given: unknown): TraceContext | undefined {
  // Version 00 has 55 characters; a later one may have more, and none needs many.
  const [, traceId, spanId, flags] = (typeof given === 'string' && given.length <= 128 && shape.exec(given)) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const writeTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-0${Number(isSampled)}`
