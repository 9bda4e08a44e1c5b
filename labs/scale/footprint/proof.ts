import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { reindex } from '../../../server/features/pieces/search/indexer.ts'
import { scratchFolder, waitUntil } from '../../../testkit/engines/engine.ts'
import { createSiteDatabase, type Postgres, startPrimary } from '../../../testkit/engines/postgres.ts'
import { runCli, type SiteProcess, startServer, startWorker } from '../../../testkit/engines/site.ts'
import type { Length } from '../site.ts'

/** Memory of an idle server and worker, their start-up time, and the worker's memory while it indexes. */

const pieces: Readonly<Record<Length, number>> = { short: 500, usual: 10_000, long: 100_000 }
const most = { serverMegabytes: 180, workerMegabytes: 300, readySeconds: 2, transactionsASecond: 2 }
const idleSeconds = 30

export async function proveFootprint(length: Length): Promise<boolean> {
  const primary = await startPrimary()
  const { admin, name, urlOf } = await createSiteDatabase(primary)
  const folder = scratchFolder('footprint')
  // Like the units and the image in deploy/.
  const env = {
    DATABASE_URL: urlOf(),
    NODE_OPTIONS: '--max-semi-space-size=8',
    NODE_COMPILE_CACHE: `${folder}/compile-cache`,
  }
  await runCli(env, 'seed', '--pieces', String(pieces[length]))

  // The seed has already indexed everything; here the worker must.
  const client = await admin.connect()
  await reindex(client)
  client.release()
  const worker = await startWorker({ env, log: `${folder}/worker.log` })
  await waitUntil('everything is indexed', async () => (await count(admin, 'search.waiting')) === 0, 600_000)
  const indexing = memoryOf(worker, 'VmHWM')
  await worker.stop()
  // The first start compiles; later ones use the cache.
  await (await startServer({ env, log: `${folder}/server.log` })).stop()
  const before = performance.now()
  const server = await startServer({ env, log: `${folder}/server.log` })
  const ready = (performance.now() - before) / 1000
  const idleWorker = await startWorker({ env, log: `${folder}/worker.log` })
  // What was merged into larger parts is deleted a minute later, in many small transactions.
  await waitUntil(
    'the index is tidied up',
    async () => (await count(admin, "search.volumes where state = 'retired'")) === 0,
    600_000,
  )
  await pause(15_000)
  const first = await transactions(primary, name)
  await pause(idleSeconds * 1000)
  const asked = ((await transactions(primary, name)) - first) / idleSeconds
  const idle = memoryOf(server, 'VmRSS')
  console.log(
    `Server: ready in ${ready.toFixed(1)} s (at most ${most.readySeconds}), ${idle} MB idle (at most ${most.serverMegabytes})`,
  )
  console.log(
    `Worker: ${indexing} MB at most while it indexed ${pieces[length]} pieces (at most ${most.workerMegabytes}), ${memoryOf(idleWorker, 'VmRSS')} MB idle`,
  )
  console.log(`Idle: ${asked.toFixed(2)} transactions a second (at most ${most.transactionsASecond})`)
  await Promise.all([server.stop(), idleWorker.stop()])
  return (
    ready <= most.readySeconds &&
    idle <= most.serverMegabytes &&
    indexing <= most.workerMegabytes &&
    asked <= most.transactionsASecond
  )
}

const memoryOf = ({ child }: SiteProcess, what: 'VmRSS' | 'VmHWM'): number =>
  Math.round(
    Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024,
  )

async function count(admin: pg.Pool, rows: string): Promise<number> {
  const found = await admin.query<{ count: number }>(`select count(*)::integer as count from ${rows}`)
  return found.rows[0]!.count
}

/** Of all clients; this query itself counts in another database. */
async function transactions(primary: Postgres, database: string): Promise<number> {
  const [row] = await primary.query<{ done: number }>(
    'postgres',
    'select (xact_commit + xact_rollback)::integer as done from pg_stat_database where datname = $1',
    [database],
  )
  return row!.done
}
