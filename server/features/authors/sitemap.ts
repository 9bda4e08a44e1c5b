import type { ReadContext } from '#platform/context.ts'
import type { Database } from '#platform/db/database.ts'
import { partsFor, rowsOfPart } from '#platform/db/id-ranges.ts'
import { statement } from '#platform/db/statement.ts'
import { presentAuthorHit } from './present.ts'
import { findAuthors } from './queries.ts'
import type { AuthorHit } from './schema.ts'

/** Those a stranger would want to know first: verified, then with most pieces. The order of the author search. */
export async function leadingAuthors({ db, urls }: ReadContext, limit: number): Promise<AuthorHit[]> {
  const rows = await findAuthors(db, { term: '', limit, after: undefined })
  return rows.map((row) => presentAuthorHit(row, urls))
}

/** All authors in parts (platform/db/id-ranges.ts). */
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
  /** When their page last got a piece. */
  readonly modifiedAt: Date | null
}

export async function* authorsOfPart({ db, urls }: ReadContext, digits: string): AsyncGenerator<AuthorEntry[]> {
  for await (const rows of rowsOfPart(digits, (part) => db.query(page, part)))
    yield rows.map((row) => ({ url: urls.profile(row.slug), modifiedAt: row.last_published_at }))
}

/** What plan tests ask PostgreSQL directly. */
export const statements = { count, page } as const
