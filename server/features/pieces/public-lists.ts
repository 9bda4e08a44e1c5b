import type { ReadContext } from '#features/context.ts'
import type { Urls } from '#features/urls.ts'
import { isUuid } from '#platform/cursor.ts'
import { notFound } from '#platform/errors.ts'
import { languageTag } from '#platform/text/language.ts'
import { hasSlugShape, isAddress } from '#platform/text/slug.ts'
import { cutPage, latest, parseCursor } from './keyset.ts'
import { editionRows, type Filter, newest, type PieceCursor, recentRows, wholeRows } from './list-queries.ts'
import type { WrittenMeta } from './page-meta.ts'
import { presentListItem, presentPiece, presentTranslation } from './present.ts'
import {
  editionRowsByIds,
  maxTranslations,
  onePiece,
  pieceAt,
  relatedRows,
  type SeriesColumns,
  type WholePieceRow,
  wholeRowsByIds,
} from './queries.ts'
import type { Category, OnePiece, Piece, PieceListItem, Translation } from './schema.ts'

/** A Piece of the API with what its page and feeds need besides. */
export interface PublishedPiece {
  readonly piece: Piece
  readonly uuid: string
  readonly slug: string
  readonly authorId: string
  /** Since when it is public on this site: of an imported piece, later than its date. */
  readonly publicSince: string
  /** The standfirst as written; without one, `piece.summary` is derived from the text. */
  readonly standfirst: string | null
  /** What its writer has written for search engines and shared links, if anything. */
  readonly meta: WrittenMeta | null
  /** The piece and its translations, the same list for each of them: the original first. Empty if there are none. */
  readonly versions: readonly Version[]
  /** Its tags in their order, each with the page of its topic; null before it is published, and if it has none. */
  readonly topics: readonly { readonly name: string; readonly url: string | null }[]
  /** The parts before and after it in its series, if it is in one. */
  readonly previous: Part | null
  readonly next: Part | null
}

export interface Part {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly language: string
}

interface Version extends Translation {
  readonly external_url: string | null
}

export function presentPublished(row: WholePieceRow, urls: Urls): PublishedPiece {
  const piece = presentPiece(row, urls)
  return {
    piece,
    uuid: row.id,
    slug: row.slug,
    authorId: row.author_id,
    publicSince: row.arrived_at?.toISOString() ?? piece.date_published,
    standfirst: row.sub,
    meta: row.meta ?? null,
    versions: versionsOf(row, piece, urls),
    topics: topicsOf(row, urls),
    previous: partOf(row, row.series?.previous, urls),
    next: partOf(row, row.series?.next, urls),
  }
}

function topicsOf({ tags, topics }: WholePieceRow, urls: Urls): PublishedPiece['topics'] {
  const filed = new Map(topics?.map(({ name, topic }) => [name, topic]))
  return tags.map((name) => {
    const topic = filed.get(name)
    return { name, url: topic === undefined ? null : urls.topic(topic) }
  })
}

const partOf = ({ author_slug }: WholePieceRow, part: SeriesColumns['next'] | undefined, urls: Urls): Part | null =>
  part
    ? {
        id: urls.pieceId(part.id),
        url: urls.piece(author_slug, part.slug),
        title: part.headline,
        language: languageTag(part.locale),
      }
    : null

function versionsOf(
  { translations, translation_of, external_url }: WholePieceRow,
  piece: Piece,
  urls: Urls,
): Version[] {
  if (!translations) return []
  const { id, url, title, language } = piece
  const authors = piece.authors.map(({ name, slug, url }) => ({ name, slug, url }))
  const own = { id, url, title, language, is_original: !translation_of, authors, external_url }
  const others = translations.map((one) => ({ ...presentTranslation(one, urls), external_url: one.external_url }))
  const earlier = translations.filter(({ is_earlier }) => is_earlier).length
  return others.toSpliced(earlier, 0, own).slice(0, maxTranslations)
}

/** Returns the same 404 for drafts, unpublished and unknown ids, so that their existence does not leak. */
export async function publishedPiece({ db, urls }: ReadContext, { id }: OnePiece): Promise<PublishedPiece> {
  const uuid = id.toLowerCase()
  const row = isUuid(uuid) ? await onePiece(db, uuid) : undefined
  if (!row) throw notFound('No public piece has this id.')
  return presentPublished(row, urls)
}

/** Also found by a former slug of the author; `piece.url` is the current URL. */
export async function pieceAtAddress(
  { db, urls }: ReadContext,
  author: string,
  slug: string,
): Promise<PublishedPiece | undefined> {
  // Some systems send decomposed characters.
  const asked = slug.normalize('NFC')
  const row = hasSlugShape(author) && isAddress(asked) ? await pieceAt(db, author, asked) : undefined
  return row && presentPublished(row, urls)
}

