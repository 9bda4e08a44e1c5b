import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Counter, Histogram } from 'prom-client'
import type { Logger } from './log.ts'
import { beginSpan, isTracing, readTraceparent, type Span, within } from './tracing.ts'

interface RequestMetrics {
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>
}

/**
 * One log line and one measurement per response, by route and never by URL, which anyone can make up. One hook for
 * both: Fastify creates `routeOptions` on each access. A route with log level `warn` only logs failures.
 */
export function observeRequests(app: FastifyInstance, { requestSeconds }: RequestMetrics): void {
  const known = new Map<string, ReturnType<typeof requestSeconds.labels>>()
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const { statusCode: status, elapsedTime } = reply
    const { url: route = 'none', logLevel } = request.routeOptions

    const key = `${method} ${route} ${status}`
    const labelled = known.get(key) ?? requestSeconds.labels(method, route, String(status))
    known.set(key, labelled)
    labelled.observe(elapsedTime / 1000)

    const isFailure = status >= 500
    if (!isFailure && logLevel === 'warn') return done()
    const line = {
      event: 'answered',
      ...requestFields(request),
      method,
      route,
      status,
      ms: Math.round(elapsedTime * 10) / 10,
    }
    if (isFailure) request.log.warn(line)
    else request.log.info(line)
    done()
  })
}

/** Refusals must cost almost nothing: they are counted, and logged once a second. */
export function countRefusals(log: Logger, refusedRequests: Counter<'weight'>): (weight: string) => void {
  let unlogged = 0
  return (weight) => {
    refusedRequests.inc({ weight })
    unlogged += 1
    if (unlogged > 1) return
    setTimeout(() => {
      log.warn({ event: 'refusing', requests: unlogged })
      unlogged = 0
    }, 1000).unref()
  }
}

export const requestIdHeader = 'x-request-id'

/**
 * What proxies and clients generate: UUIDs, hexadecimal, base64, HAProxy's addresses. Nothing that could end a line or
 * a tag.
 */
const shape = /^[A-Za-z0-9][\w.:+/=-]{7,127}$/

/** The client's own if it is safe to log and show, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[requestIdHeader]
  return typeof given === 'string' && shape.test(given) ? given : randomUUID()
}

/** Fields of every log line about a request. */
export function requestFields(request: FastifyRequest): { readonly request: string; readonly trace?: string } {
  const { id, headers } = request
  const trace =
    spanOf(request) ?? (headers.traceparent === undefined ? undefined : readTraceparent(headers.traceparent))
  return trace ? { request: id, trace: trace.traceId } : { request: id }
}

const spans = new WeakMap<FastifyRequest, Span>()

const spanOf = (request: FastifyRequest): Span | undefined => spans.get(request)

/** One span per request, named by its route and never by its URL, which may contain personal data. */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = readTraceparent(request.headers.traceparent)
    const span = beginSpan({ name: request.method, kind: 'server', parent })
    if (span) spans.set(request, span)
    within(span, done)
  })
  // The body arrives through socket events, which have lost the async context.
  app.addHook('preValidation', (request, _reply, done) => within(spans.get(request), done))
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const { url: route = 'none' } = request.routeOptions
    const status = reply.statusCode
    spans.get(request)?.end({
      name: `${method} ${route}`,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'standfirst.request.id': request.id,
      },
      failure: status >= 500 ? String(status) : undefined,
    })
    done()
  })
}
