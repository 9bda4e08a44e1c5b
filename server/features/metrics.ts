import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import { pushMetrics } from '#features/push-metrics.ts'
import type { Database } from '#platform/db/database.ts'
import { databaseMetrics } from '#platform/observability/database.ts'
import { replicaMetrics, serviceMetrics } from '#platform/observability/dependencies.ts'
import { instanceName } from '#platform/observability/log.ts'
import { exportedSpans } from '#platform/observability/otlp.ts'
import { siteFigures } from '#platform/observability/site-figures.ts'

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

/** Per process: its jobs. */
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

/** Per process: its deliveries. */
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

/** Per process: its emails to followers. */
export const readerEmailSeconds = new Histogram({
  name: 'standfirst_reader_email_seconds',
  help: 'Time of one try at an email to a follower, by kind and by what became of it: sent, later (its domain takes none now), interrupted, unsent (the mail server is away), refused (by the address, for good), cancelled, failed',
  labelNames: ['kind', 'outcome'] as const,
  buckets: [0.05, 0.25, 1, 5, 20],
  registers: [],
})

/** Per machine: its clock, where webhooks are sent. */
export const clockAhead = new Gauge({
  name: 'standfirst_clock_ahead_seconds',
  help: 'By how much the clock of a worker is ahead of the database; beyond 60 either way it sends no webhooks',
  registers: [],
})

/** Endpoints that answer, or those that fail, with deliveries to send. */
export interface Backlog {
  readonly endpoints: 'answering' | 'failing'
  /** Ready to be sent. */
  readonly ready: number
  /** Scheduled for later, or at their limit of concurrent calls. */
  readonly later: number
  /** Attempts in progress. */
  readonly under_way: number
  /** Seconds that the first in the queue has waited. */
  readonly longest: number
}

const backlogs = siteFigures<readonly Backlog[]>()
export const watchBacklog = backlogs.watch

const queuedWebhooks = new Gauge({
  name: 'standfirst_webhook_queue_length',
  help: 'Webhooks with something to send: ready for a worker, or later; whose server is answering or failing; of the whole site',
  labelNames: ['endpoints', 'state'] as const,
  registers: [],
  async collect() {
    this.reset()
    for (const { endpoints, ready, later } of (await backlogs.read()) ?? [])
      for (const [state, count] of Object.entries({ ready, later })) this.set({ endpoints, state }, count)
  },
})
const longestQueued = new Gauge({
  name: 'standfirst_webhook_ready_seconds',
  help: 'For how long the webhook that is ready longest has waited for a worker, where the server is answering or failing',
  labelNames: ['endpoints'] as const,
  registers: [],
  async collect() {
    this.reset()
    for (const { endpoints, longest } of (await backlogs.read()) ?? []) this.set({ endpoints }, longest)
  },
})
const deliveriesInProgress = new Gauge({
  name: 'standfirst_deliveries_under_way',
  help: 'Attempts under way, where the server is answering or failing; of the whole site',
  labelNames: ['endpoints'] as const,
  registers: [],
  async collect() {
    this.reset()
    for (const { endpoints, under_way } of (await backlogs.read()) ?? []) this.set({ endpoints }, under_way)
  },
})

/** Documents that search has not indexed yet. */
export interface IndexBacklog {
  readonly pieces: number
  /** Seconds that the oldest has waited. */
  readonly longest: number
}

const indexBacklog = siteFigures<IndexBacklog>()
export const watchIndexing = indexBacklog.watch

const unindexedCount = indexBacklog.gauge(
  'standfirst_search_waiting_pieces',
  'Public pieces that wait to be indexed for search; up to 2,000 of them are found meanwhile; of the whole site',
  ({ pieces }) => pieces,
)
const unindexedSeconds = indexBacklog.gauge(
  'standfirst_search_waiting_seconds',
  'For how long the piece that waits longest to be indexed for search has waited',
  ({ longest }) => longest,
)

/** Emails to followers. */
export interface ReaderEmailBacklog {
  readonly waiting: number
  /** Receiving domains to which an email can be sent now. */
  readonly domains_ready: number
  /** New pieces whose emails are still being ordered. */
  readonly announcements: number
}

const readerEmails = siteFigures<ReaderEmailBacklog>()
export const watchReaderEmails = readerEmails.watch

const waitingReaderEmails = readerEmails.gauge(
  'standfirst_reader_emails_waiting',
  'Emails to followers that wait, digests and retries among them; counted as far as 10,000; of the whole site',
  ({ waiting }) => waiting,
)
const readyMailDomains = readerEmails.gauge(
  'standfirst_mail_domains_ready',
  'Receiving domains to which an email to a follower can be sent now; counted as far as 10,000; of the whole site',
  ({ domains_ready }) => domains_ready,
)
const waitingAnnouncements = readerEmails.gauge(
  'standfirst_announcements_waiting',
  'New pieces whose emails to followers are still being ordered; counted as far as 1,000; of the whole site',
  ({ announcements }) => announcements,
)

const security = siteFigures<readonly { readonly act: string; readonly count: number }[]>()
export const watchSecurity = security.watch

const securityEvents = new Gauge({
  name: 'standfirst_security_events',
  help: 'What happened to accounts in the last hour, by act; wrong_try: wrong passwords, also for addresses without an account; chain_broken: histories that the last check found broken; of the whole site',
  labelNames: ['act'] as const,
  registers: [],
  async collect() {
    this.reset()
    for (const { act, count } of (await security.read()) ?? []) this.set({ act }, count)
  },
})

/** Metrics of every process: itself, and a worker in it. */
export function processRegistry(instance = ''): Registry {
  const registry = new Registry()
  new Gauge({
    name: 'standfirst_process_info',
    help: 'Always 1: what this process is called in its log and traces (INSTANCE)',
    labelNames: ['process'],
    registers: [registry],
  }).set({ process: instanceName(instance) }, 1)
  collectDefaultMetrics({ register: registry })
  const jobMetrics = [
    jobSeconds,
    signUpEmailsRefused,
    deliverySeconds,
    deliveryLateness,
    readerEmailSeconds,
    clockAhead,
  ]
  const siteMetrics = [
    queuedWebhooks,
    longestQueued,
    deliveriesInProgress,
    unindexedCount,
    unindexedSeconds,
    waitingReaderEmails,
    readyMailDomains,
    waitingAnnouncements,
    securityEvents,
  ]
  for (const metric of [
    ...jobMetrics,
    ...siteMetrics,
    ...pushMetrics,
    ...replicaMetrics,
    ...databaseMetrics,
    ...serviceMetrics,
    exportedSpans,
  ])
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
