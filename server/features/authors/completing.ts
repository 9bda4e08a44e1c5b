import type { ReadContext } from '#platform/context.ts'
import { statement } from '#platform/db/statement.ts'

/** A range of the index on slugs; collations that pass over hyphens find a few too many, which are left out below. */
const beginning = statement.raw<{ from: string; to: string; limit: number }, { slug: string }>(
  'author_slugs_beginning',
  `select slug from pub.authors where slug >= $1 and slug < $2 order by slug limit $3`,
  ['from', 'to', 'limit'],
)

/** What slugs are made of; nothing else begins one. */
const beginningShape = /^[a-z0-9-]{0,40}$/

/** Slugs of authors that begin like this, in their order. */
export async function slugsBeginning({ db }: ReadContext, begun: string, limit: number): Promise<string[]> {
  if (!beginningShape.test(begun)) return []
  const rows = await db.query(beginning, { from: begun, to: `${begun}\u{10FFFF}`, limit })
  return rows.map(({ slug }) => slug).filter((slug) => slug.startsWith(begun))
}
