import { Counter, Histogram } from 'prom-client'
import { beginPart } from './tracing.ts'

/** Per process: duration of statements, waiting time for connections, and failures. */

const statementSeconds = new Histogram({
  name: 'standfirst_database_seconds',
  help: 'Time of one statement, from being sent to being answered, by pool and by what it is: select, call (of a function), insert, update, delete, begin, commit, rollback, other',
  labelNames: ['pool', 'statement'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5],
  registers: [],
})
const connectionWait = new Histogram({
  name: 'standfirst_database_wait_seconds',
  help: 'How long statements and transactions waited for a connection, or for one to be opened; most find one idle and are not counted',
  labelNames: ['pool'] as const,
  buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1],
  registers: [],
})
const failures = new Counter({
  name: 'standfirst_database_failures_total',
  help: 'Statements that got no result: away (not reached, silent, stopping or starting), busy (a time-out, no connection or no room to be had), crowded (too many waited)',
  labelNames: ['pool', 'kind'] as const,
  registers: [],
})

export const databaseMetrics = [statementSeconds, connectionWait, failures]

const known = /^\s*(select|insert|update|delete|begin|commit|rollback)\b/i
const call = /^\s*select\s+(?:\*\s+from\s+)?(\w+\.\w+)\(/i

/** Most texts are constants; the number of cached ones is limited because of generated texts. */
const classes = new Map<string, string>()
const mostClasses = 500

/** One of a few classes for every text. */
function classOf(text: string): string {
  // Contains the credential of a transaction: different each time, so not cached.
  if (text.startsWith('begin')) return 'begin'
  const kept = classes.get(text)
  if (kept !== undefined) return kept
  const found = call.test(text) ? 'call' : (known.exec(text)?.[1]?.toLowerCase() ?? 'other')
  if (classes.size < mostClasses) classes.set(text, found)
  return found
}

export interface PoolWatch {
  /** Starts a statement, which may have a name; call the result when it ends. */
  begin(text: string, name?: string): (error?: unknown) => void
  waited(milliseconds: number): void
  failed(kind: 'away' | 'busy' | 'crowded'): void
}

export function watchPool(pool: string): PoolWatch {
  const seconds = new Map<string, { observe(value: number): void }>()
  const waits = connectionWait.labels(pool)
  // Initialised to 0, so that the first failure is an increase.
  for (const kind of ['away', 'busy', 'crowded']) failures.labels(pool, kind).inc(0)
  const of = (statement: string) => {
    const labelled = seconds.get(statement) ?? statementSeconds.labels(pool, statement)
    seconds.set(statement, labelled)
    return labelled
  }
  return {
    begin(text, name) {
      const statement = classOf(text)
      const labelled = of(statement)
      // Never its text or parameters.
      const span = beginPart('client', () => ({
        name: name ?? call.exec(text)?.[1] ?? statement,
        attributes: { 'db.system.name': 'postgresql', 'db.operation.name': statement, 'standfirst.pool': pool },
      }))
      const start = performance.now()
      return (error) => {
        labelled.observe((performance.now() - start) / 1000)
        span?.end({ failure: error === undefined ? undefined : ((error as { code?: string }).code ?? 'no answer') })
      }
    },
    waited: (milliseconds) => waits.observe(milliseconds / 1000),
    failed: (kind) => failures.inc({ pool, kind }),
  }
}
