import { type Kysely, sql } from 'kysely'
import type { ReadContext } from '#features/context.ts'
import type { Filter } from '#features/pieces/list-queries.ts'
import { presentListItem } from '#features/pieces/present.ts'
import { type PieceRow, publicPieces } from '#features/pieces/queries.ts'
import { cutRows, readCursor } from '#platform/cursor.ts'
import type { Database } from '#platform/db/database.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { statement } from '#platform/db/statement.ts'
import { defaultWindow, type TrendingList, type TrendingPieces, type TrendingWindow, trendingLimits } from './schema.ts'

/** Public pieces, most read first. */
export async function trendingPieces(
  { db, urls }: ReadContext,
  {
    window = defaultWindow,
    category,
    language,
    limit = trendingLimits.default,
    cursor,
  }: TrendingPieces & Pick<Filter, 'language'>,
): Promise<TrendingList> {
  const [after, before] = cursor === undefined ? [0, 0] : parseTrendingCursor(cursor)
  const rows = await trendingRows(db, { window, category, language, after, limit: limit + 1 })
  const { page, next_cursor } = cutRows('trending', rows, limit, (last) => [last.place, before + limit])
  return {
    ok: true,
    window,
    category: category ?? null,
    count: page.length,
    items: page.map((row, index) => ({ ...presentListItem(row, urls), rank: before + index + 1 })),
    next_cursor,
  }
}

/** The ids of the most read, for feeds. */
export async function trendingIds(
  { db }: ReadContext,
  { window, language, limit }: Required<Pick<TrendingPieces, 'window' | 'limit'>> & Pick<Filter, 'language'>,
): Promise<string[]> {
  const rows = await trendingRows(db, { window, language, category: undefined, after: 0, limit })
  return rows.map(({ id }) => id)
}

/** The last position of the previous page, and how many items were shown so far. Positions have gaps, ranks have none. */
const parseTrendingCursor = (cursor: string) =>
  readCursor<[number, number]>('trending', cursor, (parts) => parts.length === 2 && parts.every(isPosition))

const isPosition = (part: unknown): boolean => Number.isInteger(part) && Number(part) > 0 && Number(part) <= 1_000_000

/** The length of the list (app.score_trending). */
const maxLength = 500

type TrendingPage = { window: TrendingWindow; after: number; limit: number } & Pick<Filter, 'category' | 'language'>

/** The join drops pieces that were unpublished, or changed category, since they were scored. */
const ranked = (db: Kysely<DB>, { window }: TrendingPage) =>
  publicPieces(db).innerJoin('pub.trending as trend', 'trend.piece_id', 'piece.id').where('trend.span', '=', window)

const rankedPage = (db: Kysely<DB>, params: TrendingPage) =>
  ranked(db, params)
    .where('trend.place', '>', params.after)
    .where('trend.place', '<=', maxLength)
    .orderBy('trend.place')
    .select('trend.place')
    .limit(params.limit)

const rankedPageOfCategory = (db: Kysely<DB>, params: TrendingPage) =>
  ranked(db, params)
    .where('trend.category', '=', params.category!)
    .whereRef('piece.category', '=', 'trend.category')
    .where('trend.category_place', '>', params.after)
    .orderBy('trend.category_place')
    .select('trend.category_place as place')
    .limit(params.limit)

/** Looks at the whole list at most: it is short. */
const isOfLanguage = ({ language }: TrendingPage) => sql<boolean>`pub.language_of(piece.locale) = ${language}`

const trendingPage = statement('trending_pieces', (db, params: TrendingPage) => rankedPage(db, params).compile())

const trendingPageOfCategory = statement('trending_pieces_of_category', (db, params: TrendingPage) =>
  rankedPageOfCategory(db, params).compile(),
)

const trendingPageOfLanguage = statement('trending_pieces_of_language', (db, params: TrendingPage) =>
  rankedPage(db, params).where(isOfLanguage(params)).compile(),
)

const trendingPageOfCategoryAndLanguage = statement(
  'trending_pieces_of_category_and_language',
  (db, params: TrendingPage) => rankedPageOfCategory(db, params).where(isOfLanguage(params)).compile(),
)

/** For benchmarks and query plan tests. */
export const statements = {
  trendingPage,
  trendingPageOfCategory,
  trendingPageOfLanguage,
  trendingPageOfCategoryAndLanguage,
} as const

type TrendingRow = PieceRow & { readonly place: number }

function trendingRows(db: Database, params: TrendingPage): Promise<TrendingRow[]> {
  const { category, language } = params
  if (language === undefined) return db.query(category ? trendingPageOfCategory : trendingPage, params)
  return db.query(category ? trendingPageOfCategoryAndLanguage : trendingPageOfLanguage, params)
}

/** In the worker: recalculates the ranking from the counts of 30 days. */
export async function scoreTrending(db: Database): Promise<void> {
  await db.run({ text: 'select app.score_trending()' })
}
