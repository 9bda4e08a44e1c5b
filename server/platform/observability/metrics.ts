import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import { ofDatabases } from './database.ts'
import { instanceName } from './log.ts'
import { spansTold } from './otlp.ts'
import { ofReplicas } from './replicas.ts'
import { ofServices } from './services.ts'

export interface Metrics {
  readonly registry: Registry
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>
  readonly partialSearches: Counter
  readonly ignoredMembers: Counter<'member'>
  readonly toolCalls: Counter<'tool' | 'outcome'>
  readonly droppedReads: Counter
  readonly limitedReads: Counter
  readonly refusedRequests: Counter<'weight'>
}

/** Of the process: its jobs, where it runs any. */
export const jobSeconds = new Histogram({
  name: 'standfirst_job_seconds',
  help: 'Time of one try at a job, by what became of it: done, failed, given_up',
  labelNames: ['job', 'outcome'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
  registers: [],
})

export const signUpEmailsRefused = new Counter({
  name: 'standfirst_sign_up_emails_refused_total',
  help: 'Emails to addresses written into the sign-up form that were not sent: SIGN_UP_EMAILS_PER_HOUR or _PER_DAY was met',
  registers: [],
})

/** Of the process: its deliveries, where it makes any. */
export const deliverySeconds = new Histogram({
  name: 'standfirst_delivery_attempt_seconds',
  help: 'Time of one attempt at a delivery, by what it met: delivered, status (any but 2xx), timeout, dns and so on',
  labelNames: ['outcome'] as const,
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers: [],
})
export const deliveryLateness = new Histogram({
  name: 'standfirst_delivery_lateness_seconds',
  help: 'Time from an order to its first attempt',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300],
  registers: [],
})

/** Of the machine: its clock, where webhooks are sent. */
export const clockAhead = new Gauge({
  name: 'standfirst_clock_ahead_seconds',
  help: 'By how much the clock of a worker is ahead of the database; beyond 60 either way it sends no webhooks',
  registers: [],
})

/** Webhooks that answer, or those that fail: who has something to be sent. */
export interface Backlog {
  readonly line: 'answering' | 'failing'
  /** In line now. */
  readonly ready: number
  /** Whose time will come, or who are being called as often at once as they may. */
  readonly later: number
  /** Attempts. */
  readonly under_way: number
  /** Seconds that the first in line has stood there. */
  readonly longest: number
}

let askBacklog: (() => Promise<readonly Backlog[]>) | undefined
let asked: Promise<readonly Backlog[]> | undefined

/** Of the site, as a worker in this process sees it: asked for whenever somebody looks. */
export function watchBacklog(ask: typeof askBacklog): void {
  askBacklog = ask
}

/** Once for all gauges. A database that is away must not hide the other figures; that these are missing tells enough. */
function backlog(): Promise<readonly Backlog[]> {
  asked ??= (askBacklog?.() ?? Promise.resolve([]))
    .catch(() => [])
    .finally(() => {
      asked = undefined
    })
  return asked
}

const webhooksInLine = new Gauge({
  name: 'standfirst_webhook_queue_length',
  help: 'Webhooks with something to send: ready for a worker, or later; whose server is answering or failing; of the whole site',
  labelNames: ['line', 'state'] as const,
  registers: [],
  async collect() {
    this.reset()
    for (const { line, ready, later } of await backlog())
      for (const [state, count] of Object.entries({ ready, later })) this.set({ line, state }, count)
  },
})
const longestInLine = new Gauge({
  name: 'standfirst_webhook_ready_seconds',
  help: 'For how long the webhook that is ready longest has waited for a worker, where the server is answering or failing',
  labelNames: ['line'] as const,
  registers: [],
  async collect() {
    this.reset()
    for (const { line, longest } of await backlog()) this.set({ line }, longest)
  },
})
const underWay = new Gauge({
  name: 'standfirst_deliveries_under_way',
  help: 'Attempts under way, where the server is answering or failing; of the whole site',
  labelNames: ['line'] as const,
  registers: [],
  async collect() {
    this.reset()
    for (const { line, under_way } of await backlog()) this.set({ line }, under_way)
  },
})

