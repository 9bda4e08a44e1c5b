import { type Compilable, type Kysely, sql } from 'kysely'
import type { Database, Transaction } from '#platform/db/database.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { statement } from '#platform/db/statement.ts'
import { latest } from './keyset.ts'
import type { Category } from './schema.ts'

/** The one meaning of "public": what is in `pub.pieces`, with its author. */
export const publicPieces = (db: Kysely<DB>) =>
  db
    .selectFrom('pub.pieces as piece')
    .innerJoin('pub.authors as author', 'author.id', 'piece.author_id')
    .select([
      'piece.id',
      'piece.slug',
      'piece.headline',
      'piece.summary',
      'piece.published_at',
      'piece.category',
      'piece.tags',
      'author.slug as author_slug',
      'author.name as author_name',
      'author.identity_verified as author_verified',
    ])

/**
 * Of which version every row is that a piece is shown from: any change makes another. xmin is the transaction that wrote
 * the row, on the primary and on its physical replicas alike; the date is for a site restored to an earlier point, where
 * numbers of transactions come again.
 */
const edition = sql<string>`concat_ws('.', piece.id, piece.xmin, content.xmin, author.xmin, piece.modified_at)`

const withContent = (pieces: ReturnType<typeof publicPieces>) =>
  pieces.innerJoin('pub.piece_contents as content', (join) =>
    join.onRef('content.piece_id', '=', 'piece.id').onRef('content.author_id', '=', 'piece.author_id'),
  )

/** With the whole text, for the one who asks for one piece, and for feeds. */
const whole = (pieces: ReturnType<typeof publicPieces>) =>
  withContent(pieces).select([
    'piece.author_id',
    'piece.sub',
    'piece.kind',
    'piece.locale',
    'piece.external_url',
    'piece.modified_at',
    'content.html',
    'content.text',
    'author.avatar_url as author_avatar',
  ])

/** What tells that whole pieces are as they were, at a fiftieth of the bytes. */
const editions = (pieces: ReturnType<typeof publicPieces>) =>
  withContent(pieces).clearSelect().select(edition.as('edition'))

const pieceById = statement('piece_by_id', (db, { id }: { id: string }) =>
  whole(publicPieces(db)).where('piece.id', '=', id).compile(),
)

/** By its address; an author's former slug leads there too. */
const pieceByAddress = statement('piece_by_address', (db, { author, slug }: { author: string; slug: string }) =>
  whole(publicPieces(db))
    .where('piece.slug', '=', slug)
    .where(
      'piece.author_id',
      '=',
      sql<string>`coalesce((select id from pub.authors where slug = ${author}::text),
                           (select author_id from pub.former_slugs where slug = ${author}::text))`,
    )
    .compile(),
)

/** Where a piece stands in the order of recency. */
export interface PiecePlace {
  readonly publishedAt: Date
  readonly id: string
}
export const newest: PiecePlace = { publishedAt: latest.time, id: latest.id }

type PageParameters = { publishedAt: Date; id: string; limit: number }

const page = (db: Kysely<DB>, { publishedAt, id, limit }: PageParameters) =>
  publicPieces(db)
    .where(sql<boolean>`(piece.published_at, piece.id) < (${publishedAt}::timestamptz, ${id}::uuid)`)
    .orderBy('piece.published_at', 'desc')
    .orderBy('piece.id', 'desc')
    .limit(limit)

const recentPage = statement('recent_pieces', (db, place: PageParameters) => page(db, place).compile())

const recentPageOfCategory = statement(
  'recent_pieces_of_category',
  (db, place: PageParameters & { category: string }) =>
    page(db, place).where('piece.category', '=', place.category).compile(),
)

const pageOfAuthor = statement('pieces_of_author', (db, place: PageParameters & { authorId: string }) =>
  page(db, place).where('piece.author_id', '=', place.authorId).compile(),
)

/** Along the author's index too: at most as many rows as they have pieces. */
const pageOfAuthorInCategory = statement(
  'pieces_of_author_in_category',
  (db, place: PageParameters & { authorId: string; category: string }) =>
    page(db, place)
      .where('piece.author_id', '=', place.authorId)
      .where('piece.category', '=', place.category)
      .compile(),
)

