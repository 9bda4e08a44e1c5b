import { hostname } from 'node:os'
import { type Logger, pino } from 'pino'

export type { Logger }

/** Which process of a site this is, in lines of log, metrics and traces. */
export const instanceName = (given: string): string => given || `${hostname()}:${process.pid}`

/** JSON lines on standard output, written in batches; the last one is flushed at exit. */
export function createLog(level: string, instance = ''): Logger {
  return pino(
    {
      level,
      base: { instance: instanceName(instance) },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['req.headers.authorization', 'req.headers.cookie'], remove: true },
    },
    pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 500 }),
  )
}