export interface PageOptions {
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

export interface WholePage extends Page<PublishedPiece> {
  /** Changes as soon as anything on the page changes. */
  readonly edition: string
}

/** Whole pieces, newest first, down to the very first; for feeds. */
export async function wholePieces(
  { db, urls }: ReadContext,
  filter: Filter,
  { limit, cursor }: PageOptions,
): Promise<WholePage> {
  const rows = await wholeRows(db, filter, { after: after(cursor), limit: limit + 1 })
  const { page, next_cursor } = cutPage('shelf', rows, limit, (row) => row.published_at)
  return { items: page.map((row) => presentPublished(row, urls)), next_cursor, edition: editionOf(rows) }
}

/** The edition that `wholePieces` would return now, for callers that cached its result. */
export async function listEdition(
  { db }: ReadContext,
  filter: Filter,
  { limit, cursor }: PageOptions,
): Promise<string> {
  return editionOf(await editionRows(db, filter, { after: after(cursor), limit: limit + 1 }))
}

/** Whole pieces in a given order; for feeds of what is not ordered by time. */
export async function wholePiecesByIds({ db, urls }: ReadContext, ids: readonly string[]): Promise<WholePage> {
  const rows = await wholeRowsByIds(db, ids)
  return { items: rows.map((row) => presentPublished(row, urls)), next_cursor: null, edition: editionOf(rows) }
}

/** The edition that `wholePiecesByIds` would return now. */
export const editionByIds = async ({ db }: ReadContext, ids: readonly string[]): Promise<string> =>
  editionOf(await editionRowsByIds(db, ids))

const editionOf = (rows: readonly { readonly edition: string }[]): string => rows.map((row) => row.edition).join(' ')

/** An author's pieces as list items, newest first; in one language if asked. */
export async function piecesOfAuthor(
  { db, urls }: ReadContext,
  authorId: string,
  { limit, cursor, language }: PageOptions & Pick<Filter, 'language'>,
): Promise<Page<PieceListItem>> {
  const rows = await recentRows(db, { authorId, language }, { after: after(cursor), limit: limit + 1 })
  const { page, next_cursor } = cutPage('shelf', rows, limit, (row) => row.published_at)
  return { items: page.map((row) => presentListItem(row, urls)), next_cursor }
}

const maxRelated = 3
const maxOfAuthor = 2

/**
 * What to read next: pieces about the same subject, at most two of one author, without the next part of a series, which
 * the page names anyway. Until the worker has found any, the newest of the author and the section.
 */
export async function relatedPieces(reads: ReadContext, published: PublishedPiece): Promise<PieceListItem[]> {
  const { uuid, previous, next } = published
  const isOther = ({ id }: PieceListItem) => id !== previous?.id && id !== next?.id
  const rows = await relatedRows(reads.db, uuid)
  const near = spread(rows.map((row) => presentListItem(row, reads.urls)).filter(isOther))
  if (near.length >= maxRelated) return near.slice(0, maxRelated)
  const around = (await newestAround(reads, published, near.length > 0)).filter(isOther)
  if (near.length === 0) return around.slice(0, maxRelated)
  const known = new Set(near.map(({ id }) => id))
  return spread([...near, ...around.filter(({ id }) => !known.has(id))]).slice(0, maxRelated)
}

/** At most two of one author. */
const spread = (items: readonly PieceListItem[]): PieceListItem[] => {
  const authorOf = ({ authors }: PieceListItem) => authors[0]!.slug
  return items.filter(
    (item, at) => items.slice(0, at).filter((one) => authorOf(one) === authorOf(item)).length < maxOfAuthor,
  )
}

/**
 * The newest pieces of the same author, then of the same category if others are wanted or needed: enough if the page names
 * two of them already.
 */
async function newestAround(
  reads: ReadContext,
  { piece, authorId }: PublishedPiece,
  ofOthers: boolean,
): Promise<PieceListItem[]> {
  const wanted = maxRelated + 2
  const isOther = ({ id }: PieceListItem) => id !== piece.id
  const { items } = await piecesOfAuthor(reads, authorId, { limit: wanted + 1 })
  const theirs = items.filter(isOther)
  if ((theirs.length >= maxRelated && !ofOthers) || !piece.category) return theirs
  const recent = await recentRows(
    reads.db,
    { category: piece.category as Category },
    { after: newest, limit: wanted + maxRelated + 1 },
  )
  const known = new Set(theirs.map(({ id }) => id))
  const others = recent
    .map((row) => presentListItem(row, reads.urls))
    .filter((item) => isOther(item) && !known.has(item.id))
  return [...theirs, ...others]
}

function after(cursor: string | undefined): PieceCursor {
  const { time: publishedAt, id } = parseCursor('shelf', cursor, latest)
  return { publishedAt, id }
}