/** The same question about everybody's pieces, a category's and an author's. */
const shelves = <Row>(name: string, ask: (pieces: ReturnType<typeof publicPieces>) => Compilable<Row>) => ({
  all: statement(name, (db, place: PageParameters) => ask(page(db, place)).compile()),
  category: statement(`${name}_of_category`, (db, place: PageParameters & { category: string }) =>
    ask(page(db, place).where('piece.category', '=', place.category)).compile(),
  ),
  author: statement(`${name}_of_author`, (db, place: PageParameters & { authorId: string }) =>
    ask(page(db, place).where('piece.author_id', '=', place.authorId)).compile(),
  ),
})

const wholePages = shelves('whole_pieces', (pieces) => whole(pieces).select(edition.as('edition')))
const editionPages = shelves('editions', editions)

const piecesByIds = statement('pieces_by_ids', (db, { ids }: { ids: readonly string[] }) =>
  publicPieces(db).where(sql<boolean>`piece.id = any(${ids}::uuid[])`).compile(),
)

export type PieceRow = NonNullable<(typeof recentPage)['row']>
export type WholePieceRow = NonNullable<(typeof pieceById)['row']>

/** What benches and plan tests ask PostgreSQL directly. */
export const statements = {
  pieceById,
  pieceByAddress,
  recentPage,
  recentPageOfCategory,
  pageOfAuthor,
  pageOfAuthorInCategory,
  editionsOfAuthor: editionPages.author,
} as const

export async function onePiece(db: Database, id: string): Promise<WholePieceRow | undefined> {
  const [row] = await db.query(pieceById, { id })
  return row
}

export async function pieceAt(db: Database, author: string, slug: string): Promise<WholePieceRow | undefined> {
  const [row] = await db.query(pieceByAddress, { author, slug })
  return row
}

/** Pieces of everybody, of a category, or of an author by id. */
export type Shelf = 'all' | { readonly category: Category } | { readonly authorId: string }

interface Place {
  readonly after: PiecePlace
  readonly limit: number
}

export const wholeRows = (db: Database, shelf: Shelf, place: Place) => pageOf(db, wholePages, shelf, place)

export const editionRows = (db: Database, shelf: Shelf, place: Place) => pageOf(db, editionPages, shelf, place)

async function pageOf<Row>(
  db: Database,
  statements: ReturnType<typeof shelves<Row>>,
  shelf: Shelf,
  { after, limit }: Place,
): Promise<Row[]> {
  const place = { ...after, limit }
  if (shelf === 'all') return db.query(statements.all, place)
  if ('category' in shelf) return db.query(statements.category, { ...place, category: shelf.category })
  return db.query(statements.author, { ...place, authorId: shelf.authorId })
}

/** As it is within a transaction that has just changed it. */
export async function pieceWithin(tx: Transaction, id: string): Promise<WholePieceRow> {
  const { rows } = await tx.query<WholePieceRow>(pieceById.text, pieceById.values({ id }))
  return rows[0]!
}

/** What lists can keep to: a category, an author by id, or both. */
export interface Filter {
  readonly category?: Category | undefined
  readonly authorId?: string | undefined
}

export async function recentRows(
  db: Database,
  { category, authorId, after, limit }: Filter & Place,
): Promise<PieceRow[]> {
  const place = { ...after, limit }
  if (authorId && category) return db.query(pageOfAuthorInCategory, { ...place, authorId, category })
  if (authorId) return db.query(pageOfAuthor, { ...place, authorId })
  return category ? db.query(recentPageOfCategory, { ...place, category }) : db.query(recentPage, place)
}

/** What lists show of these pieces, by id; one that has just been unpublished is not there. */
export async function rowsByIds(db: Database, ids: readonly string[]): Promise<Map<string, PieceRow>> {
  const rows = ids.length > 0 ? await db.query(piecesByIds, { ids }) : []
  return new Map(rows.map((row) => [row.id, row]))
}
