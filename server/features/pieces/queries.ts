import { type Compilable, type Kysely, sql } from 'kysely'
import type { Database, Transaction } from '#platform/db/database.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { statement } from '#platform/db/statement.ts'
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
interface TranslationColumns {
  readonly id: string
  readonly slug: string
  readonly headline: string
  readonly locale: string
  readonly is_original: boolean
  readonly author_slug: string
  readonly author_name: string
}

/** More would make a page of links; the rest are found by their own pages. */
const maxTranslations = 50

/** Null for a piece that is alone, which costs it one look into an index of translations only. */
const translations = sql<readonly TranslationColumns[] | null>`(
  select json_agg(found) from (
    select other.id, other.slug, other.headline, other.locale, other.translation_of is null as is_original,
           a.slug as author_slug, a.name as author_name
      from pub.pieces other join pub.authors a on a.id = other.author_id
     where (other.translation_of = coalesce(piece.translation_of, piece.id) or other.id = piece.translation_of)
       and other.id <> piece.id
     order by other.translation_of is not null, other.published_at, other.id
     limit ${sql.lit(maxTranslations)}) found)`

/** With its translations, where only one piece is read. */
const single = (pieces: ReturnType<typeof publicPieces>) => whole(pieces).select(translations.as('translations'))

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

const recentPage = statement('recent_pieces', (db, params: PageParameters) => page(db, params).compile())

const recentPageOfCategory = statement(
  'recent_pieces_of_category',
  (db, params: PageParameters & { category: string }) =>
    page(db, params).where('piece.category', '=', params.category).compile(),
)

const pageOfAuthor = statement('pieces_of_author', (db, params: PageParameters & { authorId: string }) =>
  page(db, params).where('piece.author_id', '=', params.authorId).compile(),
)

/** Uses the author's index too: reads at most as many rows as the author has pieces. */
const pageOfAuthorInCategory = statement(
  'pieces_of_author_in_category',
  (db, params: PageParameters & { authorId: string; category: string }) =>
    page(db, params)
      .where('piece.author_id', '=', params.authorId)
      .where('piece.category', '=', params.category)
      .compile(),
)

/** The same query for all pieces, those of a category, and those of an author. */
const statementsByScope = <Row>(name: string, ask: (pieces: ReturnType<typeof publicPieces>) => Compilable<Row>) => ({
  all: statement(name, (db, params: PageParameters) => ask(page(db, params)).compile()),
  category: statement(`${name}_of_category`, (db, params: PageParameters & { category: string }) =>
    ask(page(db, params).where('piece.category', '=', params.category)).compile(),
  ),
  author: statement(`${name}_of_author`, (db, params: PageParameters & { authorId: string }) =>
    ask(page(db, params).where('piece.author_id', '=', params.authorId)).compile(),
  ),
})

const wholePages = statementsByScope('whole_pieces', (pieces) => whole(pieces).select(edition.as('edition')))
const editionPages = statementsByScope('editions', editions)

const piecesByIds = statement('pieces_by_ids', (db, { ids }: { ids: readonly string[] }) =>
  publicPieces(db).where(sql<boolean>`piece.id = any(${ids}::uuid[])`).compile(),
)

export type PieceRow = NonNullable<(typeof recentPage)['row']>
type SinglePieceRow = NonNullable<(typeof pieceById)['row']>
export type WholePieceRow = Omit<SinglePieceRow, 'translations'> & Partial<Pick<SinglePieceRow, 'translations'>>

/** For benchmarks and query plan tests. */
export const statements = {
  pieceById,
  pieceByAddress,
  recentPage,
  recentPageOfCategory,
  pageOfAuthor,
  pageOfAuthorInCategory,
  editionsOfAuthor: editionPages.author,
} as const

export async function onePiece(db: Database, id: string): Promise<WholePieceRow | undefined> {
  const [row] = await db.query(pieceById, { id })
  return row
}

export async function pieceAt(db: Database, author: string, slug: string): Promise<WholePieceRow | undefined> {
  const [row] = await db.query(pieceByAddress, { author, slug })
  return row
}

/** All pieces, those of a category, or those of an author by id. */
export type ListScope = 'all' | { readonly category: Category } | { readonly authorId: string }

interface PageStart {
  readonly after: PieceCursor
  readonly limit: number
}

export const wholeRows = (db: Database, scope: ListScope, start: PageStart) => pageOf(db, wholePages, scope, start)

export const editionRows = (db: Database, scope: ListScope, start: PageStart) => pageOf(db, editionPages, scope, start)

async function pageOf<Row>(
  db: Database,
  statements: ReturnType<typeof statementsByScope<Row>>,
  scope: ListScope,
  { after, limit }: PageStart,
): Promise<Row[]> {
  const params = { ...after, limit }
  if (scope === 'all') return db.query(statements.all, params)
  if ('category' in scope) return db.query(statements.category, { ...params, category: scope.category })
  return db.query(statements.author, { ...params, authorId: scope.authorId })
}

/** Reads within the transaction that has just changed it. */
export async function pieceRowIn(tx: Transaction, id: string): Promise<WholePieceRow> {
  const { rows } = await tx.query<WholePieceRow>(pieceById.text, pieceById.values({ id }))
  return rows[0]!
}

/** Limits a list to a category, an author by id, or both. */
export interface Filter {
  readonly category?: Category | undefined
  readonly authorId?: string | undefined
}

export async function recentRows(
  db: Database,
  { category, authorId, after, limit }: Filter & PageStart,
): Promise<PieceRow[]> {
  const params = { ...after, limit }
  if (authorId && category) return db.query(pageOfAuthorInCategory, { ...params, authorId, category })
  if (authorId) return db.query(pageOfAuthor, { ...params, authorId })
  return category ? db.query(recentPageOfCategory, { ...params, category }) : db.query(recentPage, params)
}

/** List rows by id; pieces that have just been unpublished are missing. */
export async function rowsByIds(db: Database, ids: readonly string[]): Promise<Map<string, PieceRow>> {
  const rows = ids.length > 0 ? await db.query(piecesByIds, { ids }) : []
  return new Map(rows.map((row) => [row.id, row]))
}
