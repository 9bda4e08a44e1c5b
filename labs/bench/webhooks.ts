import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { MadeWriter } from '../../testkit/factories.ts'
import { median, percentile } from '../../testkit/measure.ts'
import { processorTime } from './tools.ts'
import { type Published, type WebhookSite, withWebhooks } from './webhook-site.ts'

export interface WebhooksResult {
  readonly throughput: Throughput
  readonly neighbours: Neighbours
  readonly idle: Idle
}

interface Throughput {
  readonly deliveries: number
  readonly writers: number
  /** Medians of the rounds. */
  readonly ours: Rate
  /** With a new connection per request, like ours. */
  readonly fresh: Rate
  readonly kept: Rate
  /** Milliseconds of PostgreSQL for each of ours. */
  readonly database: number
}

interface Rate {
  /** A second. */
  readonly rate: number
  /** Milliseconds of processor time for each; a loaded machine changes it least. */
  readonly processor: number
}

/** Milliseconds from the publication to the first attempt's arrival, medians of the rounds. */
interface Latency {
  readonly p50: number
  readonly p99: number
}

interface Neighbours {
  readonly publications: number
  readonly quiet: Latency
  readonly sick: Latency
}

interface Idle {
  readonly publications: number
  readonly p50: number
  readonly p95: number
  readonly most: number
}

/** As many as one worker has under way. */
const atOnce = 64
const bodyBytes = 5000
const backlog = { deliveries: 20_000, writers: 200 }
const stream = { seconds: 25, aSecond: 20 }
const idlePublications = 120

export async function benchWebhooks(rounds: number): Promise<WebhooksResult> {
  const throughput = await withWebhooks((site) => benchThroughput(site, rounds))
  const idle = await withWebhooks(benchIdle)
  console.error(`idle: p50 ${idle.p50.toFixed(0)} ms, p95 ${idle.p95.toFixed(0)} ms, most ${idle.most.toFixed(0)} ms`)
  const neighbours = await withWebhooks((site) => benchNeighbours(site, rounds))
  const { quiet, sick } = neighbours
  console.error(`the healthy: p99 ${quiet.p99.toFixed(0)} ms among the well, ${sick.p99.toFixed(0)} ms beside the sick`)
  return { throughput, neighbours, idle }
}

/** A backlog of this many writers, delivered by one worker; then the same number of POSTs by undici alone; repeated. */
async function benchThroughput(site: WebhookSite, rounds: number): Promise<Throughput> {
  for (let count = 0; count < backlog.writers; count += 1) await site.addWriter(site.ports.good)
  const taken: Record<'ours' | 'fresh' | 'kept', Rate & { readonly database?: number }>[] = []
  for (let round = 0; round < rounds; round += 1) {
    const ours = await deliverBacklog(site)
    const [fresh, kept] = [sendBare(site.ports.good, 'fresh'), sendBare(site.ports.good, 'kept')]
    taken.push({ ours, fresh, kept })
    const medians = Object.entries(taken.at(-1)!).map(
      ([name, { rate, processor }]) => `${name} ${rate.toFixed(0)}/s, ${processor.toFixed(2)} ms`,
    )
    console.error(`  ${medians.join('; ')}; database ${ours.database.toFixed(2)} ms`)
  }
  const medians = (which: 'ours' | 'fresh' | 'kept'): Rate => ({
    rate: median(taken.map((one) => one[which].rate)),
    processor: median(taken.map((one) => one[which].processor)),
  })
  return {
    ...backlog,
    ours: medians('ours'),
    fresh: medians('fresh'),
    kept: medians('kept'),
    database: median(taken.map(({ ours }) => ours.database ?? 0)),
  }
}

