import { createWriteStream } from 'node:fs'
import type { Result } from '../../testkit/desk-client.ts'
import type { Arrival, Kill, Publication } from './webhooks/evidence.ts'

/** All that happened, a line each: op, key, start, end, result, in the order it ended. */
export function openHistory(file: string) {
  const stream = createWriteStream(file)
  const line = (op: string, key: string, start: number, end: number, result: Result, more: object = {}) =>
    stream.write(`${JSON.stringify({ op, key, start, end, result, ...more })}\n`)
  return {
    file,
    published: ({ piece, writer, start, end, result }: Publication) =>
      line('publish', piece, start, end, result, { writer }),
    arrived: ({ message, writer, at, status, doubt }: Arrival) => {
      const result = status === null ? 'unknown' : status < 300 ? 'ok' : 'fail'
      line('deliver', message, at, Date.now(), result, { writer, status, ...(doubt ? { doubt } : {}) })
    },
    killed: ({ worker, at, step }: Kill) => line('kill', worker, at, at, 'ok', { step }),
    close: () => new Promise<void>((resolve) => stream.end(resolve)),
  }
}
