import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { percentile } from '../../testkit/measure.ts'
import { databaseUrl } from './cluster.ts'
import type { HitPlan } from './pixel-hits.ts'
import { ports, withServers } from './servers.ts'

export interface PixelResult {
  readonly seconds: number
  /** Hits a second that were answered. */
  readonly rate: number
  readonly hits: number
  /** Reads that were counted; each hit is from a different reader. */
  readonly counted: number
  /** Milliseconds of a read, without the hits and with them. */
  readonly quiet: Latency
  readonly loaded: Latency
}

interface Latency {
  readonly p50: number
  readonly p99: number
}

const hitsASecond = 2_000
const readsASecond = 100
const tick = 10

/** Reads pieces and pages, first alone, then during two thousand pixel hits per second from as many readers. */
export async function benchPixel(database: string, seconds = 30): Promise<PixelResult> {
  const client = new pg.Client({ connectionString: databaseUrl(database) })
  await client.connect()
  const { rows } = await client.query<{ id: string; path: string }>(
    `select piece.id, '/author/' || author.slug || '/' || piece.slug as path
       from pub.pieces piece join pub.authors author on author.id = author_id order by piece.id limit 500`,
  )
  const addresses = rows.flatMap(({ id, path }) => [`/api/public/pieces/${id}`, path])
  const counted = async () => Number((await client.query('select sum(reads) from app.piece_reads')).rows[0].sum ?? 0)
  try {
    return await withServers(database, async () => {
      // A process that has just started may refuse some.
      await readFor(5, addresses).catch(() => {})
      const quiet = await readFor(seconds, addresses)
      const before = await counted()
      const [loaded, hits] = await Promise.all([
        readFor(seconds, addresses),
        hitFor(
          seconds,
          rows.map(({ id }) => id),
        ),
      ])
      const kept = await untilStill(async () => (await counted()) - before)
      const result = { seconds, rate: hits / seconds, hits, counted: kept, quiet, loaded }
      console.error(
        `pixel: ${result.rate.toFixed(0)} hits/s, ${kept} of ${hits} counted, reads p99 ${quiet.p99.toFixed(1)} ms alone, ${loaded.p99.toFixed(1)} ms beside them`,
      )
      return result
    })
  } finally {
    await client.end()
  }
}

/** Sends each at its scheduled time, whether or not earlier ones were answered. */
async function sendFor(seconds: number, aSecond: number, send: (number: number) => Promise<void>): Promise<void> {
  const began = performance.now()
  const sent: Promise<unknown>[] = []
  const failures: unknown[] = []
  const begin = () => sent.push(send(sent.length).catch((error) => failures.push(error)))
  for (let now = 0; now < seconds * 1000; now = performance.now() - began) {
    const due = Math.min(Math.floor((now / 1000) * aSecond), seconds * aSecond)
    while (sent.length < due) begin()
    await pause(tick)
  }
  while (sent.length < seconds * aSecond) begin()
  await Promise.all(sent)
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${sent.length} failed`)
}

async function readFor(seconds: number, addresses: readonly string[]): Promise<Latency> {
  const taken: number[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  await sendFor(seconds, readsASecond, async (number) => {
    const began = performance.now()
    await ask(agent, addresses[number % addresses.length]!, {})
    taken.push(performance.now() - began)
  })
  agent.destroy()
  return { p50: percentile(taken, 0.5), p99: percentile(taken, 0.99) }
}

/** Returns the number of answers. */
async function hitFor(seconds: number, ids: readonly string[]): Promise<number> {
  const plan: HitPlan = { port: ports.ours, ids, seconds, aSecond: hitsASecond }
  const [answered] = await once(
    new Worker(new URL('./pixel-hits.ts', import.meta.url), { workerData: plan }),
    'message',
  )
  return answered
}

function ask(agent: Agent, path: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host: '127.0.0.1', port: ports.ours, path, headers }, (answer) => {
      if (answer.statusCode !== 200) return void reject(new Error(`${path} answered ${answer.statusCode}`))
      answer.resume().on('end', resolve)
    })
    // The server may just be closing a kept-alive connection: retry once, as every client does.
    asked.on('error', (error) => (asked.reusedSocket ? resolve(ask(agent, path, headers)) : reject(error)))
    asked.end()
  })
}

/** Longer than the counter waits between two batches. */
async function untilStill(count: () => Promise<number>): Promise<number> {
  for (let before = -1; ; ) {
    const now = await count()
    if (now === before) return now
    before = now
    await pause(5_000)
  }
}
