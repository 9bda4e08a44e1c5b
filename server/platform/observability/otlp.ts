import { Counter } from 'prom-client'

/** Exports spans to a collector: OTLP over HTTP as JSON. https://opentelemetry.io/docs/specs/otlp/#otlphttp */

export const exportedSpans = new Counter({
  name: 'standfirst_trace_spans_total',
  help: 'Spans of traces, by what became of them: sent, dropped (too many waited, or the collector did not take them)',
  labelNames: ['outcome'] as const,
  registers: [],
})

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const

export interface FinishedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string | undefined
  readonly name: string
  readonly kind: keyof typeof kinds
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Attributes
  readonly failure?: string | undefined
}

export interface ExporterSettings {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** Attributes of the process: `service.name` and so on. */
  readonly resource: Attributes
}

export interface Exporter {
  add(span: FinishedSpan): void
  /** Sends what is left. */
  stop(): Promise<void>
}

/** A second of a busy process; more while the collector is down is dropped and counted. */
const mostWaiting = 4096
const mostAtOnce = 512
const sendEvery = 2000
const patience = 5000

export function createExporter({ endpoint, headers, resource }: ExporterSettings): Exporter {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const waiting: FinishedSpan[] = []
  let sending: Promise<void> | undefined

  const send = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostAtOnce)
      const isTaken = await post(url, headers, written(batch, resource))
      exportedSpans.inc({ outcome: isTaken ? 'sent' : 'dropped' }, batch.length)
      if (!isTaken) return
    }
  }
  const flush = () => {
    sending ??= send().finally(() => {
      sending = undefined
    })
    return sending
  }
  const timer = setInterval(flush, sendEvery)
  timer.unref()
  return {
    add(span) {
      if (waiting.length >= mostWaiting) return exportedSpans.inc({ outcome: 'dropped' })
      waiting.push(span)
      if (waiting.length === mostAtOnce) void flush()
    },
    stop: async () => {
      clearInterval(timer)
      await flush()
      await flush()
    },
  }
}

/** The operator chose this address, so the guard for users' URLs does not apply. Failures are only counted. */
async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}

const written = (spans: readonly FinishedSpan[], resource: Attributes): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'standfirst' }, spans: spans.map(spanOf) }],
      },
    ],
  })

const spanOf = ({ kind, start, end, attributes, failure, ...span }: FinishedSpan) => ({
  ...span,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(start),
  endTimeUnixNano: nanoseconds(end),
  attributes: attributesOf(attributes),
  ...(failure === undefined ? {} : { status: { code: 2, message: failure } }),
})

/** As a string: a JavaScript number is exact to a quarter of a microsecond here. */
const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1000)}000`

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: { [typeOf(value)]: typeof value === 'number' ? String(value) : value } }],
  )

/** Integers are strings in OTLP's JSON; there are no other numbers. */
const typeOf = (value: string | number | boolean): string =>
  typeof value === 'string' ? 'stringValue' : typeof value === 'number' ? 'intValue' : 'boolValue'