async function deliverBacklog({ admin, worker, arrivals }: WebhookSite): Promise<Rate & { database: number }> {
  await admin.query('truncate app.deliveries cascade')
  await admin.query(
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body)
     select w.writer_id, 'piece.published', gen_random_uuid(), n, 'pending',
            convert_to(jsonb_build_object('content_text', repeat('x', $2))::text, 'UTF8')
       from app.webhooks w, generate_series(1, $1::integer) as n`,
    [backlog.deliveries / backlog.writers, bodyBytes - 30],
  )
  await admin.query('analyze app.deliveries')
  await arrivals()
  const before = { worker: processorTime(worker.pid!), database: await databaseTime(admin) }
  const began = performance.timeOrigin + performance.now()
  await admin.query("update app.webhooks set ready_at = clock_timestamp(), width = 1; notify deliveries, ''")
  const seen: number[] = []
  for (const end = Date.now() + 300_000; seen.length < backlog.deliveries; await pause(200)) {
    if (Date.now() > end) throw new Error(`${seen.length} of ${backlog.deliveries} arrived within five minutes`)
    seen.push(...(await arrivals()).map(([, at]) => at))
  }
  const each = (microseconds: number) => microseconds / 1000 / seen.length
  const after = await databaseTime(admin)
  return {
    rate: (1000 * seen.length) / (Math.max(...seen) - began),
    processor: each(processorTime(worker.pid!) - before.worker),
    database: each(sum([...after].map(([pid, time]) => time - (before.database.get(pid) ?? 0)))),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Of the connections that deliver; the bench's PostgreSQL runs on the same machine. */
async function databaseTime(admin: pg.Pool): Promise<Map<number, number>> {
  const { rows } = await admin.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'standfirst dispatcher'",
  )
  return new Map(rows.map(({ pid }) => [pid, processorTime(pid)]))
}

function sendBare(port: number, connections: 'fresh' | 'kept'): Rate {
  const file = fileURLToPath(new URL('./webhook-bare.ts', import.meta.url))
  const args = [file, port, backlog.deliveries, atOnce, bodyBytes, connections].map(String)
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

/** Single publications on an otherwise idle site. */
async function benchIdle(site: WebhookSite): Promise<Idle> {
  const writers = await addWriters(site, 20, site.ports.good)
  await site.publish(writers[0]!)
  await pause(3000)
  await site.arrivals()
  const published: Published[] = []
  while (published.length < idlePublications) {
    published.push(await site.publish(writers[published.length % writers.length]!))
    await pause(200 + Math.random() * 200)
  }
  const taken = await latencies(site, published)
  const most = Math.max(...taken)
  return { publications: taken.length, p50: percentile(taken, 0.5), p95: percentile(taken, 0.95), most }
}

/**
 * A steady stream to a hundred writers. Of fifty the servers stay well, and theirs is the time that counts; of the others
 * half refuse and half take the request and never answer, in every second round.
 */
async function benchNeighbours(site: WebhookSite, rounds: number): Promise<Neighbours> {
  const { good, dead, hanging } = site.ports
  const healthy = await addWriters(site, 50, good)
  const others = [...(await addWriters(site, 25, dead)), ...(await addWriters(site, 25, hanging))]
  await streamTo(site, [...healthy, ...others])
  const taken: Record<'quiet' | 'sick', Latency[]> = { quiet: [], sick: [] }
  let publications = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of ['quiet', 'sick'] as const) {
      await site.tell({ say: kind === 'sick' ? 'sick' : 'well' })
      // What hangs is given up after 15 s.
      if (kind === 'quiet' && round > 0) await pause(16_000)
      await recover(site)
      await site.arrivals()
      const published = await streamTo(site, [...healthy, ...others])
      publications = published.length
      const ofHealthy = await latencies(
        site,
        published.filter(({ writer }) => healthy.includes(writer)),
      )
      const latency = { p50: percentile(ofHealthy, 0.5), p99: percentile(ofHealthy, 0.99) }
      taken[kind].push(latency)
      console.error(
        `  ${kind}: p50 ${latency.p50.toFixed(0)} ms, p99 ${latency.p99.toFixed(0)} ms of ${ofHealthy.length}`,
      )
    }
  }
  const medians = (all: readonly Latency[]): Latency => ({
    p50: median(all.map(({ p50 }) => p50)),
    p99: median(all.map(({ p99 }) => p99)),
  })
  return { publications, quiet: medians(taken.quiet), sick: medians(taken.sick) }
}

async function addWriters({ addWriter }: WebhookSite, count: number, port: number): Promise<MadeWriter[]> {
  const writers: MadeWriter[] = []
  while (writers.length < count) writers.push(await addWriter(port))
  return writers
}

/** Publishes each at its scheduled time, whether or not earlier ones are done. */
async function streamTo({ publish }: WebhookSite, writers: readonly MadeWriter[]) {
  const count = stream.seconds * stream.aSecond
  const began = performance.now()
  const all: Promise<Published & { readonly writer: MadeWriter }>[] = []
  for (let number = 0; number < count; number += 1) {
    await pause(Math.max(0, began + (number * 1000) / stream.aSecond - performance.now()))
    // 37 and 100 are coprime, so consecutive publications go to writers of every kind.
    const writer = writers[(number * 37) % writers.length]!
    all.push(publish(writer).then((published) => ({ ...published, writer })))
  }
  return Promise.all(all)
}

/** Resets every webhook to the state after its ping, without failures. */
async function recover({ admin }: WebhookSite): Promise<void> {
  await admin.query('truncate app.deliveries cascade')
  await admin.query(
    `update app.webhooks set width = 1, failures = 0, rests_until = null, first_failed = null, first_failed_at = null,
            ready_at = null`,
  )
}

/** Of first attempts alone. */
async function latencies(site: WebhookSite, published: readonly Published[]): Promise<number[]> {
  await pause(3000)
  const { rows } = await site.admin.query<{ id: string; piece_id: string }>(
    'select id, piece_id from app.deliveries where piece_id = any ($1)',
    [published.map(({ piece }) => piece)],
  )
  const messages = new Map(rows.map(({ id, piece_id }) => [piece_id, `msg_${id.replaceAll('-', '')}`]))
  const first = new Map((await site.arrivals()).toReversed())
  return published.map(({ piece, at }) => {
    const arrived = first.get(messages.get(piece) ?? '')
    if (arrived === undefined) throw new Error(`${piece} was told to nobody within 3 s`)
    return arrived - at
  })
}

interface Drawing {
  fixed(value: number, digits?: number): string
  row(cells: readonly string[]): string
  head(cells: readonly string[]): string
}

/** Three tables: throughput, latency, and latency beside failing servers. */
export function webhooksSection(measured: WebhooksResult, when: string, { fixed, row, head }: Drawing): string {
  const { throughput, neighbours, idle } = measured
  const { quiet, sick } = neighbours
  const rate = (name: string, one: { readonly rate: number; readonly processor: number }) =>
    row([name, fixed(one.rate), fixed(one.processor, 2)])
  const times = sick.p99 / quiet.p99
  return `## Webhooks

One worker process. Measured ${when}. The targets are 500 deliveries a second, a first attempt within a second (p95) on an idle site, and at most twice the p99 of normal operation for writers while other writers' servers fail.

${head([
  `${fixed(throughput.deliveries)} deliveries of ${fixed(throughput.writers)} writers`,
  'a second',
  'processor time each, ms',
])}${rate('ours', throughput.ours)}${rate('undici only, a new connection each, as ours', throughput.fresh)}${rate(
  'undici only, connections kept',
  throughput.kept,
)}
PostgreSQL spends ${fixed(throughput.database, 2)} ms on each of ours.

${head(['from publication to first attempt', 'p50, ms', 'p95, ms', 'p99, ms', 'max, ms'])}${row([
  `idle site, ${fixed(idle.publications)} publications`,
  fixed(idle.p50),
  fixed(idle.p95),
  '',
  fixed(idle.most),
])}${row([`50 writers of 100, all servers working`, fixed(quiet.p50), '', fixed(quiet.p99), ''])}${row([
  `the same 50, the others' servers failing (${fixed(times, 2)} times)`,
  fixed(sick.p50),
  '',
  fixed(sick.p99),
  '',
])}`
}
