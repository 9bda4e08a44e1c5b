import { readTraceparent, type TraceContext } from '../observability/trace-context.ts'
import { traceparentNow } from '../observability/tracing.ts'
import type { Transaction } from './database.ts'

/**
 * A trace that goes on in another process of ours, handed over by NOTIFY with the commit: no table has to keep it. Who was
 * not listening begins a trace of their own.
 */
const word = 'trace'
const mostKept = 1000

export async function handOnTrace(tx: Transaction, channel: string, key: string): Promise<void> {
  const traceparent = traceparentNow()
  if (traceparent) await tx.query('select pg_notify($1, $2)', [channel, `${word} ${key} ${traceparent}`])
}

export interface TraceHandover {
  hear(payload: string | undefined): void
  of(key: string | undefined): TraceContext | undefined
}

export function keepHandedTraces(): TraceHandover {
  const kept = new Map<string, TraceContext>()
  return {
    hear(payload = '') {
      const [said, key, traceparent] = payload.split(' ')
      const trace = said === word ? readTraceparent(traceparent) : undefined
      if (!key || !trace) return
      kept.set(key, trace)
      const [oldest] = kept.keys()
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    },
    of: (key) => (key === undefined ? undefined : kept.get(key)),
  }
}
