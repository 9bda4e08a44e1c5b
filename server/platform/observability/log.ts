import { hostname } from 'node:os'
import { type Logger, pino } from 'pino'

export type { Logger }

/** The name of this process in logs, metrics and traces. */
export const instanceName = (given: string): string => given || `${hostname()}:${process.pid}`

/** JSON lines on standard output, written in batches; the last batch is flushed at exit. */
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
