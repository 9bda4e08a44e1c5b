import { type Compilable, type Kysely, sql } from 'kysely'
import type { Database, Transaction } from '#platform/db/database.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { type Statement, statement } from '#platform/db/statement.ts'
import { latest } from './keyset.ts'
import type { Category } from './schema.ts'

/** The only definition of "public": the rows of `pub.pieces`, with their author. */
export const publicPieces = (db: Kysely<DB>) =>
  db
    .selectFrom('pub.pieces as piece')
    .innerJoin('pub.authors as author', 'author.id', 'piece.author_id')
    .select([
      'piece.id',
      'piece.slug',
      'piece.headline',
      'piece.summary',
      'piece.published_at',
      'piece.category',
      'piece.tags',
      'piece.locale',
      'author.slug as author_slug',
      'author.name as author_name',
      'author.identity_verified as author_verified',
    ])

/**
 * Identifies the versions of all rows that a piece is shown from; changes with any of them. xmin, the transaction that wrote
 * the row, is the same on the primary and its physical replicas. The date is for a site restored to an earlier point in time,
 * where transaction ids repeat.
 */
const edition = sql<string>`concat_ws('.', piece.id, piece.xmin, content.xmin, author.xmin, piece.modified_at)`

const withContent = (pieces: ReturnType<typeof publicPieces>) =>
  pieces.innerJoin('pub.piece_contents as content', (join) =>
    join.onRef('content.piece_id', '=', 'piece.id').onRef('content.author_id', '=', 'piece.author_id'),
  )

/** With the whole text, for a single piece and for feeds. */
const whole = (pieces: ReturnType<typeof publicPieces>) =>
  withContent(pieces).select([
    'piece.author_id',
    'piece.sub',
    'piece.kind',
    'piece.external_url',
    'piece.modified_at',
    'content.html',
    'content.text',
    'author.avatar_url as author_avatar',
  ])

/** Of one piece: the other languages it can be read in, the original first. */
export interface TranslationColumns {
  readonly id: string
  readonly slug: string
  readonly headline: string
  readonly locale: string
  readonly is_original: boolean
  readonly external_url: string | null
  /** Before the piece itself, in the order of all of them. */
  readonly is_earlier: boolean
  readonly author_slug: string
  readonly author_name: string
}

/** More would make a page of links; the rest are found by their own pages. */
export const maxTranslations = 50

/** Null for a piece that is alone, which costs it one look into an index of translations only. */
const translations = sql<readonly TranslationColumns[] | null>`(
  select json_agg(found) from (
    select other.id, other.slug, other.headline, other.locale, other.translation_of is null as is_original,
           other.external_url, a.slug as author_slug, a.name as author_name,
           (other.translation_of is not null, other.published_at, other.id) <
             (piece.translation_of is not null, piece.published_at, piece.id) as is_earlier
      from pub.pieces other join pub.authors a on a.id = other.author_id
     where (other.translation_of = coalesce(piece.translation_of, piece.id) or other.id = piece.translation_of)
       and other.id <> piece.id
     order by other.translation_of is not null, other.published_at, other.id
     limit ${sql.lit(maxTranslations)}) found)`

/** With its translations, where only one piece is read. */
const single = (pieces: ReturnType<typeof publicPieces>) =>
  whole(pieces).select(['piece.translation_of', translations.as('translations')])

/** Shows whether whole pieces have changed, with a fiftieth of the bytes. */
const editions = (pieces: ReturnType<typeof publicPieces>) =>
  withContent(pieces).clearSelect().select(edition.as('edition'))

const pieceById = statement('piece_by_id', (db, { id }: { id: string }) =>
  single(publicPieces(db)).where('piece.id', '=', id).compile(),
)

/** By its URL; a former slug of the author works too. */
const pieceByAddress = statement('piece_by_address', (db, { author, slug }: { author: string; slug: string }) =>
  single(publicPieces(db))
    .where('piece.slug', '=', slug)
    .where(
      'piece.author_id',
      '=',
      sql<string>`coalesce((select id from pub.authors where slug = ${author}::text),
                           (select author_id from pub.former_slugs where slug = ${author}::text))`,
    )
    .compile(),
)

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

/** Limits a list to an author by id, a category, a language (as `primaryLanguage` names it), or several of these. */
export interface Filter {
  readonly authorId?: string | undefined
  readonly category?: Category | undefined
  readonly language?: string | undefined
}

const filterNames = ['authorId', 'category', 'language'] as const
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
  return pieces
    .$if(isOfAuthor, (all) => all.where('piece.author_id', '=', params.authorId!))
    .$if(by.includes('category'), (all) => all.where('piece.category', '=', params.category!))
    .$if(by.includes('language'), (all) =>
      all.where(isOfAuthor ? languageOfAuthors : languageColumn, '=', params.language!),
    )
}

/** The same query for every filter: a statement for each combination, made when it is first asked for. */
function statementsByFilter<Row>(name: string, ask: (pieces: ReturnType<typeof publicPieces>) => Compilable<Row>) {
  const made = new Map<string, Statement<FilteredPage, Row>>()
  return (filter: Filter): Statement<FilteredPage, Row> => {
    const by = filterNames.filter((one) => filter[one] !== undefined)
    const known = made.get(by.join())
    if (known) return known
    const fresh = statement([name, ...by].join('_by_').toLowerCase(), (db, params: FilteredPage) =>
      ask(narrowed(page(db, params), by, params)).compile(),
    )
    made.set(by.join(), fresh)
    return fresh
  }
}

const recentPages = statementsByFilter('recent_pieces', (pieces) => pieces)
const wholePages = statementsByFilter('whole_pieces', (pieces) => whole(pieces).select(edition.as('edition')))
const editionPages = statementsByFilter('editions', editions)

const piecesByIds = statement('pieces_by_ids', (db, { ids }: { ids: readonly string[] }) =>
  publicPieces(db).where(sql<boolean>`piece.id = any(${ids}::uuid[])`).compile(),
)

export type PieceRow = NonNullable<(typeof piecesByIds)['row']>
type SinglePieceRow = NonNullable<(typeof pieceById)['row']>
type OfSingle = 'translation_of' | 'translations'
export type WholePieceRow = Omit<SinglePieceRow, OfSingle> & Partial<Pick<SinglePieceRow, OfSingle>>

/** For benchmarks and query plan tests. */
export const statements = {
  pieceById,
  pieceByAddress,
  recentPages,
  wholePages,
  editionPages,
} as const

export async function onePiece(db: Database, id: string): Promise<WholePieceRow | undefined> {
  const [row] = await db.query(pieceById, { id })
  return row
}

export async function pieceAt(db: Database, author: string, slug: string): Promise<WholePieceRow | undefined> {
  const [row] = await db.query(pieceByAddress, { author, slug })
  return row
}

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

/** Reads within the transaction that has just changed it. */
export async function pieceRowIn(tx: Transaction, id: string): Promise<WholePieceRow> {
  const { rows } = await tx.query<WholePieceRow>(pieceById.text, pieceById.values({ id }))
  return rows[0]!
}

/** List rows by id; pieces that have just been unpublished are missing. */
export async function rowsByIds(db: Database, ids: readonly string[]): Promise<Map<string, PieceRow>> {
  const rows = ids.length > 0 ? await db.query(piecesByIds, { ids }) : []
  return new Map(rows.map((row) => [row.id, row]))
}
