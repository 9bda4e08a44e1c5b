import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/db/database.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { statement } from '#platform/db/statement.ts'
import { latest } from './page.ts'
import type { Category } from './schema.ts'

/** The one meaning of "public": what is in `pub.pieces`, with its author. */
const publicPieces = (db: Kysely<DB>) =>
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

/** With the whole text, for the one who asks for one piece, and for feeds. */
const whole = (pieces: ReturnType<typeof publicPieces>) =>
  pieces
    .innerJoin('pub.piece_contents as content', (join) =>
      join.onRef('content.piece_id', '=', 'piece.id').onRef('content.author_id', '=', 'piece.author_id'),
    )
    .select([
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

const wholePageOfAll = statement('whole_pieces', (db, place: PageParameters) => whole(page(db, place)).compile())

const wholePageOfCategory = statement('whole_pieces_of_category', (db, place: PageParameters & { category: string }) =>
  whole(page(db, place)).where('piece.category', '=', place.category).compile(),
)

const wholePageOfAuthor = statement('whole_pieces_of_author', (db, place: PageParameters & { authorId: string }) =>
  whole(page(db, place)).where('piece.author_id', '=', place.authorId).compile(),
)

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
  wholePageOfAll,
  wholePageOfCategory,
  wholePageOfAuthor,
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

export async function wholeRows(
  db: Database,
  shelf: Shelf,
  { after, limit }: { after: PiecePlace; limit: number },
): Promise<WholePieceRow[]> {
  const place = { ...after, limit }
  if (shelf === 'all') return db.query(wholePageOfAll, place)
  if ('category' in shelf) return db.query(wholePageOfCategory, { ...place, category: shelf.category })
  return db.query(wholePageOfAuthor, { ...place, authorId: shelf.authorId })
}

export async function rowsOfAuthor(
  db: Database,
  authorId: string,
  { after, limit }: { after: PiecePlace; limit: number },
): Promise<PieceRow[]> {
  return db.query(pageOfAuthor, { ...after, limit, authorId })
}

export async function recentRows(
  db: Database,
  { category, after, limit }: { category?: Category | undefined; after: PiecePlace; limit: number },
): Promise<PieceRow[]> {
  return category
    ? db.query(recentPageOfCategory, { ...after, limit, category })
    : db.query(recentPage, { ...after, limit })
}

/** What lists show of these pieces, by id; one that has just been unpublished is not there. */
export async function rowsByIds(db: Database, ids: readonly string[]): Promise<Map<string, PieceRow>> {
  const rows = ids.length > 0 ? await db.query(piecesByIds, { ids }) : []
  return new Map(rows.map((row) => [row.id, row]))
}
