import { Counter, Gauge, Histogram } from 'prom-client'

/** Of the process: where its public reads go, where it has a replica. */
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
  readonly isThere: boolean
  readonly lagBytes: number
  readonly behindSeconds: number
}
let askFigures: (() => Figures) | undefined

/** Asked for whenever somebody looks. */
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

export const ofReplicas = [
  placedReads,
  replicaWait,
  gauge('standfirst_replica_reachable', 'Whether the replica of this process answers: 1 or 0', ({ isThere }) =>
    Number(isThere),
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
