import type { Kysely } from 'kysely'
import type { ReadContext } from '#features/context.ts'
import { presentListItem } from '#features/pieces/present.ts'
import { type PieceRow, publicPieces } from '#features/pieces/queries.ts'
import type { Category } from '#features/pieces/schema.ts'
import { readCursor, writeCursor } from '#platform/cursor.ts'
import type { Database } from '#platform/db/database.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { statement } from '#platform/db/statement.ts'
import { defaultWindow, type TrendingList, type TrendingPieces, type TrendingWindow, trendingLimits } from './schema.ts'

/** Public pieces, most read first. */
export async function trendingPieces(
  { db, urls }: ReadContext,
  { window = defaultWindow, category, limit = trendingLimits.default, cursor }: TrendingPieces,
): Promise<TrendingList> {
  const [after, before] = cursor === undefined ? [0, 0] : parseTrendingCursor(cursor)
  const rows = await trendingRows(db, { window, category, after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    ok: true,
    window,
    category: category ?? null,
    count: page.length,
    items: page.map((row, index) => ({ ...presentListItem(row, urls), rank: before + index + 1 })),
    next_cursor: last ? writeCursor('trending', [last.place, before + page.length]) : null,
  }
}

/** The last position of the previous page, and how many items were shown so far. Positions have gaps, ranks have none. */
const parseTrendingCursor = (cursor: string) =>
  readCursor<[number, number]>('trending', cursor, (parts) => parts.length === 2 && parts.every(isPosition))

const isPosition = (part: unknown): boolean => Number.isInteger(part) && Number(part) > 0 && Number(part) <= 1_000_000

/** The length of the list (app.score_trending). */
const maxLength = 500

type TrendingPage = { window: TrendingWindow; after: number; limit: number }
type CategoryPage = TrendingPage & { category: Category }

/** The join drops pieces that were unpublished, or changed category, since they were scored. */
const ranked = (db: Kysely<DB>, { window }: TrendingPage) =>
  publicPieces(db).innerJoin('pub.trending as trend', 'trend.piece_id', 'piece.id').where('trend.span', '=', window)

const trendingPage = statement('trending_pieces', (db, params: TrendingPage) =>
  ranked(db, params)
    .where('trend.place', '>', params.after)
    .where('trend.place', '<=', maxLength)
    .orderBy('trend.place')
    .select('trend.place')
    .limit(params.limit)
    .compile(),
)

const trendingPageOfCategory = statement('trending_pieces_of_category', (db, params: CategoryPage) =>
  ranked(db, params)
    .where('trend.category', '=', params.category)
    .whereRef('piece.category', '=', 'trend.category')
    .where('trend.category_place', '>', params.after)
    .orderBy('trend.category_place')
    .select('trend.category_place as place')
    .limit(params.limit)
    .compile(),
)

/** For benchmarks and query plan tests. */
export const statements = { trendingPage, trendingPageOfCategory } as const

type TrendingRow = PieceRow & { readonly place: number }

async function trendingRows(
  db: Database,
  { category, ...params }: TrendingPage & { category?: Category | undefined },
): Promise<TrendingRow[]> {
  return category ? db.query(trendingPageOfCategory, { ...params, category }) : db.query(trendingPage, params)
}

/** In the worker: recalculates the ranking from the counts of 30 days. */
export async function scoreTrending(db: Database): Promise<void> {
  await db.run({ text: 'select app.score_trending()' })
}
