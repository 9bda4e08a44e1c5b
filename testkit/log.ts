import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Logger } from '../server/platform/observability/log.ts'

export const silentLog = (): Logger => pino({ level: 'silent' })

/** A log at trace level, whose lines a test reads. */
export function captureLog(): { log: Logger; lines: string[] } {
  const lines: string[] = []
  const kept = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: pino({ level: 'trace' }, kept), lines }
}
