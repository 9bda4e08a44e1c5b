import type { Kysely } from 'kysely'
import { type PieceRow, publicPieces } from '#features/pieces/queries.ts'
import type { Category } from '#features/pieces/schema.ts'
import type { Database } from '#platform/db/database.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { statement } from '#platform/db/statement.ts'
import type { TrendingWindow } from './schema.ts'

/** As deep as the list goes (app.score_trending). */
const longest = 500

type Asked = { window: TrendingWindow; after: number; limit: number }
type AskedInCategory = Asked & { category: Category }

/** What was unpublished since the scores were made is not joined, and what moved to another category neither. */
const ranked = (db: Kysely<DB>, { window }: Asked) =>
  publicPieces(db).innerJoin('pub.trending as trend', 'trend.piece_id', 'piece.id').where('trend.span', '=', window)

const trendingPage = statement('trending_pieces', (db, asked: Asked) =>
  ranked(db, asked)
    .where('trend.place', '>', asked.after)
    .where('trend.place', '<=', longest)
    .orderBy('trend.place')
    .select('trend.place')
    .limit(asked.limit)
    .compile(),
)

const trendingPageOfCategory = statement('trending_pieces_of_category', (db, asked: AskedInCategory) =>
  ranked(db, asked)
    .where('trend.category', '=', asked.category)
    .whereRef('piece.category', '=', 'trend.category')
    .where('trend.category_place', '>', asked.after)
    .orderBy('trend.category_place')
    .select('trend.category_place as place')
    .limit(asked.limit)
    .compile(),
)

/** What benches and plan tests ask PostgreSQL directly. */
export const statements = { trendingPage, trendingPageOfCategory } as const

export type TrendingRow = PieceRow & { readonly place: number }

export async function trendingRows(
  db: Database,
  { category, ...asked }: Asked & { category?: Category | undefined },
): Promise<TrendingRow[]> {
  return category ? db.query(trendingPageOfCategory, { ...asked, category }) : db.query(trendingPage, asked)
}
