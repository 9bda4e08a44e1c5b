import { sql } from 'kysely'
import type { ReadContext } from '#features/context.ts'
import { presentListItem } from '#features/pieces/present.ts'
import { publicPieces } from '#features/pieces/queries.ts'
import type { PieceListItem } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import type { Database } from '#platform/db/database.ts'
import { partsFor, rowsOfPart } from '#platform/db/id-ranges.ts'
import { statement } from '#platform/db/statement.ts'
import { isAddress } from '#platform/text/slug.ts'

/** Series as readers get them: with public pieces only. */

export interface Series {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly url: string
  readonly slug: string
  readonly modifiedAt: Date
}

interface Row {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly description: string | null
  readonly modified_at: Date
}

const presentSeries = ({ id, slug, title, description, modified_at }: Row, author: string, urls: Urls): Series => ({
  id,
  title,
  description,
  url: urls.series(author, slug),
  slug,
  modifiedAt: modified_at,
})

const byAddress = statement.raw<{ authorId: string; slug: string }, Row>(
  'series_by_address',
  'select id, slug, title, description, modified_at from pub.series where author_id = $1 and slug = $2',
  ['authorId', 'slug'],
)

interface Writer {
  readonly id: string
  readonly author: { readonly slug: string }
}

export async function seriesAt(
  { db, urls }: ReadContext,
  { id: authorId, author }: Writer,
  given: string,
): Promise<Series | undefined> {
  const slug = given.normalize('NFC').toLowerCase()
  const [row] = isAddress(slug) ? await db.query(byAddress, { authorId, slug }) : []
  return row && presentSeries(row, author.slug, urls)
}

const parts = statement('pieces_of_series', (db, { id }: { id: string }) =>
  publicPieces(db)
    .innerJoin('pub.series_pieces as part', 'part.piece_id', 'piece.id')
    .where('part.series_id', '=', id)
    .orderBy('part.position')
    .compile(),
)

/** All of its pieces, in its order. */
export async function piecesOfSeries({ db, urls }: ReadContext, { id }: Series): Promise<PieceListItem[]> {
  const rows = await db.query(parts, { id })
  return rows.map((row) => presentListItem(row, urls))
}

export interface ListedSeries extends Series {
  /** How many of its pieces are public. */
  readonly count: number
}

const ofAuthor = statement.raw<{ authorId: string }, Row & { readonly count: number }>(
  'series_of_author',
  `select s.id, s.slug, s.title, s.description, s.modified_at,
          (select count(*)::integer from pub.series_pieces part join pub.pieces p on p.id = part.piece_id
            where part.series_id = s.id) as count
     from pub.series s where s.author_id = $1 order by s.modified_at desc, s.id desc`,
  ['authorId'],
)

/** Last changed first. */
export async function seriesOfAuthor({ db, urls }: ReadContext, { id, author }: Writer): Promise<ListedSeries[]> {
  const rows = await db.query(ofAuthor, { authorId: id })
  return rows.map((row) => ({ ...presentSeries(row, author.slug, urls), count: row.count }))
}

const latest = statement('latest_series', (db, { limit }: { limit: number }) =>
  db
    .selectFrom('pub.series as series')
    .innerJoin('pub.authors as author', 'author.id', 'series.author_id')
    .select(['series.slug', 'series.title', 'author.slug as author_slug'])
    .orderBy('series.modified_at', 'desc')
    .orderBy('series.id', 'desc')
    .limit(limit)
    .compile(),
)

/** Last changed first, of all authors. */
export async function latestSeries(
  { db, urls }: ReadContext,
  limit: number,
): Promise<{ readonly title: string; readonly url: string }[]> {
  const rows = await db.query(latest, { limit })
  return rows.map(({ slug, title, author_slug }) => ({ title, url: urls.series(author_slug, slug) }))
}

/** All series, divided into sitemap files (platform/db/id-ranges.ts). */
const count = statement.raw<object, { series: number }>(
  'sitemap_series_count',
  'select count(*)::integer as series from pub.series',
  [],
)

export async function seriesParts(db: Database): Promise<string[]> {
  const [found] = await db.query(count, {})
  return partsFor(found?.series ?? 0)
}

const page = statement('sitemap_series', (db, { after, to, limit }: { after: string; to: string; limit: number }) =>
  db
    .selectFrom('pub.series as series')
    .innerJoin('pub.authors as author', 'author.id', 'series.author_id')
    .select(['series.id', 'series.slug', 'series.modified_at', 'author.slug as author_slug'])
    .where(sql<boolean>`series.id > ${after}::uuid and series.id <= ${to}::uuid`)
    .orderBy('series.id')
    .limit(limit)
    .compile(),
)

export async function* seriesOfPart(
  { db, urls }: ReadContext,
  digits: string,
): AsyncGenerator<{ readonly url: string; readonly modifiedAt: Date }[]> {
  for await (const rows of rowsOfPart(digits, (part) => db.query(page, part)))
    yield rows.map((row) => ({ url: urls.series(row.author_slug, row.slug), modifiedAt: row.modified_at }))
}
