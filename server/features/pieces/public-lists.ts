import type { ReadContext } from '#features/context.ts'
import type { Urls } from '#features/urls.ts'
import { isUuid } from '#platform/cursor.ts'
import { notFound } from '#platform/errors.ts'
import { hasSlugShape, isAddress } from '#platform/text/slug.ts'
import { cutPage, latest, parseCursor } from './keyset.ts'
import { presentListItem, presentPiece, presentTranslation } from './present.ts'
import {
  editionRows,
  type Filter,
  maxTranslations,
  newest,
  onePiece,
  type PieceCursor,
  pieceAt,
  recentRows,
  type WholePieceRow,
  wholeRows,
} from './queries.ts'
import type { Category, OnePiece, Piece, PieceListItem, Translation } from './schema.ts'

/** A Piece of the API with what its page and feeds need besides. */
export interface PublishedPiece {
  readonly piece: Piece
  readonly uuid: string
  readonly slug: string
  readonly authorId: string
  /** The standfirst as written; without one, `piece.summary` is derived from the text. */
  readonly standfirst: string | null
  /** The piece and its translations, the same list for each of them: the original first. Empty if there are none. */
  readonly versions: readonly Version[]
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
    standfirst: row.sub,
    versions: versionsOf(row, piece, urls),
  }
}

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

/** The newest pieces of the same author, then of the same category. */
export async function relatedPieces(reads: ReadContext, { piece, authorId }: PublishedPiece): Promise<PieceListItem[]> {
  const isOther = ({ id }: PieceListItem) => id !== piece.id
  const { items } = await piecesOfAuthor(reads, authorId, { limit: maxRelated + 1 })
  const theirs = items.filter(isOther).slice(0, maxRelated)
  if (theirs.length === maxRelated || !piece.category) return theirs
  const recent = await recentRows(
    reads.db,
    { category: piece.category as Category },
    { after: newest, limit: 2 * maxRelated + 1 },
  )
  const known = new Set(theirs.map(({ id }) => id))
  const others = recent
    .map((row) => presentListItem(row, reads.urls))
    .filter((item) => isOther(item) && !known.has(item.id))
  return [...theirs, ...others].slice(0, maxRelated)
}

function after(cursor: string | undefined): PieceCursor {
  const { time: publishedAt, id } = parseCursor('shelf', cursor, latest)
  return { publishedAt, id }
}
