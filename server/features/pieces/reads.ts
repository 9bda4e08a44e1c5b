import type { ReadContext } from '#features/context.ts'
import { isTime, isUuid, readCursor, writeCursor } from '#platform/cursor.ts'
import { statement } from '#platform/db/statement.ts'
import { cutPage, latest, parseCursor } from './keyset.ts'
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
import type { Match } from './search/verify.ts'

export async function getPiece(reads: ReadContext, id: OnePiece): Promise<PieceFound> {
  const { piece } = await publishedPiece(reads, id)
  return { ok: true, piece }
}

export async function recentPieces(
  { db, urls }: ReadContext,
  { category, authorId, language, limit = pieceListLimits.default, cursor }: RecentPieces & Filter,
): Promise<PieceList> {
  const { time: publishedAt, id } = parseCursor('recent', cursor, latest)
  const start = { after: { publishedAt, id }, limit: limit + 1 }
  const rows = await recentRows(db, { category, authorId, language }, start)
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
  { q, category, language, limit = pieceListLimits.default, cursor }: SearchPieces & Pick<Filter, 'language'>,
): Promise<PieceHits> {
  const after = cursor === undefined ? undefined : readSearchCursor(cursor)
  const query = { q, category, language, limit: limit + 1, after, budget: searchBudget }
  const { hits, partial } = await findPieces(searchDb, query)
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

// Front page: an author who publishes thirty pieces in a row must not fill it.

const topCount = 10
const maxPerAuthor = 2
/** How many of the newest pieces are searched for other authors: takes less than 1 ms, even if one author wrote them all. */
const scanned = 500

type Spread = { scanned: number; maxPerAuthor: number; topCount: number; language?: string | undefined }

/** The newest pieces with at most `maxPerAuthor` of each author. */
const spreadOf = (name: string, condition: string, more: readonly 'language'[]) =>
  statement.raw<Spread, { id: string }>(
    name,
    `select placed.id from (
       select newest.*, row_number() over (partition by author_id order by published_at desc, id desc) as place
         from (select id, author_id, published_at from pub.pieces ${condition}
                order by published_at desc, id desc limit $1) newest) placed
      where placed.place <= $2 order by placed.published_at desc, placed.id desc limit $3`,
    ['scanned', 'maxPerAuthor', 'topCount', ...more],
  )
const spread = spreadOf('front_page_places', '', [])
const spreadOfLanguage = spreadOf('front_page_places_by_language', 'where pub.language_of(locale) = $4', ['language'])

/**
 * The newest pieces, with at most two of one author among the first ten while other authors have pieces. Displaced pieces
 * follow, so nothing is missing and the next page starts where that of the plain list does.
 */
export async function frontPage(
  reads: ReadContext,
  { limit, language }: { readonly limit: number; readonly language?: string | undefined },
): Promise<PieceList> {
  const list = await recentPieces(reads, { limit, language })
  if (!isCrowded(list.items.slice(0, topCount))) return list
  const places = language === undefined ? spread : spreadOfLanguage
  const found = await reads.db.query(places, { scanned, maxPerAuthor, topCount, language })
  const ids = found.map(({ id }) => id)
  const rows = await rowsByIds(reads.db, ids)
  const first = ids.flatMap((id) => rows.get(id) ?? []).map((row) => presentListItem(row, reads.urls))
  const placed = new Set(first.map(({ id }) => id))
  const items = [...first, ...list.items.filter(({ id }) => !placed.has(id))]
  return { ...list, items, count: items.length }
}

function isCrowded(items: PieceList['items']): boolean {
  const counts = new Map<string, number>()
  for (const { authors } of items) {
    const slug = authors[0]!.slug
    counts.set(slug, (counts.get(slug) ?? 0) + 1)
  }
  return [...counts.values()].some((count) => count > maxPerAuthor)
}
