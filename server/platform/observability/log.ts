import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'

export type { Logger }

/** JSON lines on standard output, written in batches; the last one is flushed at exit. */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['req.headers.authorization', 'req.headers.cookie'], remove: true },
    },
    pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 500 }),
  )
}

/** One line an answer, not two: what was asked, what came of it, how long it took. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode
    const line = {
      event: 'answered',
      method: request.method,
      route: request.routeOptions.url,
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    }
    if (status >= 500) request.log.warn(line)
    else request.log.info(line)
    done()
  })
}
