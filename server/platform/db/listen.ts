import pg from 'pg'
import { readTraceparent, type TraceContext, traceparentNow } from '../observability/tracing.ts'
import { assertDirect } from './access.ts'
import type { Transaction } from './database.ts'

const pauseBeforeAnother = 1000

interface Listening {
  readonly url: string
  readonly address?: string
  readonly role?: string
  readonly channel: string
  /** A notification arrived; or, after a reconnect, may have been missed. */
  onNotification(payload?: string): void
  onError(error: Error): void
}

/** Listens to a PostgreSQL channel over a dedicated connection, and reconnects when it breaks. */
export function startListening({ url, address = 'The address', role, channel, onNotification, onError }: Listening): {
  stop(): Promise<void>
} {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const open = async () => {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'standfirst listening',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      ...(role ? { options: `-c role=${role}` } : {}),
    })
    client = fresh
    const again = (error: Error) => {
      if (stopped || client !== fresh) return
      client = undefined
      onError(error)
      timer = setTimeout(open, pauseBeforeAnother)
      fresh.end().catch(() => {})
    }
    fresh.on('error', again)
    fresh.on('end', () => again(new Error('the connection for listening ended')))
    fresh.on('notification', ({ payload }) => onNotification(payload))
    try {
      await fresh.connect()
      await assertDirect(fresh, address)
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
      onNotification()
    } catch (error) {
      again(error as Error)
    }
  }
  void open()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

/**
 * Hands a trace to another process by NOTIFY with the commit, so no table has to store it. A process that was not
 * listening begins its own trace.
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

export function collectHandedTraces(): TraceHandover {
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
