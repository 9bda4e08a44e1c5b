import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { type Attributes, createExporter, type Exporter, type ExporterSettings, type FinishedSpan } from './otlp.ts'

/**
 * Traces of requests, statements, jobs and deliveries. Without OTEL_EXPORTER_OTLP_ENDPOINT every function here returns
 * undefined immediately.
 */

export interface Span extends TraceContext {
  /** `name` if it is known better at the end. */
  end(result?: {
    readonly name?: string
    readonly attributes?: Attributes
    readonly failure?: string | undefined
  }): void
}

interface Tracing {
  readonly exporter: Exporter
  readonly share: number
}

let tracing: Tracing | undefined
const active = new AsyncLocalStorage<Span | undefined>()

export interface TracingSettings extends ExporterSettings {
  /** Share of traces to keep, from 0 to 1. */
  readonly share: number
}

export function startTracing({ share, ...settings }: TracingSettings): { stop(): Promise<void> } {
  const exporter = createExporter(settings)
  tracing = { exporter, share }
  return {
    stop: () => {
      tracing = undefined
      return exporter.stop()
    },
  }
}

export const isTracing = (): boolean => tracing !== undefined

interface SpanStart {
  readonly name: string
  readonly kind: FinishedSpan['kind']
  readonly attributes?: Attributes
  /** In another process; without it a new trace begins. */
  readonly parent?: TraceContext | undefined
  /** Milliseconds since 1970, if it began earlier. */
  readonly start?: number
}

export function beginSpan({ name, kind, attributes = {}, parent, start = now() }: SpanStart): Span | undefined {
  if (!tracing) return undefined
  const { exporter, share } = tracing
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  const isSampled = parent?.isSampled !== false && isSampledId(traceId, share)
  return {
    traceId,
    spanId,
    isSampled,
    end: (result = {}) => {
      if (!isSampled) return
      exporter.add({
        traceId,
        spanId,
        ...(parent ? { parentSpanId: parent.spanId } : {}),
        name: result.name ?? name,
        kind,
        start,
        end: now(),
        attributes: { ...attributes, ...result.attributes },
        ...(result.failure === undefined ? {} : { failure: result.failure }),
      })
    },
  }
}

/** A child of the current span; undefined if there is none. */
export function beginPart(
  kind: FinishedSpan['kind'],
  describe: () => Pick<SpanStart, 'name' | 'attributes'>,
): Span | undefined {
  const parent = tracing && active.getStore()
  return parent?.isSampled ? beginSpan({ ...describe(), kind, parent }) : undefined
}

/** Everything that `work` begins is a child of the span. */
export const within = <T>(span: Span | undefined, work: () => T): T => (span ? active.run(span, work) : work())

/** For another process of ours; never sent to third parties. */
export function traceparentNow(): string | undefined {
  const span = tracing && active.getStore()
  return span && writeTraceparent(span)
}

/** By the id alone, so that all processes keep the same traces. */
const isSampledId = (traceId: string, share: number): boolean =>
  Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32

const now = (): number => performance.timeOrigin + performance.now()

/** W3C Trace Context: `00-<trace id>-<span id>-<flags>`. https://www.w3.org/TR/trace-context/ */
const shape = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/

export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

export function readTraceparent(given: unknown): TraceContext | undefined {
  // Version 00 has 55 characters; a later one may have more, but not many.
  const [, traceId, spanId, flags] = (typeof given === 'string' && given.length <= 128 && shape.exec(given)) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

const writeTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-0${Number(isSampled)}`
