import type { ReadContext } from '#platform/context.ts'
import { statement } from '#platform/db/statement.ts'
import { presentListItem } from './present.ts'
import { rowsByIds } from './queries.ts'
import { recentPieces } from './reads.ts'
import type { PieceList } from './schema.ts'

/** Who publishes thirty pieces in a row does not fill the front page with them. */

const firstPlaces = 10
const ofOneAuthor = 2
/** Among so many of the newest others are looked for: less than a millisecond, also where one author wrote everything. */
const lookedAt = 500

/** The first pieces in the order of recency, of each author no more than that. */
const spread = statement.raw<{ lookedAt: number; ofOneAuthor: number; firstPlaces: number }, { id: string }>(
  'front_page_places',
  `select placed.id from (
     select newest.*, row_number() over (partition by author_id order by published_at desc, id desc) as place
       from (select id, author_id, published_at from pub.pieces order by published_at desc, id desc limit $1) newest) placed
    where placed.place <= $2 order by placed.published_at desc, placed.id desc limit $3`,
  ['lookedAt', 'ofOneAuthor', 'firstPlaces'],
)

/**
 * What is new, for people: of the first ten places one author has two at most, as long as others have pieces to put
 * there. What had to wait follows them, so that nothing is missing and the next page begins where the plain list does.
 */
export async function frontPage(reads: ReadContext, limit: number): Promise<PieceList> {
  const list = await recentPieces(reads, { limit })
  if (!isCrowded(list.items.slice(0, firstPlaces))) return list
  const found = await reads.db.query(spread, { lookedAt, ofOneAuthor, firstPlaces })
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
  return [...counts.values()].some((count) => count > ofOneAuthor)
}
