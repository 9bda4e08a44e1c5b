import { Counter, Gauge, Histogram } from 'prom-client'

/** Of the process: what it asks of Redis, of the mail server and of the edge caches. */

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

/** Jobs of one kind that should have been done by now. */
export interface WaitingJobs {
  readonly job: string
  readonly count: number
  /** Seconds that the first of them has waited, over all its tries. */
  readonly longest: number
}

let askWaiting: (() => Promise<readonly WaitingJobs[]>) | undefined
let asked: Promise<readonly WaitingJobs[]> | undefined

/** Of the whole site, as a worker in this process sees it: asked for whenever somebody looks. */
export function watchWaitingJobs(ask: typeof askWaiting): void {
  askWaiting = ask
}

/** Once for both gauges. A database that is away must not hide the other figures. */
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

export const ofServices = [redisSeconds, redisSkipped, redisAway, emailSeconds, purgeSeconds, ...waiting]
