import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/database.ts'

export interface Metrics {
  readonly registry: Registry
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>
  readonly partialSearches: Counter
  readonly ignoredMembers: Counter<'member'>
  readonly toolCalls: Counter<'tool' | 'outcome'>
  readonly droppedReads: Counter
}

/** Of the process: its jobs, where it runs any. */
export const jobSeconds = new Histogram({
  name: 'standfirst_job_seconds',
  help: 'Time of one try at a job, by what became of it: done, failed, given_up',
  labelNames: ['job', 'outcome'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
  registers: [],
})

export function createMetrics(databases: readonly Database[]): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(jobSeconds)
  new Gauge({
    name: 'standfirst_database_connections',
    help: 'Connections by pool and state',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const { name, pool } of databases) {
        this.set({ pool: name, state: 'idle' }, pool.idleCount)
        this.set({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount)
        this.set({ pool: name, state: 'awaited' }, pool.waitingCount)
      }
    },
  })
  const requestSeconds = new Histogram({
    name: 'standfirst_request_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  const partialSearches = new Counter({
    name: 'standfirst_partial_searches_total',
    help: 'Searches that ran out of their time',
    registers: [registry],
  })
  const ignoredMembers = new Counter({
    name: 'standfirst_ignored_members_total',
    help: 'Members sent to the write API that only the house decides, such as status, and that were ignored',
    labelNames: ['member'] as const,
    registers: [registry],
  })
  const toolCalls = new Counter({
    name: 'standfirst_tool_calls_total',
    help: 'Calls of tools, by what became of them: answered, refused (the caller can mend it), failed (ours)',
    labelNames: ['tool', 'outcome'] as const,
    registers: [registry],
  })
  const droppedReads = new Counter({
    name: 'standfirst_dropped_reads_total',
    help: 'Reads that were not counted: too many waited for the database',
    registers: [registry],
  })
  return { registry, requestSeconds, partialSearches, ignoredMembers, toolCalls, droppedReads }
}
