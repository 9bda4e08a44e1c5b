import type { ReadContext } from '#features/context.ts'
import type { Database } from '#platform/db/database.ts'
import { partsFor, rowsOfPart } from '#platform/db/id-ranges.ts'
import { statement } from '#platform/db/statement.ts'
import { findAuthors } from './queries.ts'
import { presentAuthorHit } from './reads.ts'
import type { AuthorHit } from './schema.ts'

/** In the order of the author search: verified first, then those with most pieces. */
export async function leadingAuthors({ db, urls }: ReadContext, limit: number): Promise<AuthorHit[]> {
  const rows = await findAuthors(db, { term: '', limit, after: undefined })
  return rows.map((row) => presentAuthorHit(row, urls))
}

/** All authors, divided into sitemap files (platform/db/id-ranges.ts). */
const count = statement.raw<object, { authors: number }>(
  'sitemap_authors_count',
  'select count(*)::integer as authors from pub.authors',
  [],
)

export async function authorParts(db: Database): Promise<string[]> {
  const [found] = await db.query(count, {})
  return partsFor(found?.authors ?? 0)
}

interface Row {
  readonly id: string
  readonly slug: string
  readonly last_published_at: Date | null
}

const page = statement.raw<{ after: string; to: string; limit: number }, Row>(
  'sitemap_authors',
  `select id, slug, last_published_at from pub.authors
    where id > $1::uuid and id <= $2::uuid order by id limit $3`,
  ['after', 'to', 'limit'],
)

export interface AuthorEntry {
  readonly url: string
  /** When they last published. */
  readonly modifiedAt: Date | null
}

export async function* authorsOfPart({ db, urls }: ReadContext, digits: string): AsyncGenerator<AuthorEntry[]> {
  for await (const rows of rowsOfPart(digits, (part) => db.query(page, part)))
    yield rows.map((row) => ({ url: urls.profile(row.slug), modifiedAt: row.last_published_at }))
}

/** For query plan tests. */
export const statements = { count, page } as const
