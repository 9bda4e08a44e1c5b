import type { ReadContext } from '#features/context.ts'
import { cutRows, isTime, isUuid, readCursor } from '#platform/cursor.ts'
import { cutPage, latest, parseCursor } from './keyset.ts'
import { type Filter, recentRows } from './list-queries.ts'
import { presentHit, presentListItem } from './present.ts'
import { publishedPiece } from './public-lists.ts'
import { rowsByIds } from './queries.ts'
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
import type { Hit } from './search/snippet.ts'
import type { Match } from './search/verify.ts'
import type { WordsHit } from './search/words-find.ts'

export async function getPiece(reads: ReadContext, id: OnePiece): Promise<PieceFound> {
  const { piece } = await publishedPiece(reads, id)
  return { ok: true, piece }
}

export async function recentPieces(
  { db, urls }: ReadContext,
  { topic, category, authorId, language, limit = pieceListLimits.default, cursor }: RecentPieces & Filter,
): Promise<PieceList> {
  const { time: publishedAt, id } = parseCursor('recent', cursor, latest)
  const start = { after: { publishedAt, id }, limit: limit + 1 }
  const rows = await recentRows(db, { topic, category, authorId, language }, start)
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
  reads: ReadContext,
  { q, category, language, limit = pieceListLimits.default, cursor }: SearchPieces & Pick<Filter, 'language'>,
): Promise<PieceHits> {
  const after = cursor === undefined ? undefined : readSearchCursor(cursor)
  const query = { q, category, language, limit: limit + 1, after, budget: reads.searchBudget }
  const { hits, partial } = await findPieces(reads.searchDb, query)
  const { page, next_cursor } = cutRows('search', hits, limit, (last) => [
    last.site,
    last.publishedAt.getTime(),
    last.id,
  ])
  const results = await presentHits(reads, page)
  return {
    ok: true,
    query: q,
    category: category ?? null,
    count: results.length,
    results,
    next_cursor,
    ...(partial ? { partial, advice } : {}),
  }
}

/** Without what was unpublished since it was found. */
export async function presentHits(
  { db, urls }: ReadContext,
  hits: readonly (Hit | WordsHit)[],
): Promise<PieceHits['results']> {
  const rows = await rowsByIds(
    db,
    hits.map(({ id }) => id),
  )
  return hits.flatMap((hit) => {
    const row = rows.get(hit.id)
    return row ? [presentHit(row, hit, urls)] : []
  })
}

/** For a term that no index can narrow. */
const advice =
  'The search ran out of time and there may be more. Add a character or a word: longer terms are found faster.'

function readSearchCursor(cursor: string): Match {
  const [site, time, id] = readCursor<[Match['site'], number, string]>(
    'search',
    cursor,
    (parts) =>
      parts.length === 3 && matchSites.includes(parts[0] as Match['site']) && isTime(parts[1]) && isUuid(parts[2]),
  )
  return { site, publishedAt: new Date(time), id }
}