/** Public pieces that search has not filed yet. */
export interface Waiting {
  readonly pieces: number
  /** Seconds that the first of them has waited. */
  readonly longest: number
}

let askWaiting: (() => Promise<Waiting>) | undefined
let askedWaiting: Promise<Waiting | undefined> | undefined

/** As `watchBacklog`. */
export function watchFiling(ask: typeof askWaiting): void {
  askWaiting = ask
}

function waiting(): Promise<Waiting | undefined> {
  askedWaiting ??= (askWaiting?.() ?? Promise.resolve(undefined))
    .catch(() => undefined)
    .finally(() => {
      askedWaiting = undefined
    })
  return askedWaiting
}

const gaugeOfWaiting = (name: string, help: string, figure: keyof Waiting) =>
  new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      const found = await waiting()
      if (found) this.set(found[figure])
      else this.remove({})
    },
  })
const waitingPieces = gaugeOfWaiting(
  'standfirst_search_waiting_pieces',
  'Public pieces that wait to be filed for search; up to 2,000 of them are found meanwhile; of the whole site',
  'pieces',
)
const waitingSeconds = gaugeOfWaiting(
  'standfirst_search_waiting_seconds',
  'For how long the piece that waits longest to be filed for search has waited',
  'longest',
)

let askSecurity: (() => Promise<readonly { readonly act: string; readonly count: number }[]>) | undefined

/** As `watchBacklog`. */
export function watchSecurity(ask: typeof askSecurity): void {
  askSecurity = ask
}

const securityEvents = new Gauge({
  name: 'standfirst_security_events',
  help: 'What happened to accounts in the last hour, by act; wrong_try: wrong passwords, also for addresses without an account; chain_broken: histories that the last check found broken; of the whole site',
  labelNames: ['act'] as const,
  registers: [],
  async collect() {
    this.reset()
    for (const { act, count } of (await askSecurity?.().catch(() => [])) ?? []) this.set({ act }, count)
  },
})

/** What every process measures: itself, and what a worker in it does. */
export function processRegistry(instance = ''): Registry {
  const registry = new Registry()
  new Gauge({
    name: 'standfirst_process_info',
    help: 'Always 1: what this process is called in its log and traces (INSTANCE)',
    labelNames: ['process'],
    registers: [registry],
  }).set({ process: instanceName(instance) }, 1)
  collectDefaultMetrics({ register: registry })
  const ofJobs = [jobSeconds, signUpEmailsRefused, deliverySeconds, deliveryLateness, clockAhead]
  const ofTheSite = [webhooksInLine, longestInLine, underWay, waitingPieces, waitingSeconds, securityEvents]
  for (const metric of [...ofJobs, ...ofTheSite, ...ofReplicas, ...ofDatabases, ...ofServices, spansTold])
    registry.registerMetric(metric as Metric)
  return registry
}

export function createMetrics(databases: readonly Database[], instance = ''): Metrics {
  const registry = processRegistry(instance)
  new Gauge({
    name: 'standfirst_database_connections',
    help: 'Connections by pool and state',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const { name, pool } of databases.flatMap(({ pools }) => pools)) {
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
    help: 'Members sent to the write API that only the site decides, such as status, and that were ignored',
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
  const limitedReads = new Counter({
    name: 'standfirst_limited_reads_total',
    help: 'Reads that were not counted: their network had 60 in this minute',
    registers: [registry],
  })
  const refusedRequests = new Counter({
    name: 'standfirst_refused_requests_total',
    help: 'Requests refused before anything was done for them, since too many were under way, by what they weigh',
    labelNames: ['weight'] as const,
    registers: [registry],
  })
  return {
    registry,
    requestSeconds,
    partialSearches,
    ignoredMembers,
    toolCalls,
    droppedReads,
    limitedReads,
    refusedRequests,
  }
}
