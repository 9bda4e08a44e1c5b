import type { ReadContext } from '#platform/context.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { presentAuthorHit } from './present.ts'
import { findAuthors } from './queries.ts'
import type { AuthorHit } from './schema.ts'

/** Those a stranger would want to know first: verified, then with most pieces. The order of the author search. */
export async function leadingAuthors({ db, urls }: ReadContext, limit: number): Promise<AuthorHit[]> {
  const rows = await findAuthors(db, { term: '', limit, after: undefined })
  return rows.map((row) => presentAuthorHit(row, urls))
}

/**
 * All authors in parts by the first digits of their ids, which are random: so the parts are alike, and an author
 * stays in theirs. Another digit when the parts become too much.
 */
const mostInPart = 50_000
/** Parts differ by chance: at 40,000 on average none comes near the limit (it is 50 times the usual difference away). */
const averageInPart = 40_000

const count = statement.raw<object, { authors: number }>(
  'sitemap_authors_count',
  'select count(*)::integer as authors from pub.authors',
  [],
)

/** '' alone, or '0' to 'f', or '00' to 'ff', and so on. */
export async function authorParts(db: Database): Promise<string[]> {
  const [found] = await db.query(count, {})
  const authors = found?.authors ?? 0
  if (authors === 0) return []
  let digits = 0
  while (authors > averageInPart * 16 ** digits) digits += 1
  if (digits === 0) return ['']
  return Array.from({ length: 16 ** digits }, (_, at) => at.toString(16).padStart(digits, '0'))
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

const perPage = 2_000

export async function* authorsOfPart({ db, urls }: ReadContext, digits: string): AsyncGenerator<AuthorEntry[]> {
  if (!/^[0-9a-f]{0,4}$/.test(digits)) return
  const to = uuidOf(digits, 'f')
  let after = uuidBefore(digits)
  for (let left = mostInPart; left > 0; left -= perPage) {
    const limit = Math.min(perPage, left)
    const rows = await db.query(page, { after, to, limit })
    if (rows.length > 0) yield rows.map((row) => ({ url: urls.profile(row.slug), modifiedAt: row.last_published_at }))
    if (rows.length < limit) return
    after = rows.at(-1)!.id
  }
}

const uuidOf = (digits: string, filler: '0' | 'f'): string =>
  digits.padEnd(32, filler).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** The last id that does not begin with these digits and comes before those that do; ids of version 4 are never nil. */
function uuidBefore(digits: string): string {
  const before = Number.parseInt(digits || '0', 16) - 1
  return before < 0 ? uuidOf('', '0') : uuidOf(before.toString(16).padStart(digits.length, '0'), 'f')
}

/** What plan tests ask PostgreSQL directly. */
export const statements = { count, page } as const
