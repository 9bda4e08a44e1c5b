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
