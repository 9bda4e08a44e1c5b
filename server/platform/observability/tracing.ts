import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { type Attributes, createExporter, type Exporter, type ExporterSettings, type FinishedSpan } from './otlp.ts'
import { type TraceContext, writeTraceparent } from './trace-context.ts'

/**
 * Traces of requests, statements, jobs and deliveries. Without OTEL_EXPORTER_OTLP_ENDPOINT there are none: every function
 * here then answers at once with undefined.
 */

export interface Span extends TraceContext {
  /** `name` where it is better known at the end than at the beginning. */
  end(told?: { readonly name?: string; readonly attributes?: Attributes; readonly failure?: string | undefined }): void
}

interface Tracing {
  readonly exporter: Exporter
  readonly share: number
}

let tracing: Tracing | undefined
const active = new AsyncLocalStorage<Span | undefined>()

export interface TracingSettings extends ExporterSettings {
  /** How many traces of one are kept. */
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

interface Beginning {
  readonly name: string
  readonly kind: FinishedSpan['kind']
  readonly attributes?: Attributes
  /** Of another process; otherwise it begins a trace. */
  readonly parent?: TraceContext | undefined
  /** Milliseconds since 1970, where it began before it was told of. */
  readonly start?: number
}

export function beginSpan({ name, kind, attributes = {}, parent, start = now() }: Beginning): Span | undefined {
  if (!tracing) return undefined
  const { exporter, share } = tracing
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  const isSampled = parent?.isSampled !== false && isKept(traceId, share)
  return {
    traceId,
    spanId,
    isSampled,
    end: (told = {}) => {
      if (!isSampled) return
      exporter.add({
        traceId,
        spanId,
        ...(parent ? { parentSpanId: parent.spanId } : {}),
        name: told.name ?? name,
        kind,
        start,
        end: now(),
        attributes: { ...attributes, ...told.attributes },
        ...(told.failure === undefined ? {} : { failure: told.failure }),
      })
    },
  }
}

/** A part of what is under way; nothing where nothing is. */
export function beginPart(
  kind: FinishedSpan['kind'],
  describe: () => Pick<Beginning, 'name' | 'attributes'>,
): Span | undefined {
  const parent = tracing && active.getStore()
  return parent?.isSampled ? beginSpan({ ...describe(), kind, parent }) : undefined
}

/** Whatever `work` begins is a part of the span. */
export const within = <T>(span: Span | undefined, work: () => T): T => (span ? active.run(span, work) : work())

/** For whoever goes on with this in another process of ours; never for a stranger. */
export function traceparentNow(): string | undefined {
  const span = tracing && active.getStore()
  return span && writeTraceparent(span)
}

/** By the id alone, so that all processes keep the same traces. */
const isKept = (traceId: string, share: number): boolean => Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32

const now = (): number => performance.timeOrigin + performance.now()
