import { presentListItem } from '#features/pieces/present.ts'
import type { ReadContext } from '#platform/context.ts'
import { readCursor, writeCursor } from '#platform/cursor.ts'
import { trendingRows } from './queries.ts'
import { defaultWindow, type TrendingList, type TrendingPieces, trendingLimits } from './schema.ts'

/** Public pieces, most read first. */
export async function trendingPieces(
  { db, urls }: ReadContext,
  { window = defaultWindow, category, limit = trendingLimits.default, cursor }: TrendingPieces,
): Promise<TrendingList> {
  const [after, before] = cursor === undefined ? [0, 0] : placeOf(cursor)
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

/** Where the page before ended: its place as it was scored, and how many had been shown. Places have gaps, ranks none. */
const placeOf = (cursor: string) =>
  readCursor<[number, number]>('trending', cursor, (parts) => parts.length === 2 && parts.every(isPlace))

const isPlace = (part: unknown): boolean => Number.isInteger(part) && Number(part) > 0 && Number(part) <= 1_000_000
