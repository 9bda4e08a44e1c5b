import pg from 'pg'
import { normaliseLine } from '../../../server/platform/text/normalise.ts'
import { shortened } from '../../../server/platform/text/shorten.ts'
import { slugFrom } from '../../../server/platform/text/slug.ts'
import { copyBinary, type Field, text, texts, time, uuid } from '../../../server/seed/binary.ts'
import { authorAt, type SitePlan } from '../../../server/seed/site-plan.ts'
import { authorsOf, type CorpusPlan, placeAt, recordOf } from './corpus-plan.ts'
import { htmlOf, piece } from './piece.ts'

const batchSize = 1_000

/** The authors are the seed's: nothing about them matters to the search for pieces. */
export const sitePlanOf = (plan: CorpusPlan): SitePlan => ({
  authors: authorsOf(plan),
  pieces: plan.pieces,
  rng: plan.seed,
  until: plan.until,
})

export interface LoadWork {
  readonly databaseUrl: string
  readonly plan: CorpusPlan
}

/** Loads slices on a connection of its own. */
export async function openLoader({ databaseUrl, plan }: LoadWork) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // Loaded anew if lost; and the rows refer to each other by the way they are made.
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

  /** The rows of the three tables. */
  function rowsOf(index: number): [Field[], Field[], Field[]] {
    const made = piece(plan.seed, index)
    const place = placeAt(plan, index)
    const record = recordOf(place, made)
    const [id, author, at] = [uuid(place.id), authors[place.author]!, time(place.publishedAt)]
    const [category, body, html] = [text(made.category), text(made.body), htmlOf(made.body)]
    const row = [
      id,
      author,
      text(`${slugFrom(made.headline, 80, 'piece')}-${index.toString(36)}`),
      text(made.headline),
      text(made.sub),
      text(made.sub || shortened(normaliseLine(made.body), 200)),
      category,
      texts(made.tags),
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
