import { type Compilable, type Kysely, sql } from 'kysely'
import type { Database } from '#platform/db/database.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { type Statement, statement } from '#platform/db/statement.ts'
import { latest } from './keyset.ts'
import { edition, editions, publicPieces, whole } from './queries.ts'
import type { Category } from './schema.ts'

/** Lists of public pieces, newest first: of all, or limited by a filter; a page each. */

/** A keyset cursor in lists ordered by publication time. */
export interface PieceCursor {
  readonly publishedAt: Date
  readonly id: string
}
export const newest: PieceCursor = { publishedAt: latest.time, id: latest.id }

type PageParameters = { publishedAt: Date; id: string; limit: number }

const page = (db: Kysely<DB>, { publishedAt, id, limit }: PageParameters) =>
  publicPieces(db)
    .where(sql<boolean>`(piece.published_at, piece.id) < (${publishedAt}::timestamptz, ${id}::uuid)`)
    .orderBy('piece.published_at', 'desc')
    .orderBy('piece.id', 'desc')
    .limit(limit)

/**
 * The same along the index of a topic, alone or in a language. It asks for the newest of this and earlier topics: few
 * topics have many pieces and most have some, so for one topic the planner would rather read and sort all of its pieces.
 */
function pageOfTopic(db: Kysely<DB>, { publishedAt, id, limit, topic, language }: FilteredPage, inLanguage: boolean) {
  const [columns, order, position] = inLanguage
    ? [sql`t.topic, t.language`, sql`t.topic desc, t.language desc`, sql`${topic}, ${language}`]
    : [sql`t.topic`, sql`t.topic desc`, sql`${topic}`]
  const filed = sql<{ piece_id: string }>`(
    select t.topic, t.language, t.published_at, t.piece_id from pub.piece_topics t
     where (${columns}, t.published_at, t.piece_id) < (${position}, ${publishedAt}::timestamptz, ${id}::uuid)
     order by ${order}, t.published_at desc, t.piece_id desc limit ${limit})`
  return publicPieces(db)
    .$if(true, (all) => all.innerJoin(filed.as('filed'), 'filed.piece_id', 'piece.id'))
    .where(sql`filed.topic`, '=', topic)
    .$if(inLanguage, (all) => all.where(sql`filed.language`, '=', language))
    .orderBy(sql`filed.published_at`, 'desc')
    .orderBy(sql`filed.piece_id`, 'desc')
}

/**
 * What an author signed as a co-author, the same along its own index. The limit is inside, so that nothing but that index
 * is read along; both columns are compared, so that the order of the rows is known to be that of the pieces.
 */
function pageOfSigned(db: Kysely<DB>, params: FilteredPage, by: readonly string[]) {
  const signed = db
    .selectFrom('pub.piece_co_authors as l')
    .select(['l.piece_id', 'l.published_at'])
    .where('l.author_id', '=', params.authorId!)
    .where(sql<boolean>`(l.published_at, l.piece_id) < (${params.publishedAt}::timestamptz, ${params.id}::uuid)`)
    .$if(by.includes('category'), (all) => all.where('l.category', '=', params.category!))
    .$if(by.includes('language'), (all) => all.where('l.language', '=', params.language!))
    .orderBy('l.published_at', 'desc')
    .orderBy('l.piece_id', 'desc')
    .limit(params.limit)
  return publicPieces(db)
    .$if(true, (all) =>
      all.innerJoin(signed.as('signed'), (join) =>
        join.onRef('signed.piece_id', '=', 'piece.id').onRef('signed.published_at', '=', 'piece.published_at'),
      ),
    )
    .orderBy(sql`signed.published_at`, 'desc')
    .orderBy(sql`signed.piece_id`, 'desc')
}

/**
 * Limits a list to an author by id (what they wrote and what they signed), a category, a language (as `primaryLanguage` names it), what was published since a
 * time, a series, or several of these; or to a topic (`pub.topic_of`), alone or with a language.
 */
