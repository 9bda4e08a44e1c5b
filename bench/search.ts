import pg from 'pg'
import { searchPieces } from '../server/features/pieces/reads.ts'
import { refreshSample } from '../server/features/pieces/search/sample.ts'
import { readConfig } from '../server/platform/config.ts'
import type { ReadContext } from '../server/platform/context.ts'
import type { Database } from '../server/platform/db/database.ts'
import { publicPools } from '../server/platform/db/pools.ts'
import { urlsFor } from '../server/platform/urls.ts'
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

/** Every class of question: once to warm, once timed, some once more for their buffers. */
export async function benchSearch(name: string, rng: number, count: number): Promise<SearchResult[]> {
  const config = readConfig({ DATABASE_URL: databaseUrl(name) })
  const { db, searchDb } = publicPools(config)
  const reads: ReadContext = { db, searchDb, searchBudget: config.SEARCH_BUDGET, urls: urlsFor(config.BASE_URL) }
  const client = new pg.Client({ connectionString: databaseUrl(name) })
  await client.connect()
  try {
    const corpus = await drawCorpus(client, randomFrom(rng, 1))
    await refreshSample(searchDb)
    const results: SearchResult[] = []
    for (const queries of drawClasses(corpus, rng, count)) results.push(await measure(reads, client, queries))
    return results
  } finally {
    await Promise.all([db.close(), searchDb.close(), client.end()])
  }
}

async function measure(
  reads: ReadContext,
  client: pg.Client,
  { name, barred, asks }: QueryClass,
): Promise<SearchResult> {
  const bar = progress(name)
  const ask = (one: Ask) => searchPieces(reads, one)
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
    [reads.db, reads.searchDb],
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
  databases: readonly Database[],
  client: pg.Client,
  asks: readonly (() => Promise<unknown>)[],
): Promise<number[]> {
  await client.query(searchSettings)
  let total = 0
  const restore = databases.map((db) => {
    const { run, query } = db
    db.run = async (config) => {
      total += await explainedBuffers(client, config.text, config.values ?? [])
      return run.call(db, config) as never
    }
    db.query = async (statement, parameters) => {
      total += await explainedBuffers(client, statement.text, statement.values(parameters))
      return query.call(db, statement as never, parameters as never) as never
    }
    return () => {
      db.run = run
      db.query = query
    }
  })
  const totals: number[] = []
  for (const ask of asks) {
    total = 0
    await ask()
    totals.push(total)
  }
  for (const undo of restore) undo()
  await client.query('reset all')
  return totals
}

/** As on the connections searches use. */
const searchSettings =
  "set enable_seqscan = off; set max_parallel_workers_per_gather = 0; set jit = off; set work_mem = '16MB'"

export async function explainedBuffers(client: pg.Client, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) ${text}`, [...values])
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}
