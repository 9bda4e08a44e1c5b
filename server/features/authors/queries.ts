import { sql } from 'kysely'
import type { Database } from '#platform/db/database.ts'
import { containing, statement } from '#platform/db/statement.ts'

const authorBySlug = statement('author_by_slug', (db, { slug }: { slug: string }) =>
  db.selectFrom('pub.authors').where('slug', '=', slug).selectAll().compile(),
)

const authorByFormerSlug = statement('author_by_former_slug', (db, { slug }: { slug: string }) =>
  db
    .selectFrom('pub.former_slugs as former')
    .innerJoin('pub.authors as author', 'author.id', 'former.author_id')
    .where('former.slug', '=', slug)
    .selectAll('author')
    .compile(),
)

export type AuthorRow = NonNullable<(typeof authorBySlug)['row']>

export async function findAuthor(db: Database, slug: string): Promise<AuthorRow | undefined> {
  const [author] = await db.query(authorBySlug, { slug })
  return author ?? (await db.query(authorByFormerSlug, { slug }))[0]
}

export type AuthorCursor = readonly [verified: boolean, piecesCount: number, slug: string]

/** Verified writers first, then those with more pieces; the slug breaks ties. */
export async function findAuthors(
  db: Database,
  { term, limit, after }: { term: string; limit: number; after: AuthorCursor | undefined },
): Promise<AuthorRow[]> {
  const [verified, count, slug] = after ?? [true, 2_147_483_647, '']
  return db.run<AuthorRow>({
    text: searchAuthors.text,
    values: searchAuthors.values({ like: containing(term), verified, count, slug, limit }),
  })
}

type SearchParameters = { like: string; verified: boolean; count: number; slug: string; limit: number }

/** Planned for each term: a common one is found early in the ranking, a rare one by its trigrams. */
const searchAuthors = statement('search_authors', (db, { like, verified, count, slug, limit }: SearchParameters) =>
  db
    .selectFrom('pub.authors')
    .where('search_text', 'like', like)
    .where(
      sql<boolean>`(not identity_verified, -pieces_count, slug) > (not ${verified}::boolean, -${count}::integer, ${slug}::text)`,
    )
    .selectAll()
    .orderBy('identity_verified', 'desc')
    .orderBy('pieces_count', 'desc')
    .orderBy('slug')
    .limit(limit)
    .compile(),
)

export type NameCursor = readonly [name: string, slug: string]

/** Names as people sort them, in any script: the root order of Unicode. Languages that differ have no index. */
const nameInOrder = sql`name collate "und-x-icu"`

/** Authors with a verified identity or website, by name; a partial index covers them. */
const authorsWithEvidence = statement(
  'authors_with_evidence',
  (db, { name, slug, limit }: { name: string; slug: string; limit: number }) =>
    db
      .selectFrom('pub.authors')
      .where(sql<boolean>`(identity_verified or website_verified)`)
      .where(sql<boolean>`(${nameInOrder}, slug) > (${name}::text, ${slug}::text)`)
      .select([
        'slug',
        'name',
        'website',
        'identity_verified',
        'identity_verified_at',
        'website_verified',
        'website_checked_at',
      ])
      .orderBy(nameInOrder)
      .orderBy('slug')
      .limit(limit)
      .compile(),
)

export type EvidenceRow = NonNullable<(typeof authorsWithEvidence)['row']>

export const evidenceRows = (db: Database, [name, slug]: NameCursor, limit: number): Promise<EvidenceRow[]> =>
  db.query(authorsWithEvidence, { name, slug, limit })

/** All with public pieces, by name; a partial index covers them. */
const authorsByName = statement(
  'authors_by_name',
  (db, { name, slug, limit }: { name: string; slug: string; limit: number }) =>
    db
      .selectFrom('pub.authors')
      .where('pieces_count', '>', sql.lit(0))
      .where(sql<boolean>`(${nameInOrder}, slug) > (${name}::text, ${slug}::text)`)
      .selectAll()
      .orderBy(nameInOrder)
      .orderBy('slug')
      .limit(limit)
      .compile(),
)

export const authorRowsByName = (db: Database, [name, slug]: NameCursor, limit: number): Promise<AuthorRow[]> =>
  db.query(authorsByName, { name, slug, limit })

/** Those who joined last, if they have public pieces. */
const newestAuthors = statement('newest_authors', (db, { limit }: { limit: number }) =>
  db
    .selectFrom('pub.authors')
    .where('pieces_count', '>', sql.lit(0))
    .where('joined_at', 'is not', null)
    .selectAll()
    .orderBy('joined_at', 'desc')
    .orderBy('slug')
    .limit(limit)
    .compile(),
)

export const newestAuthorRows = (db: Database, limit: number): Promise<AuthorRow[]> =>
  db.query(newestAuthors, { limit })

/**
 * The first characters of their names, without accents, one look into the index for each: U+FFFF sorts after everything
 * else (UTS #35), so the next name after "A" and that begins with another character.
 */
const initials = statement.raw<{ max: number }, { initial: string }>(
  'initials_of_authors',
  `with recursive found as (
     select ''::text as name, ''::text as initial, 0 as place
     union all
     select next.name, upper(left(normalize(next.name, NFKD), 1) collate "und-x-icu") collate "default", found.place + 1
       from found cross join lateral (
         select name from pub.authors
          where pieces_count > 0 and name collate "und-x-icu" > found.name
            and name collate "und-x-icu" > case when found.place > 0 then found.initial || chr(65535) else '' end
          order by name collate "und-x-icu", slug limit 1) next
      where found.place < $1)
   select initial from found where place > 0 order by place`,
  ['max'],
)

export const authorInitials = async (db: Database, max: number): Promise<string[]> =>
  (await db.query(initials, { max })).map(({ initial }) => initial)

/** For benchmarks and query plan tests. */
export const statements = { authorBySlug, searchAuthors, authorsByName, newestAuthors, initials } as const
