import { mkdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readConfig } from '../../../server/config/config.ts'
import { publicPools } from '../../../server/config/pools.ts'
import { findPieces, type SearchQuery, type SearchResult } from '../../../server/features/pieces/search/find.ts'
import { type AskedWords, findByWords, type WordsResult } from '../../../server/features/pieces/search/words-suggest.ts'
import { databaseUrl } from '../cluster.ts'

export const databaseName = (pieces: number): string => `search_${pieces}`

const folder = fileURLToPath(new URL('../../../.data/bench-search', import.meta.url))

/** The path of a file with results. */
export function dataFile(name: string): string {
  mkdirSync(folder, { recursive: true })
  return `${folder}/${name}`
}

export type Query = Omit<SearchQuery, 'budget'>

/** Searches with the pool as shipped, but with one connection, so that its statistics can be flushed. */
export interface Site {
  find(query: Query): Promise<SearchResult>
  findByWords(query: Omit<AskedWords, 'budget'>): Promise<WordsResult>
  countBuffers: BufferMeter['count']
  /** Flushes the statistics of its connection, for another meter. */
  flushStats(): Promise<unknown>
}

export async function withSite<T>(pieces: number, work: (site: Site) => Promise<T>): Promise<T> {
  const name = databaseName(pieces)
  const config = readConfig({ DATABASE_URL: databaseUrl(name), SEARCH_CONNECTIONS: '1', PUBLIC_CONNECTIONS: '1' })
  const { db, searchDb } = publicPools(config)
  const find = (query: Query) => findPieces(searchDb, { ...query, budget: config.SEARCH_BUDGET })
  const findWords = (query: Omit<AskedWords, 'budget'>) =>
    findByWords(searchDb, { ...query, budget: config.SEARCH_BUDGET })
  // The first searches of a process plan statements and read the trie: not to be measured.
  for (const q of ['the', 'house', 'zzqx', '人']) await find({ q, limit: 20 })
  await pause(2_000)
  const flush = () => searchDb.run({ text: flushStats })
  const meter = await openBufferMeter(name, flush)
  try {
    return await work({ find, findByWords: findWords, countBuffers: meter.count, flushStats: flush })
  } finally {
    await meter.close()
    await Promise.all([db.close(), searchDb.close()])
  }
}

/** Connects as the owner of the tables. */
export const asOwner = <T>(pieces: number, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  connected(databaseName(pieces), work)

export async function connected<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl(database) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** One more than the page has, as the service asks for, to know whether another page follows. */
export const withNext = (limit: number): number => limit + 1

/**
 * Counts shared buffers, hit or read, by the statistics of the whole database before and after some work. This includes
 * what EXPLAIN (BUFFERS) misses, such as detoasting for output and catalogue reads while planning.
 *
 * Exact if the connections that work flush their statistics, and nothing else uses the database: the meter connects to
 * another one. Autovacuum may interfere, so what matters is measured more than once.
 */
export interface BufferMeter {
  count<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly buffers: number }>
  close(): Promise<void>
}

/** To be run after the work on each connection that worked. */
export const flushStats = 'select pg_stat_force_next_flush()'

export async function openBufferMeter(database: string, flushAll: () => Promise<unknown>): Promise<BufferMeter> {
  const reader = new pg.Client({ connectionString: databaseUrl('postgres') })
  await reader.connect()
  const { rows } = await reader.query<{ oid: number }>('select oid from pg_database where datname = $1', [database])
  const read = async () => {
    const { rows: stats } = await reader.query<{ fetched: string }>({
      name: 'fetched',
      text: 'select pg_stat_get_db_blocks_fetched($1) as fetched',
      values: [rows[0]!.oid],
    })
    return Number(stats[0]!.fetched)
  }
  // Twice, since the first call looks the function up in the catalogues.
  await flushAll()
  await flushAll()
  return {
    async count(work) {
      // Otherwise earlier work would be counted too.
      await flushAll()
      const before = await read()
      const result = await work()
      await flushAll()
      return { result, buffers: (await read()) - before }
    },
    close: () => reader.end(),
  }
}
