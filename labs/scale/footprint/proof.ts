import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { reindex } from '../../../server/features/pieces/search/indexer.ts'
import { runToEnd, scratchFolder, waitUntil } from '../../../testkit/engines/engine.ts'
import { type Postgres, startPrimary } from '../../../testkit/engines/postgres.ts'
import { type SiteProcess, startServer, startWorker } from '../../../testkit/engines/site.ts'
import type { Length } from '../proof.ts'

/** Memory of an idle server and worker, their start-up time, and the worker's memory while it indexes. */

const cli = fileURLToPath(new URL('../../../server/commands/cli.ts', import.meta.url))
const pieces: Readonly<Record<Length, number>> = { short: 500, usual: 10_000, long: 100_000 }
const most = { serverMegabytes: 180, workerMegabytes: 300, readySeconds: 2, transactionsASecond: 2 }
const idleSeconds = 30
const database = 'standfirst'

export async function proveFootprint(length: Length): Promise<boolean> {
  const primary = await startPrimary()
  await primary.query('postgres', `create database ${database}`)
  const folder = scratchFolder('footprint')
  // Like the units and the image in deploy/.
  const env = {
    DATABASE_URL: primary.urlOf(database),
    NODE_OPTIONS: '--max-semi-space-size=8',
    NODE_COMPILE_CACHE: `${folder}/compile-cache`,
  }
  await runToEnd([process.execPath, cli, 'migrate'], env)
  await runToEnd([process.execPath, cli, 'seed', '--pieces', String(pieces[length])], env)

  await forgetIndex(env.DATABASE_URL)
  const worker = await startWorker({ env, log: `${folder}/worker.log` })
  await waitUntil('everything is indexed', async () => (await count(primary, 'search.waiting')) === 0, 600_000)
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
    async () => (await count(primary, "search.volumes where state = 'retired'")) === 0,
    600_000,
  )
  await pause(15_000)
  const first = await transactions(primary)
  await pause(idleSeconds * 1000)
  const asked = ((await transactions(primary)) - first) / idleSeconds
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

/** The seed has already indexed everything; here the worker must. */
async function forgetIndex(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await reindex(client)
  await client.end()
}

const memoryOf = ({ child }: SiteProcess, what: 'VmRSS' | 'VmHWM'): number =>
  Math.round(
    Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024,
  )

async function count(primary: Postgres, rows: string): Promise<number> {
  const [row] = await primary.query<{ count: number }>(database, `select count(*)::integer as count from ${rows}`)
  return row!.count
}

/** Of all clients; this query itself counts in another database. */
async function transactions(primary: Postgres): Promise<number> {
  const [row] = await primary.query<{ done: number }>(
    'postgres',
    'select (xact_commit + xact_rollback)::integer as done from pg_stat_database where datname = $1',
    [database],
  )
  return row!.done
}