export interface Filter {
  readonly topic?: string | undefined
  readonly authorId?: string | undefined
  readonly category?: Category | undefined
  readonly language?: string | undefined
  readonly since?: Date | undefined
  /** A series by its id. */
  readonly seriesId?: string | undefined
}

const filterNames = ['topic', 'authorId', 'category', 'language', 'since', 'seriesId'] as const
type FilteredPage = PageParameters & Filter

/**
 * The index that a list reads along, without a sort: by recency, by category, by language, or by both; with an author
 * theirs, and at most as many rows as they have pieces. The indexes by language are ruled out there: an author may have
 * no piece among the many of a language.
 */
const languageColumn = sql<string>`pub.language_of(piece.locale)`
const languageOfAuthors = sql<string>`pub.language_of(piece.locale || '')`
function narrowed(pieces: ReturnType<typeof page>, by: readonly string[], params: FilteredPage) {
  const isOfAuthor = by.includes('authorId')
  return (
    pieces
      .$if(isOfAuthor, (all) => all.where('piece.author_id', '=', params.authorId!))
      .$if(by.includes('category'), (all) => all.where('piece.category', '=', params.category!))
      .$if(by.includes('language'), (all) =>
        all.where(isOfAuthor ? languageOfAuthors : languageColumn, '=', params.language!),
      )
      .$if(by.includes('since'), (all) => all.where(sql<boolean>`piece.published_at >= ${params.since}::timestamptz`))
      // An array, not a join: at most as many look-ups as a series has pieces, whatever else is public.
      .$if(by.includes('seriesId'), (all) =>
        all.where(
          sql<boolean>`piece.id = any(array(select piece_id from pub.series_pieces where series_id = ${params.seriesId}::uuid))`,
        ),
      )
  )
}

/** The same query for every filter: a statement for each combination, made when it is first asked for. */
function statementsByFilter<Row>(name: string, ask: (pieces: ReturnType<typeof publicPieces>) => Compilable<Row>) {
  const made = new Map<string, Statement<FilteredPage, Row>>()
  return (filter: Filter): Statement<FilteredPage, Row> => {
    const by = filterNames.filter((one) => filter[one] !== undefined)
    const known = made.get(by.join())
    if (known) return known
    const fresh = statement([name, ...by].join('_by_').toLowerCase(), (db, params: FilteredPage) => {
      if (by.includes('topic')) return ask(pageOfTopic(db, params, by.includes('language'))).compile()
      const own = ask(narrowed(page(db, params), by, params))
      if (!by.includes('authorId')) return own.compile()
      // Two ordered lists, merged as far as the page goes: who signed nothing pays one look into a small index.
      return sql<Row>`${own} union all ${ask(pageOfSigned(db, params, by))}
        order by published_at desc, id desc limit ${params.limit}`.compile(db)
    })
    made.set(by.join(), fresh)
    return fresh
  }
}

const recentPages = statementsByFilter('recent_pieces', (pieces) => pieces)
const wholePages = statementsByFilter('whole_pieces', (pieces) => whole(pieces).select(edition.as('edition')))
const editionPages = statementsByFilter('editions', editions)

interface PageStart {
  readonly after: PieceCursor
  readonly limit: number
}

/** List rows, newest first. */
export const recentRows = (db: Database, filter: Filter, start: PageStart) => pageOf(db, recentPages, filter, start)

/** The same with the whole text. */
export const wholeRows = (db: Database, filter: Filter, start: PageStart) => pageOf(db, wholePages, filter, start)

export const editionRows = (db: Database, filter: Filter, start: PageStart) => pageOf(db, editionPages, filter, start)

const pageOf = <Row>(
  db: Database,
  statements: ReturnType<typeof statementsByFilter<Row>>,
  filter: Filter,
  { after, limit }: PageStart,
): Promise<Row[]> => db.query(statements(filter), { ...filter, ...after, limit })

/** For benchmarks and query plan tests. */
export const statements = { recentPages, wholePages, editionPages } as const
