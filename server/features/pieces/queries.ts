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

const pieceById = statement('piece_by_id', (db, { id }: { id: string }) =>
  publicPieces(db)
    .innerJoin('pub.piece_contents as content', (join) =>
      join.onRef('content.piece_id', '=', 'piece.id').onRef('content.author_id', '=', 'piece.author_id'),
    )
    .where('piece.id', '=', id)
    .select([
      'piece.author_id',
      'piece.kind',
      'piece.external_url',
      'piece.modified_at',
      'content.html',
      'content.text',
      'author.avatar_url as author_avatar',
    ])
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

const piecesByIds = statement('pieces_by_ids', (db, { ids }: { ids: readonly string[] }) =>
  publicPieces(db).where(sql<boolean>`piece.id = any(${ids}::uuid[])`).compile(),
)

export type PieceRow = NonNullable<(typeof recentPage)['row']>
export type WholePieceRow = NonNullable<(typeof pieceById)['row']>

/** What benches and plan tests ask PostgreSQL directly. */
export const statements = { pieceById, recentPage, recentPageOfCategory } as const

export async function onePiece(db: Database, id: string): Promise<WholePieceRow | undefined> {
  const [row] = await db.query(pieceById, { id })
  return row
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
