import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { normaliseLine, shortened } from '../../../server/platform/text/normalise.ts'
import { slugFrom } from '../../../server/platform/text/slug.ts'
import { copyBinary, type Field, text, texts, time, uuid } from '../../../server/seed/copy.ts'
import { authorAt } from '../../../server/seed/site-plan.ts'
import { type CorpusPlan, metadataOf, recordOf, sitePlanOf } from './corpus-plan.ts'
import { htmlOf, piece } from './piece.ts'

const batchSize = 1_000

export interface LoadWork {
  readonly databaseUrl: string
  readonly plan: CorpusPlan
}

/** Entry point of a thread: generates and loads the slices it is sent, on its own connection, until it gets `end`. */
async function openLoader({ databaseUrl, plan }: LoadWork) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // No durability: after a crash it is loaded again. No foreign keys: the rows are consistent by construction.
  await client.query('set synchronous_commit = off; set session_replication_role = replica; set role svc_publisher')
  const site = sitePlanOf(plan)
  const authors = Array.from({ length: site.authors }, (_, index) => uuid(authorAt(site, index).id))
  const columns = `id, author_id, slug, headline, sub, summary, category, tags, kind, locale, published_at, modified_at, headline_folded, sub_folded`

  async function load(from: number, to: number, onBatch: (rows: number) => void): Promise<void> {
    for (let start = from; start < to; start += batchSize) {
      const end = Math.min(start + batchSize, to)
      const rows = Array.from({ length: end - start }, (_, offset) => rowsOf(start + offset))
      await client.query('begin')
      await copyBinary(
        client,
        `pub.pieces (${columns})`,
        rows.map(([row]) => row),
      )
      await copyBinary(
        client,
        'pub.piece_contents (piece_id, author_id, html, text)',
        rows.map(([, row]) => row),
      )
      const texts = 'pub.piece_texts (piece_id, author_id, category, published_at, body)'
      await copyBinary(
        client,
        texts,
        rows.map(([, , row]) => row),
      )
      await client.query('commit')
      onBatch(end - start)
    }
  }

  /** One row for each of the three tables. */
  function rowsOf(index: number): [Field[], Field[], Field[]] {
    const generated = piece(plan.seed, index)
    const metadata = metadataOf(plan, index)
    const record = recordOf(metadata, generated)
    const [id, author, at] = [uuid(metadata.id), authors[metadata.author]!, time(metadata.publishedAt)]
    const [category, body, html] = [text(generated.category), text(generated.body), htmlOf(generated.body)]
    const row = [
      id,
      author,
      text(`${slugFrom(generated.headline, 80, 'piece')}-${index.toString(36)}`),
      text(generated.headline),
      text(generated.sub),
      text(generated.sub || shortened(normaliseLine(generated.body), 200)),
      category,
      texts(generated.tags),
      text('essay'),
      text('en'),
      at,
      at,
      text(record.headlineFolded),
      text(record.subFolded),
    ]
    return [row, [id, author, text(html), body], [id, author, category, at, text(record.bodyFolded)]]
  }

  return { load, close: () => client.end() }
}

const port = parentPort!
const loader = await openLoader(workerData as LoadWork)

port.on('message', async (slice: { from: number; to: number } | 'end') => {
  if (slice === 'end') {
    await loader.close()
    return port.close()
  }
  await loader.load(slice.from, slice.to, (rows) => port.postMessage(rows))
  port.postMessage('slice done')
})
port.postMessage('slice done')
