import { Counter, Gauge, Histogram } from 'prom-client'

/** Per process: its calls to Redis, the mail server and the edge caches. */

export const redisSeconds = new Histogram({
  name: 'standfirst_redis_seconds',
  help: 'Time of one call of Redis, by what became of it: answered, failed (by an error, or within 200 ms by nothing)',
  labelNames: ['outcome'] as const,
  buckets: [0.0005, 0.001, 0.005, 0.025, 0.1, 0.25],
  registers: [],
})
export const redisSkipped = new Counter({
  name: 'standfirst_redis_skipped_total',
  help: 'Calls of Redis that were not made, since it did not answer before: each process counts for itself meanwhile',
  registers: [],
})
export const redisAway = new Gauge({
  name: 'standfirst_redis_away',
  help: 'Whether calls of Redis are skipped, since it does not answer: 1 or 0, which is also for no Redis at all',
  registers: [],
})

export const emailSeconds = new Histogram({
  name: 'standfirst_email_seconds',
  help: 'Time of one try to hand an email to the mail server, by what became of it: sent, failed (tried again), refused (for good)',
  labelNames: ['outcome'] as const,
  buckets: [0.05, 0.25, 1, 5, 20],
  registers: [],
})

export const purgeSeconds = new Histogram({
  name: 'standfirst_purge_seconds',
  help: 'Time of one call to an edge cache to forget something, by what became of it: sent, failed (tried again)',
  labelNames: ['cache', 'outcome'] as const,
  buckets: [0.01, 0.05, 0.25, 1, 5],
  registers: [],
})

/** Overdue jobs of one kind. */
export interface WaitingJobs {
  readonly job: string
  readonly count: number
  /** Seconds that the oldest has waited, over all its tries. */
  readonly longest: number
}

let askWaiting: (() => Promise<readonly WaitingJobs[]>) | undefined
let asked: Promise<readonly WaitingJobs[]> | undefined

/** For the whole site, as seen by a worker in this process: queried on each scrape. */
export function watchWaitingJobs(ask: typeof askWaiting): void {
  askWaiting = ask
}

/** One query for both gauges. If the database is down the other metrics remain. */
function waitingJobs(): Promise<readonly WaitingJobs[]> {
  asked ??= (askWaiting?.() ?? Promise.resolve([]))
    .catch(() => [])
    .finally(() => {
      asked = undefined
    })
  return asked
}

const gaugeOf = (name: string, help: string, figure: 'count' | 'longest') =>
  new Gauge({
    name,
    help,
    labelNames: ['job'] as const,
    registers: [],
    async collect() {
      this.reset()
      for (const { job, ...figures } of await waitingJobs()) this.set({ job }, figures[figure])
    },
  })

const waiting = [
  gaugeOf(
    'standfirst_waiting_jobs',
    'Jobs that are due and wait for a try, the first or another; of the whole site',
    'count',
  ),
  gaugeOf(
    'standfirst_waiting_job_seconds',
    'For how long the job of this kind that waits longest has waited',
    'longest',
  ),
]

export const serviceMetrics = [redisSeconds, redisSkipped, redisAway, emailSeconds, purgeSeconds, ...waiting]

/** Per process with a replica: where its public reads go. */
export const placedReads = new Counter({
  name: 'standfirst_placed_reads_total',
  help: 'Public requests by where they are read: at the replica, or at the primary since the replica was late or away',
  labelNames: ['place'] as const,
  registers: [],
})
export const replicaWait = new Histogram({
  name: 'standfirst_replica_wait_seconds',
  help: 'How long public requests waited for the replica to have what is public; most do not wait and are not counted',
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2],
  registers: [],
})

interface Figures {
  readonly isReachable: boolean
  readonly lagBytes: number
  readonly behindSeconds: number
}
let askFigures: (() => Figures) | undefined

/** Queried on each scrape. */
export function watchReplica(ask: typeof askFigures): void {
  askFigures = ask
}

const gauge = (name: string, help: string, read: (figures: Figures) => number) =>
  new Gauge({
    name,
    help,
    registers: [],
    collect() {
      const figures = askFigures?.()
      if (figures) this.set(read(figures))
      else this.remove({})
    },
  })

export const replicaMetrics = [
  placedReads,
  replicaWait,
  gauge('standfirst_replica_reachable', 'Whether the replica of this process answers: 1 or 0', ({ isReachable }) =>
    Number(isReachable),
  ),
  gauge(
    'standfirst_replica_lag_bytes',
    'How much of the log of the primary the replica of this process has not replayed',
    ({ lagBytes }) => lagBytes,
  ),
  gauge(
    'standfirst_replica_behind_seconds',
    'For how long the replica of this process has lacked something that is public; 0 while it lacks nothing',
    ({ behindSeconds }) => behindSeconds,
  ),
]
