import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ports, withServers } from '../servers.ts'
import type { Load, LoadResult } from './constant-rate-load.ts'
import type { Truth } from './exactness.ts'
import { asOwner, databaseName } from './site.ts'

/** Latency of reads, alone and together with searches. */
export interface Contention {
  readonly readsPerSecond: number
  readonly searchesPerSecond: number
  readonly seconds: number
  readonly alone: LoadResult
  readonly reads: LoadResult
  readonly searches: LoadResult
}

const readsPerSecond = 500
const searchesPerSecond = 50

/**
 * A server as shipped on one core, PostgreSQL and the senders on the other. First the reads alone, then together with
 * searches. Every query is run once before, to measure the warm site.
 */
export async function measureContention(
  pieces: number,
  truths: readonly Truth[],
  seconds: number,
): Promise<Contention> {
  const reads = await readPaths(pieces)
  const searches = truths.map(({ q, category }) => {
    const query = new URLSearchParams({ q, ...(category && { category }) })
    return `/api/public/pieces/search?${query}`
  })
  const send = (paths: readonly string[], perSecond: number, length: number) =>
    runLoad({ port: ports.ours, paths, perSecond, seconds: length })
  return withServers(databaseName(pieces), async () => {
    await send(reads, readsPerSecond, 10)
    await send(searches, searchesPerSecond / 2, Math.ceil((2 * searches.length) / searchesPerSecond))
    const alone = await send(reads, readsPerSecond, seconds)
    const [loaded, found] = await Promise.all([
      send(reads, readsPerSecond, seconds),
      send(searches, searchesPerSecond, seconds),
    ])
    return { readsPerSecond, searchesPerSecond, seconds, alone, reads: loaded, searches: found }
  })
}

async function runLoad(load: Load): Promise<LoadResult> {
  const worker = new Worker(new URL('./constant-rate-load.ts', import.meta.url), { workerData: load })
  const [result] = await once(worker, 'message')
  return result
}

/** Alternates between a piece of any age and a list of recent ones. */
const readPaths = (pieces: number): Promise<string[]> =>
  asOwner(pieces, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from pub.pieces order by id limit 5000')
    const lists = ['', '?category=life', '?limit=50', '?category=civic', '?category=building&limit=10']
    return rows.flatMap(({ id }, index) => [
      `/api/public/pieces/${id}`,
      `/api/public/pieces/recent${lists[index % lists.length]}`,
    ])
  })
