import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { bulkCounts, createIndex, dropIndexes, setAutovacuum } from '../../../server/seed/bulk.ts'
import { loadAuthors } from '../../../server/seed/load.ts'
import { progress } from '../../../server/seed/progress.ts'
import { migrate } from '../../../server/sql/migrate.ts'
import { databaseUrl, startCluster } from '../cluster.ts'
import { type CorpusPlan, planOf, sitePlanOf } from './corpus-plan.ts'
import type { LoadWork } from './load-thread.ts'

/**
 * Fills a database with generated pieces, only the tables that search reads: authors, pieces, contents, texts.
 *
 *   node labs/bench/corpus/load.ts --name NAME --pieces N [--seed 1] [--server postgres://…:5432]
 *
 * Replaces a database of that name, on the PostgreSQL of the benches unless another is given.
 */

const threads = 2
const slice = 5_000

/** Loads into a migrated, empty database. Returns the seconds of the rows and of each index. */
export async function loadCorpus(url: string, plan: CorpusPlan): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const seconds: Record<string, number> = {}
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    seconds[name] = Math.round((performance.now() - started) / 100) / 10
  }
  try {
    await setAutovacuum(client, false)
    const indexes = await dropIndexes(client)
    await timed('authors', () => loadAuthors(client, sitePlanOf(plan)))
    await timed('rows', () => loadInThreads({ databaseUrl: url, plan }))
    for (const index of indexes) await timed(index.name, () => createIndex(client, index, '2GB'))
    await timed('counts', () => bulkCounts(client))
    await setAutovacuum(client, true)
    await timed('vacuum', () =>
      client.query('vacuum (analyze) pub.authors, pub.pieces, pub.piece_contents, pub.piece_texts'),
    )
    return seconds
  } finally {
    await client.end()
  }
}

/** Slices are sent in order, oldest first, so that pieces of the same time are close on disk. */
async function loadInThreads(work: LoadWork): Promise<void> {
  const { pieces } = work.plan
  const bar = progress('Pieces')
  let next = 0
  let loaded = 0
  const runThread = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./load-thread.ts', import.meta.url), { workerData: work })
      worker.on('message', (message: number | 'slice done') => {
        if (message !== 'slice done') {
          loaded += message
          return bar.step(loaded / pieces, `${loaded.toLocaleString('en')} of ${pieces.toLocaleString('en')}`)
        }
        worker.postMessage(next >= pieces ? 'end' : { from: next, to: Math.min(next + slice, pieces) })
        next += slice
      })
      worker.on('error', reject)
      worker.on('exit', () => resolve())
    })
  await Promise.all(Array.from({ length: threads }, runThread))
  bar.done(`${loaded.toLocaleString('en')} loaded`)
}

async function createDatabase(server: string, name: string): Promise<string> {
  if (!/^\w+$/.test(name)) throw new Error(`"${name}" is no name for a database.`)
  const url = new URL(server)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  url.pathname = `/${name}`
  await migrate(url.href)
  return url.href
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      name: { type: 'string' },
      pieces: { type: 'string' },
      seed: { type: 'string', default: '1' },
      server: { type: 'string' },
    },
  })
  if (!values.name || !values.pieces) throw new Error('Say --name and --pieces.')
  if (!values.server) startCluster()
  const url = await createDatabase(values.server ?? databaseUrl('postgres'), values.name)
  console.log(await loadCorpus(url, planOf(Number(values.seed), Number(values.pieces))))
}
