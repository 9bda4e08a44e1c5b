import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readTraceparent } from '../observability/trace-context.ts'
import { beginSpan, isTracing, type Span, within } from '../observability/tracing.ts'

const spans = new WeakMap<FastifyRequest, Span>()

export const spanOf = (request: FastifyRequest): Span | undefined => spans.get(request)

/** One span for each request, named by its route and never by the address asked, which may say something of a person. */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = readTraceparent(request.headers.traceparent)
    const span = beginSpan({ name: request.method, kind: 'server', parent })
    if (span) spans.set(request, span)
    within(span, done)
  })
  // A body arrives by events of the socket, which know nothing of what waited for it.
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
