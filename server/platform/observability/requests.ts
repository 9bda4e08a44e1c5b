import type { FastifyInstance } from 'fastify'
import { requestFields } from '../http/request-id.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

/**
 * Every answer as one line of log and one measurement, by the route it matched and never by the address asked,
 * which anyone can make up. One hook for both: Fastify makes `routeOptions` anew each time it is read. A route with
 * the log level `warn` has lines of what failed alone.
 */
export function observeRequests(app: FastifyInstance, { requestSeconds }: Metrics): void {
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

/** Refusals must cost next to nothing: they are counted, and told of once a second. */
export function countRefusals(log: Logger, refusedRequests: Metrics['refusedRequests']): (weight: string) => void {
  let untold = 0
  return (weight) => {
    refusedRequests.inc({ weight })
    untold += 1
    if (untold > 1) return
    setTimeout(() => {
      log.warn({ event: 'refusing', requests: untold })
      untold = 0
    }, 1000).unref()
  }
}
