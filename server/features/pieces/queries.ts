import { type Kysely, sql } from 'kysely'
import type { Database, Transaction } from '#platform/db/database.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { statement } from '#platform/db/statement.ts'
import type { StoredCover } from './normalize-input.ts'
import type { WrittenMeta } from './page-meta.ts'

/** In the order of the byline, after the writer. */
export interface CoAuthorColumns {
  readonly slug: string
  readonly name: string
  readonly avatar: string | null
  readonly verified: boolean
}

/** Null for a piece by one writer, which costs it nothing. */
const coAuthors = sql<readonly CoAuthorColumns[] | null>`case when piece.co_authors is not null then (
  select json_agg(json_build_object('slug', a.slug, 'name', a.name, 'avatar', a.avatar_url,
                                    'verified', a.identity_verified) order by named.place)
    from unnest(piece.co_authors) with ordinality named(id, place) join pub.authors a on a.id = named.id) end`

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
      sql<PublicCover | null>`piece.cover`.as('cover'),
      'author.slug as author_slug',
      'author.name as author_name',
      'author.avatar_url as author_avatar',
      'author.identity_verified as author_verified',
      coAuthors.as('co_authors'),
    ])

/** As `app.cover_of` makes it. */
export interface PublicCover extends StoredCover {
  readonly width: number
  readonly height: number
}

/**
 * Identifies the versions of all rows that a piece is shown from; changes with any of them. xmin, the transaction that wrote
 * the row, is the same on the primary and its physical replicas. The date is for a site restored to an earlier point in time,
 * where transaction ids repeat.
 */
export const edition = sql<string>`concat_ws('.', piece.id, piece.xmin, content.xmin, author.xmin, piece.modified_at,
  case when piece.co_authors is not null then (
    select string_agg(a.xmin::text, '.' order by a.id) from pub.authors a where a.id = any (piece.co_authors)) end)`

const withContent = (pieces: ReturnType<typeof publicPieces>) =>
  pieces.innerJoin('pub.piece_contents as content', (join) =>
    join.onRef('content.piece_id', '=', 'piece.id').onRef('content.author_id', '=', 'piece.author_id'),
  )

