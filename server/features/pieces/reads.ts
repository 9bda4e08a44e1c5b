import type { ReadContext } from '#platform/context.ts'
import { isTime, isUuid, readCursor, writeCursor } from '#platform/cursor.ts'
import { cutPage, latest, placeOf } from './keyset.ts'
import { presentHit, presentListItem } from './present.ts'
import { publishedPiece } from './public-lists.ts'
import { type Filter, recentRows, rowsByIds } from './queries.ts'
import {
  matchSites,
  type OnePiece,
  type PieceFound,
  type PieceHits,
  type PieceList,
  pieceListLimits,
  type RecentPieces,
  type SearchPieces,
} from './schema.ts'
import { findPieces } from './search/find.ts'
import type { Place } from './search/hit.ts'

export async function getPiece(reads: ReadContext, id: OnePiece): Promise<PieceFound> {
  const { piece } = await publishedPiece(reads, id)
  return { ok: true, piece }
}

export async function recentPieces(
  { db, urls }: ReadContext,
  { category, authorId, limit = pieceListLimits.default, cursor }: RecentPieces & Filter,
): Promise<PieceList> {
  const { time: publishedAt, id } = placeOf('recent', cursor, latest)
  const rows = await recentRows(db, { category, authorId, after: { publishedAt, id }, limit: limit + 1 })
  const { page, next_cursor } = cutPage('recent', rows, limit, (row) => row.published_at)
  return {
    ok: true,
    category: category ?? null,
    count: page.length,
    items: page.map((row) => presentListItem(row, urls)),
    next_cursor,
  }
}

export async function searchPieces(
  { db, searchDb, searchBudget, urls }: ReadContext,
  { q, category, limit = pieceListLimits.default, cursor }: SearchPieces,
): Promise<PieceHits> {
  const after = cursor === undefined ? undefined : readSearchCursor(cursor)
  const { hits, partial } = await findPieces(searchDb, { q, category, limit: limit + 1, after, budget: searchBudget })
  const page = hits.slice(0, limit)
  const rows = await rowsByIds(
    db,
    page.map((hit) => hit.id),
  )
  const results = page.flatMap((hit) => {
    const row = rows.get(hit.id)
    return row ? [presentHit(row, hit.site, hit.snippet, urls)] : []
  })
  const last = hits.length > limit ? page.at(-1) : undefined
  return {
    ok: true,
    query: q,
    category: category ?? null,
    count: results.length,
    results,
    next_cursor: last ? writeCursor('search', [last.site, last.publishedAt.getTime(), last.id]) : null,
    ...(partial ? { partial, advice } : {}),
  }
}

/** What helps a term that no index can narrow. */
const advice =
  'The search ran out of time and there may be more. Add a character or a word: longer terms are found faster.'

function readSearchCursor(cursor: string): Place {
  const [site, time, id] = readCursor<[Place['site'], number, string]>(
    'search',
    cursor,
    (parts) =>
      parts.length === 3 && matchSites.includes(parts[0] as Place['site']) && isTime(parts[1]) && isUuid(parts[2]),
  )
  return { site, publishedAt: new Date(time), id }
}
