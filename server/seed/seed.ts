import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { openIndexerConnection } from '#features/pieces/search/indexer-lock.ts'
import { cliTranslator } from '#messages/cli.ts'
import { bulkCounts, createIndex, dropIndexes, type Index, indexProgress, setAutovacuum } from './bulk.ts'
import { loadAuthors, loadDrafts, loadPieces } from './load.ts'
import { arrangeMagazine } from './magazine.ts'
import { addPeople, type People } from './people.ts'
import { addPictures, type PictureStorage } from './pictures.ts'
import { progress } from './progress.ts'
import { loadReads } from './reads.ts'
import { drainWithProgress } from './search-index.ts'
import { loadShop } from './shop.ts'
import { authorAt, draftsOf, type SitePlan } from './site-plan.ts'

const t = cliTranslator()

/** From here on, two threads load rows, and indexes are built afterwards. */
const bulkThreshold = 1_000
const threads = 2
const indexMemory = '2GB'
/** Searches scan up to this many unindexed pieces; with more, the seed builds the index. */
const maxUnindexed = 2_000

export interface Seeded {
  readonly authors: number
  readonly pieces: number
  readonly drafts: number
  readonly products: number
  readonly people: People
  readonly rowSeconds: number
  readonly indexSeconds: number
}

export class NotEmpty extends Error {}

interface SeedOptions {
  /** Of its accounts; random ones if left out. */
  readonly password?: string
  /** Where pictures go; left out, the site has none, and no series or pins. */
  readonly pictures?: PictureStorage | undefined
}

/** Fills an empty site. */
export async function seedSite(
  databaseUrl: string,
  plan: SitePlan,
  { password, pictures }: SeedOptions = {},
): Promise<Seeded> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from app.writers limit 1')
    if (rowCount) throw new NotEmpty(t('cli.seed.not_empty'))
    const startedRows = Date.now()
    const large = plan.pieces >= bulkThreshold
    const indexes = large ? await prepareForBulk(client) : []
    let startedIndexes = startedRows
    try {
      await loadAuthors(client, plan)
      await loadAll(databaseUrl, plan, large)
      await loadDrafts(client, plan)
      await bulkCounts(client)
    } finally {
      startedIndexes = Date.now()
      for (const index of indexes) await buildIndex(databaseUrl, client, index)
      if (large) await setAutovacuum(client, true)
    }
    if (pictures) {
      await addPictures(client, pictures)
      await arrangeMagazine(client)
    }
    // Needs the index of an author's newest pieces.
    const products = await loadShop(client, plan)
    await client.query(
      'vacuum (analyze) pub.authors, pub.pieces, pub.piece_contents, pub.piece_texts, pub.piece_topics, pub.products, app.pieces, app.products',
    )
    await client.query('select app.count_topics()')
    await loadReads(client, plan)
    await client.query('vacuum (analyze) pub.trending, app.piece_reads, app.piece_reads_daily, app.piece_reads_hourly')
    if (plan.pieces > maxUnindexed && !plan.unfiled) await buildSearchIndex(databaseUrl)
    const people = await addPeople(client, authorAt(plan, 0).slug, password)
    return {
      authors: plan.authors,
      pieces: plan.pieces,
      drafts: draftsOf(plan),
      products,
      people,
      rowSeconds: (startedIndexes - startedRows) / 1000,
      indexSeconds: (Date.now() - startedIndexes) / 1000,
    }
  } finally {
    await client.end()
  }
}

async function buildSearchIndex(databaseUrl: string): Promise<void> {
  const indexer = await openIndexerConnection({ url: databaseUrl, role: 'svc_worker' })
  await drainWithProgress(indexer).finally(() => indexer.end())
}

async function prepareForBulk(client: pg.Client): Promise<Index[]> {
  await setAutovacuum(client, false)
  return dropIndexes(client)
}

async function loadAll(databaseUrl: string, plan: SitePlan, large: boolean): Promise<void> {
  const bar = progress(t('cli.seed.progress'))
  let loaded = 0
  const onBatch = (rows: number) => {
    loaded += rows
    bar.step(loaded / plan.pieces, t('cli.done_of', { done: loaded, total: plan.pieces }))
  }
  if (large) await loadInThreads(databaseUrl, plan, onBatch)
  else await loadPieces(databaseUrl, plan, 0, plan.pieces, onBatch)
  bar.done(t('cli.seed.loaded', { count: plan.pieces }))
}

/**
 * Slices are handed out oldest first, so that both threads stay close in time. The last one is whole, so that it has all
 * hand-written pieces: a translation is loaded after its original.
 */
async function loadInThreads(databaseUrl: string, plan: SitePlan, onBatch: (rows: number) => void): Promise<void> {
  const slice = 10_000
  let next = 0
  const runThread = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./load-thread.ts', import.meta.url), { workerData: { databaseUrl, plan } })
      const deal = () => {
        if (next >= plan.pieces) return void worker.postMessage('end')
        const from = next
        next += (plan.pieces - from) % slice || slice
        worker.postMessage({ from, to: next })
      }
      worker.on('message', (message: number | 'slice done') =>
        typeof message === 'number' ? onBatch(message) : deal(),
      )
      worker.on('error', reject)
      worker.on('exit', () => resolve())
      deal()
    })
  await Promise.all(Array.from({ length: threads }, runThread))
}

async function buildIndex(databaseUrl: string, client: pg.Client, index: Index): Promise<void> {
  const bar = progress(index.name.replace(/^(pub|app)\./, ''))
  const builder = new pg.Client({ connectionString: databaseUrl })
  await builder.connect()
  const timer = setInterval(async () => bar.step((await indexProgress(client)) ?? 0), 1000)
  try {
    await createIndex(builder, index, indexMemory)
  } finally {
    clearInterval(timer)
    await builder.end()
  }
  bar.done()
}
