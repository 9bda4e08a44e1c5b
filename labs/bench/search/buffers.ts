import pg from 'pg'
import { databaseUrl } from '../cluster.ts'

/**
 * Shared buffers that some work takes, hit or read, counted by PostgreSQL itself: the figure of the whole database
 * before and after. So nothing is left out that another way of counting misses: bodies unpacked to be sent, catalogues
 * read while planning, whatever method or plan a statement came by. The work runs once, as it is.
 *
 * Exact where the work is on connections that are told to hand their figures over at once, and nobody else is in the
 * database: whoever reads the figure sits in another. Autovacuum may come by, so what decides is counted again.
 */
export interface Meter {
  counted<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly buffers: number }>
  close(): Promise<void>
}

/** To be run on each connection that works, after the work. The figures are there when it has answered. */
export const handOver = 'select pg_stat_force_next_flush()'

export async function openMeter(database: string, handOverAll: () => Promise<unknown>): Promise<Meter> {
  const reader = new pg.Client({ connectionString: databaseUrl('postgres') })
  await reader.connect()
  const { rows } = await reader.query<{ oid: number }>('select oid from pg_database where datname = $1', [database])
  const read = async () => {
    const { rows: figures } = await reader.query<{ taken: string }>({
      name: 'taken',
      text: 'select pg_stat_get_db_blocks_fetched($1) as taken',
      values: [rows[0]!.oid],
    })
    return Number(figures[0]!.taken)
  }
  // Twice: the first looks the function up in the catalogues.
  await handOverAll()
  await handOverAll()
  return {
    async counted(work) {
      // Else what they did before would come with what they do now.
      await handOverAll()
      const before = await read()
      const result = await work()
      await handOverAll()
      return { result, buffers: (await read()) - before }
    },
    close: () => reader.end(),
  }
}
