import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { after, test } from 'node:test'
import { processRegistry } from '../../server/features/metrics.ts'
import { createExporter } from '../../server/platform/observability/otlp.ts'
import { startTracing } from '../../server/platform/observability/tracing.ts'
import { testApp } from '../../testkit/app.ts'
import { captureLog } from '../../testkit/log.ts'
import { serve } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite } from '../../testkit/webhook-site.ts'

/** Traces as a collector receives them. Other test files may share this process, so each test looks for its own trace. */

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status?: { readonly code: number; readonly message: string }
}

async function startCollector(status = 200) {
  const got: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []
  const server = await serve(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    got.push({ path: request.url, headers: request.headers, body })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  const spans = (): Span[] =>
    got.flatMap(({ body }) =>
      JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    )
  const endpoint = `${server.base}/`
  return { endpoint, got, spans, of: (traceId: string) => spans().filter((span) => span.traceId === traceId) }
}

const attribute = (span: Span | undefined, name: string): unknown =>
  Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0]

const clientSpan = '00f067aa0ba902b7'
const traceparent = (traceId: string, flags = '01') => `00-${traceId}-${clientSpan}-${flags}`

const collector = await startCollector()
const resource = { 'service.name': 'standfirst', 'service.instance.id': 'web-1' }
const tracing = startTracing({
  endpoint: collector.endpoint,
  headers: { 'x-key': 'of the collector' },
  share: 1,
  resource,
})
after(() => tracing.stop())
const site = await openWebhookSite()

test('a publication is one trace: the request under its client’s span, its SQL, the purge and the webhook under it', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const one = await site.subscribe()
  const headline = 'A headline that no trace has'
  const id = await one.desk.begin({ headline })
  const { nonce } = (await one.desk.ask('POST', `pieces/${id}/preview`)).json()
  const path = `pieces/${id}/publish`
  const answer = await one.desk.ask('POST', path, { nonce }, { traceparent: traceparent(traceId) })
  assert.equal(answer.statusCode, 200, answer.body)
  await one.until(({ state }) => state === 'delivered')
  const find = (name: string) => collector.of(traceId).find((span) => span.name === name)
  await until(() => find('webhook piece.published') && find('job cache.purge'), 'the spans of the worker')

  const request = find('POST /desk/api/pieces/:id/publish')!
  assert.deepEqual([request.parentSpanId, request.kind, request.status], [clientSpan, 2, undefined])
  assert.equal(attribute(request, 'http.response.status_code'), '200')
  assert.equal(attribute(request, 'standfirst.request.id'), answer.headers['x-request-id'])
  for (const [name, kind] of [
    ['begin', 3],
    ['app.desk_publish', 3],
    ['app.fill_delivery', 3],
    ['commit', 3],
    ['job cache.purge', 5],
    ['webhook piece.published', 3],
  ] as const) {
    const span = find(name)
    assert.deepEqual([span?.parentSpanId, span?.kind], [request.spanId, kind], name)
    assert.ok(BigInt(span!.endTimeUnixNano) >= BigInt(span!.startTimeUnixNano), name)
  }
  assert.equal(attribute(find('webhook piece.published'), 'standfirst.outcome'), 'delivered')
  assert.equal(attribute(find('app.desk_publish'), 'db.system.name'), 'postgresql')

  const sent = collector.got.map(({ body }) => body).join()
  for (const secret of [headline, nonce, one.url, one.secret, one.writer.id])
    assert.ok(!sent.includes(secret), `a trace has ${secret}`)
  assert.equal(one.received()[0]!.headers['traceparent'], undefined, 'a stranger is told nothing of our trace')
  const [first] = collector.got
  assert.deepEqual([first!.path, first!.headers['x-key']], ['/v1/traces', 'of the collector'])
  assert.deepEqual(JSON.parse(first!.body).resourceSpans[0].resource.attributes[1], {
    key: 'service.instance.id',
    value: { stringValue: 'web-1' },
  })
})

test('what fails is marked, a log line has the trace of a request without a traceparent, and what is not sampled is not sent', async () => {
  const { log, lines } = captureLog()
  const app = await testApp('postgres://nobody@127.0.0.1:1/none', {}, log)
  const off = 'a'.repeat(32)
  await app.inject({ url: '/api/public/pieces/recent', headers: { traceparent: traceparent(off, '00') } })
  const { headers } = await app.inject('/api/public/pieces/recent')
  const line = lines.map((one) => JSON.parse(one)).find(({ request }) => request === headers['x-request-id'])
  assert.match(line.trace, /^[0-9a-f]{32}$/)
  await until(() => collector.of(line.trace).length > 0, 'the trace arrives')
  const request = collector.of(line.trace).find(({ name }) => name === 'GET /api/public/pieces/recent')!
  assert.deepEqual([request.parentSpanId, request.status], [undefined, { code: 2, message: '503' }])
  assert.deepEqual(collector.of(off), [])
})

test('what a collector does not take, and what is too much, is dropped and counted', async () => {
  const dropped = async () => {
    const { values } = await processRegistry().getSingleMetric('standfirst_trace_spans_total')!.get()
    return values.find(({ labels }) => labels['outcome'] === 'dropped')?.value ?? 0
  }
  const full = await startCollector(503)
  const exporter = createExporter({ endpoint: full.endpoint, headers: {}, resource: {} })
  const before = await dropped()
  const span = {
    traceId: 'c'.repeat(32),
    spanId: clientSpan,
    name: 'x',
    kind: 'internal',
    start: 1,
    end: 2,
    attributes: {},
  } as const
  // All at once, so that only the first 512, already being sent, leave meanwhile.
  for (let count = 0; count < 5000; count += 1) exporter.add(span)
  assert.equal((await dropped()) - before, 5000 - 512 - 4096)
  await until(async () => {
    await exporter.stop()
    return (await dropped()) - before === 5000
  }, 'all are dropped')
  assert.equal(full.got.length, (512 + 4096) / 512)
})

test('once it is off nothing is traced, and the log still has the trace of a caller', async () => {
  await tracing.stop()
  const traceId = 'd'.repeat(32)
  const { log, lines } = captureLog()
  const app = await testApp(site.url, {}, log)
  await app.inject({ url: '/api/public/pieces/recent', headers: { traceparent: traceparent(traceId) } })
  assert.equal(JSON.parse(lines.find((line) => line.includes('"answered"'))!).trace, traceId)
  assert.deepEqual(collector.of(traceId), [])
})
