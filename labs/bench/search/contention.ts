import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ports, withServers } from '../servers.ts'
import type { Stream, Streamed } from './pace.ts'
import { asOwner, nameOf } from './site.ts'
import type { Truth } from './truth.ts'

/** What reads take with searches beside them. */
export interface Beside {
  readonly readsASecond: number
  readonly searchesASecond: number
  readonly seconds: number
  readonly alone: Streamed
  readonly reads: Streamed
  readonly searches: Streamed
}

const readsASecond = 500
const searchesASecond = 50

/**
 * A server as shipped on one core, PostgreSQL and the senders on the other. First the reads alone, then beside the
 * searches; every question is asked once before, so that what is measured is the warm site.
 */
export async function beside(pieces: number, truths: readonly Truth[], seconds: number): Promise<Beside> {
  const reads = await readPaths(pieces)
  const searches = truths.map(({ q, category }) => {
    const asked = new URLSearchParams({ q, ...(category && { category }) })
    return `/api/public/pieces/search?${asked}`
  })
  const stream = (paths: readonly string[], aSecond: number, length: number) =>
    sent({ port: ports.ours, paths, aSecond, seconds: length })
  return withServers(nameOf(pieces), async () => {
    await stream(reads, readsASecond, 10)
    await stream(searches, searchesASecond / 2, Math.ceil((2 * searches.length) / searchesASecond))
    const alone = await stream(reads, readsASecond, seconds)
    const [loaded, found] = await Promise.all([
      stream(reads, readsASecond, seconds),
      stream(searches, searchesASecond, seconds),
    ])
    return { readsASecond, searchesASecond, seconds, alone, reads: loaded, searches: found }
  })
}

async function sent(stream: Stream): Promise<Streamed> {
  const worker = new Worker(new URL('./pace-thread.ts', import.meta.url), { workerData: stream })
  const [streamed] = await once(worker, 'message')
  return streamed
}

/** One piece and a list of the recent in turn, the pieces of any age. */
const readPaths = (pieces: number): Promise<string[]> =>
  asOwner(pieces, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from pub.pieces order by id limit 5000')
    const lists = ['', '?category=life', '?limit=50', '?category=civic', '?category=building&limit=10']
    return rows.flatMap(({ id }, index) => [
      `/api/public/pieces/${id}`,
      `/api/public/pieces/recent${lists[index % lists.length]}`,
    ])
  })
