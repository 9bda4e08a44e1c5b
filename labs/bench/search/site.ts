import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Answer, findPieces, type Question } from '../../../server/features/pieces/search/find.ts'
import { readConfig } from '../../../server/platform/config.ts'
import { publicPools } from '../../../server/platform/db/pools.ts'
import { databaseUrl } from '../cluster.ts'
import { handOver, type Meter, openMeter } from './buffers.ts'

export const nameOf = (pieces: number): string => `search_${pieces}`

export type Ask = Omit<Question, 'budget'>

/** A site as its readers find it: the pool of searches as shipped, but of one connection, so that all is counted. */
export interface Site {
  find(ask: Ask): Promise<Answer>
  counted: Meter['counted']
  /** Has the figures of its connection handed over, for a meter of somebody else's. */
  handOver(): Promise<unknown>
}

export async function withSite<T>(pieces: number, work: (site: Site) => Promise<T>): Promise<T> {
  const name = nameOf(pieces)
  const config = readConfig({ DATABASE_URL: databaseUrl(name), SEARCH_CONNECTIONS: '1', PUBLIC_CONNECTIONS: '1' })
  const { db, searchDb } = publicPools(config)
  const find = (ask: Ask) => findPieces(searchDb, { ...ask, budget: config.SEARCH_BUDGET })
  // What a process learns at its first search is no part of the others.
  for (const q of ['the', 'house', 'zzqx', '人']) await find({ q, limit: 20 })
  await pause(2_000)
  const handOverOwn = () => searchDb.run({ text: handOver })
  const meter = await openMeter(name, handOverOwn)
  try {
    return await work({ find, counted: meter.counted, handOver: handOverOwn })
  } finally {
    await meter.close()
    await Promise.all([db.close(), searchDb.close()])
  }
}

/** As the owner of the tables. */
export const asOwner = <T>(pieces: number, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  connected(nameOf(pieces), work)

export async function connected<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl(database) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** One more than the page holds, as the service asks, to know whether another follows. */
export const asked = (limit: number): number => limit + 1