/** With the whole text, for a single piece and for feeds. */
export const whole = (pieces: ReturnType<typeof publicPieces>) =>
  withContent(pieces).select([
    'piece.author_id',
    'piece.sub',
    'piece.kind',
    'piece.external_url',
    'piece.modified_at',
    'piece.arrived_at',
    'content.html',
    'content.text',
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
  readonly co_authors: readonly Pick<CoAuthorColumns, 'slug' | 'name'>[] | null
}

/** More would make a page of links; the rest are found by their own pages. */
export const maxTranslations = 50

/** Null for a piece that is alone, which costs it one look into an index of translations only. */
const translations = sql<readonly TranslationColumns[] | null>`(
  select json_agg(found) from (
    select other.id, other.slug, other.headline, other.locale, other.translation_of is null as is_original,
           other.external_url, a.slug as author_slug, a.name as author_name,
           case when other.co_authors is not null then (
             select json_agg(json_build_object('slug', c.slug, 'name', c.name) order by named.place)
               from unnest(other.co_authors) with ordinality named(id, place) join pub.authors c on c.id = named.id)
            end as co_authors,
           (other.translation_of is not null, other.published_at, other.id) <
             (piece.translation_of is not null, piece.published_at, piece.id) as is_earlier
      from pub.pieces other join pub.authors a on a.id = other.author_id
     where (other.translation_of = coalesce(piece.translation_of, piece.id) or other.id = piece.translation_of)
       and other.id <> piece.id
     order by other.translation_of is not null, other.published_at, other.id
     limit ${sql.lit(maxTranslations)}) found)`

/** A tag of a piece, with the topic that it is filed under. */
interface TopicColumns {
  readonly topic: string
  readonly name: string
}

/** Null for a piece without any; a tag that is only an emoji has no topic. */
const topics = sql<readonly TopicColumns[] | null>`(
  select json_agg(json_build_object('topic', t.topic, 'name', t.name) order by t.place)
    from pub.piece_topics t where t.piece_id = piece.id)`

/** Of one piece: the series it is in, its number there and its neighbours. */
export interface SeriesColumns {
  readonly slug: string
  readonly title: string
  readonly position: number
  readonly count: number
  readonly previous: Neighbour | null
  readonly next: Neighbour | null
}

interface Neighbour {
  readonly id: string
  readonly slug: string
  readonly headline: string
  readonly locale: string
}

/** Null for a piece in no series, which costs it one look into an index of such pieces only. */
const series = sql<SeriesColumns | null>`(
  select json_build_object('slug', s.slug, 'title', s.title, 'position', place.position, 'count', place.count,
                           'previous', place.previous, 'next', place.next)
    from pub.series_pieces own
    join pub.series s on s.id = own.series_id
    cross join lateral (
      select * from (
        select part.piece_id, row_number() over parts as position, count(*) over () as count,
               lag(named) over parts as previous, lead(named) over parts as next
          from pub.series_pieces part
          join pub.pieces p on p.id = part.piece_id
          cross join lateral json_build_object('id', p.id, 'slug', p.slug, 'headline', p.headline, 'locale', p.locale) named
         where part.series_id = own.series_id
        window parts as (order by part.position)) numbered
       where numbered.piece_id = own.piece_id) place
   where own.piece_id = piece.id)`

/** With its texts for search engines, translations, topics and series, where only one piece is read. */
const single = (pieces: ReturnType<typeof publicPieces>) =>
  whole(pieces).select([
    'piece.translation_of',
    sql<WrittenMeta | null>`piece.meta`.as('meta'),
    translations.as('translations'),
    topics.as('topics'),
    series.as('series'),
  ])

/** Shows whether whole pieces have changed, with a fiftieth of the bytes. */
export const editions = (pieces: ReturnType<typeof publicPieces>) =>
  withContent(pieces)
    .clearSelect()
    .select(['piece.id', 'piece.published_at', edition.as('edition')])

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

const piecesByIds = statement('pieces_by_ids', (db, { ids }: { ids: readonly string[] }) =>
  publicPieces(db).where(sql<boolean>`piece.id = any(${ids}::uuid[])`).compile(),
)

const wholeByIds = statement('whole_pieces_by_ids', (db, { ids }: { ids: readonly string[] }) =>
  whole(publicPieces(db)).select(edition.as('edition')).where(sql<boolean>`piece.id = any(${ids}::uuid[])`).compile(),
)
const editionsByIds = statement('editions_by_ids', (db, { ids }: { ids: readonly string[] }) =>
  editions(publicPieces(db)).where(sql<boolean>`piece.id = any(${ids}::uuid[])`).compile(),
)

/** What the worker found to read after a piece, as far as it is still public; nearest first. */
const relatedTo = statement('related_pieces', (db, { id }: { id: string }) =>
  publicPieces(db)
    .innerJoin(
      sql<{ id: string; place: number }>`(
        select near.id, near.place from pub.related r cross join unnest(r.related) with ordinality near(id, place)
         where r.piece_id = ${id}::uuid)`.as('near'),
      'near.id',
      'piece.id',
    )
    .orderBy('near.place')
    .compile(),
)

export const relatedRows = (db: Database, id: string): Promise<PieceRow[]> => db.query(relatedTo, { id })

export type PieceRow = NonNullable<(typeof piecesByIds)['row']>
type SinglePieceRow = NonNullable<(typeof pieceById)['row']>
type OfSingle = 'translation_of' | 'meta' | 'translations' | 'topics' | 'series'
export type WholePieceRow = Omit<SinglePieceRow, OfSingle> & Partial<Pick<SinglePieceRow, OfSingle>>

/** For benchmarks and query plan tests. */
export const statements = {
  pieceById,
  pieceByAddress,
  relatedTo,
} as const

export async function onePiece(db: Database, id: string): Promise<WholePieceRow | undefined> {
  const [row] = await db.query(pieceById, { id })
  return row
}

export async function pieceAt(db: Database, author: string, slug: string): Promise<WholePieceRow | undefined> {
  const [row] = await db.query(pieceByAddress, { author, slug })
  return row
}

/** Reads within the transaction that has just changed it. */
export async function pieceRowIn(tx: Transaction, id: string): Promise<WholePieceRow> {
  const { rows } = await tx.query<WholePieceRow>(pieceById.text, pieceById.values({ id }))
  return rows[0]!
}

/** Whole pieces by id, and their editions, in the order of the ids; without those that have just been unpublished. */
export const wholeRowsByIds = (db: Database, ids: readonly string[]) => inOrderOf(ids, db.query(wholeByIds, { ids }))
export const editionRowsByIds = (db: Database, ids: readonly string[]) =>
  inOrderOf(ids, db.query(editionsByIds, { ids }))

async function inOrderOf<Row extends { readonly id: string }>(ids: readonly string[], found: Promise<Row[]>) {
  const rows = new Map((await found).map((row) => [row.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/** List rows by id; pieces that have just been unpublished are missing. */
export async function rowsByIds(db: Database, ids: readonly string[]): Promise<Map<string, PieceRow>> {
  const rows = ids.length > 0 ? await db.query(piecesByIds, { ids }) : []
  return new Map(rows.map((row) => [row.id, row]))
}
