import pg from 'pg'
import { findPieces } from '../server/features/pieces/search/find.ts'
import { refreshSample } from '../server/features/pieces/search/sample.ts'
import { readConfig } from '../server/platform/config.ts'
import type { Database } from '../server/platform/db/database.ts'
import { publicPools } from '../server/platform/db/pools.ts'
import { progress } from '../server/seed/progress.ts'
import { randomFrom } from '../server/seed/random.ts'
import { databaseUrl } from './cluster.ts'
import { percentile } from './numbers.ts'
import { type Ask, drawClasses, drawCorpus, type QueryClass } from './words.ts'

export interface SearchResult {
  readonly name: string
  readonly barred: boolean
  readonly queries: number
  readonly p50: number
  readonly p99: number
  readonly buffersP50: number
  readonly buffersMax: number
  /** Share of the queries answered in part. */
  readonly partial: number
}

/** As shipped. */
const budget = 500

/** Every class of question: once to warm, once timed, some once more for their buffers. */
export async function benchSearch(name: string, rng: number, count: number): Promise<SearchResult[]> {
  const { db, searchDb } = publicPools(readConfig({ DATABASE_URL: databaseUrl(name) }))
  const client = new pg.Client({ connectionString: databaseUrl(name) })
  await client.connect()
  try {
    const corpus = await drawCorpus(client, randomFrom(rng, 1))
    await refreshSample(searchDb)
    const results: SearchResult[] = []
    for (const queries of drawClasses(corpus, rng, count)) results.push(await measure(searchDb, client, queries))
    return results
  } finally {
    await Promise.all([db.close(), searchDb.close(), client.end()])
  }
}

async function measure(db: Database, client: pg.Client, { name, barred, asks }: QueryClass): Promise<SearchResult> {
  const bar = progress(name)
  const ask = ({ limit, ...rest }: Ask) => findPieces(db, { ...rest, limit: limit + 1, budget })
  for (const [index, one] of asks.entries()) {
    await ask(one)
    bar.step(index / asks.length / 2)
  }
  const times: number[] = []
  let partial = 0
  for (const [index, one] of asks.entries()) {
    const started = performance.now()
    const answer = await ask(one)
    times.push(performance.now() - started)
    if (answer.partial) partial += 1
    bar.step(0.5 + index / asks.length / 2)
  }
  const buffers = await countBuffers(
    db,
    client,
    asks.slice(0, 20).map((one) => () => ask(one)),
  )
  const result = {
    name,
    barred,
    queries: asks.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    buffersP50: percentile(buffers, 0.5),
    buffersMax: Math.max(...buffers),
    partial: partial / Math.max(asks.length, 1),
  }
  bar.done(
    `p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, partial ${(100 * result.partial).toFixed(0)} %`,
  )
  return result
}

/** Runs each question with its statements explained, and adds up the shared buffers they touched. */
async function countBuffers(
  db: Database,
  client: pg.Client,
  asks: readonly (() => Promise<unknown>)[],
): Promise<number[]> {
  const run = db.run
  let total = 0
  db.run = async (query) => {
    const config = query as pg.QueryConfig
    total += await explainedBuffers(client, config.text, config.values ?? [])
    return run.call(db, query) as never
  }
  const totals: number[] = []
  for (const ask of asks) {
    total = 0
    await ask()
    totals.push(total)
  }
  db.run = run
  return totals
}

const plannerSettings =
  "set enable_seqscan = off; set max_parallel_workers_per_gather = 0; set jit = off; set work_mem = '16MB'"

export async function explainedBuffers(client: pg.Client, text: string, values: readonly unknown[]): Promise<number> {
  await client.query(plannerSettings)
  const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) ${text}`, [...values])
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}
