import type { ReadContext } from '#platform/context.ts'
import { isUuid } from '#platform/cursor.ts'
import { notFound } from '#platform/errors.ts'
import { languageTag } from '#platform/text/language.ts'
import { hasSlugShape } from '#platform/text/slug.ts'
import type { Urls } from '#platform/urls.ts'
import { cutPage, latest, placeOf } from './keyset.ts'
import { presentListItem, presentPiece } from './present.ts'
import {
  editionRows,
  newest,
  onePiece,
  type PiecePlace,
  pieceAt,
  recentRows,
  type Shelf,
  type WholePieceRow,
  wholeRows,
} from './queries.ts'
import type { Category, OnePiece, Piece, PieceListItem } from './schema.ts'

/** A piece with what its page and feeds show beside the Piece of the API. */
export interface PublishedPiece {
  readonly piece: Piece
  readonly uuid: string
  readonly slug: string
  readonly authorId: string
  /** The standfirst its writer gave; `piece.summary` is made from the text where there is none. */
  readonly standfirst: string | null
  /** A BCP 47 tag, `und` where its writer gave something else. */
  readonly locale: string
}

export const presentPublished = (row: WholePieceRow, urls: Urls): PublishedPiece => ({
  piece: presentPiece(row, urls),
  uuid: row.id,
  slug: row.slug,
  authorId: row.author_id,
  standfirst: row.sub,
  locale: languageTag(row.locale),
})

/** By its id. The same words for what never was, what is a draft and what was unpublished. */
export async function publishedPiece({ db, urls }: ReadContext, { id }: OnePiece): Promise<PublishedPiece> {
  const uuid = id.toLowerCase()
  const row = isUuid(uuid) ? await onePiece(db, uuid) : undefined
  if (!row) throw notFound('No public piece has this id.')
  return presentPublished(row, urls)
}

/** As the database keeps them. */
const slugShape = /^[a-z0-9][a-z0-9-]{0,89}$/

/** An author's former slug leads there too: `piece.url` is the address it has. */
export async function pieceAtAddress(
  { db, urls }: ReadContext,
  author: string,
  slug: string,
): Promise<PublishedPiece | undefined> {
  const row = hasSlugShape(author) && slugShape.test(slug) ? await pieceAt(db, author, slug) : undefined
  return row && presentPublished(row, urls)
}

export interface Wanted {
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

export interface WholePage extends Page<PublishedPiece> {
  /** Another as soon as anything in it is. */
  readonly edition: string
}

/** Whole pieces of a shelf, newest first, down to the very first: what feeds are made of. */
export async function wholePieces(
  { db, urls }: ReadContext,
  shelf: Shelf,
  { limit, cursor }: Wanted,
): Promise<WholePage> {
  const rows = await wholeRows(db, shelf, { after: after(cursor), limit: limit + 1 })
  const { page, next_cursor } = cutPage('shelf', rows, limit, (row) => row.published_at)
  return { items: page.map((row) => presentPublished(row, urls)), next_cursor, edition: editionOf(rows) }
}

/** The edition that `wholePieces` would have now, for whoever kept what they made of it. */
export async function shelfEdition({ db }: ReadContext, shelf: Shelf, { limit, cursor }: Wanted): Promise<string> {
  return editionOf(await editionRows(db, shelf, { after: after(cursor), limit: limit + 1 }))
}

const editionOf = (rows: readonly { readonly edition: string }[]): string => rows.map((row) => row.edition).join(' ')

/** What an author wrote, newest first, as lists show it. */
export async function piecesOfAuthor(
  { db, urls }: ReadContext,
  authorId: string,
  { limit, cursor }: Wanted,
): Promise<Page<PieceListItem>> {
  const rows = await recentRows(db, { authorId, after: after(cursor), limit: limit + 1 })
  const { page, next_cursor } = cutPage('shelf', rows, limit, (row) => row.published_at)
  return { items: page.map((row) => presentListItem(row, urls)), next_cursor }
}

const mostFurther = 3

/** What to read on with: newest of the same author, then of the same category. */
export async function furtherPieces(reads: ReadContext, { piece, authorId }: PublishedPiece): Promise<PieceListItem[]> {
  const isOther = ({ id }: PieceListItem) => id !== piece.id
  const { items } = await piecesOfAuthor(reads, authorId, { limit: mostFurther + 1 })
  const theirs = items.filter(isOther).slice(0, mostFurther)
  if (theirs.length === mostFurther || !piece.category) return theirs
  const recent = await recentRows(reads.db, {
    category: piece.category as Category,
    after: newest,
    limit: 2 * mostFurther + 1,
  })
  const known = new Set(theirs.map(({ id }) => id))
  const others = recent
    .map((row) => presentListItem(row, reads.urls))
    .filter((item) => isOther(item) && !known.has(item.id))
  return [...theirs, ...others].slice(0, mostFurther)
}

function after(cursor: string | undefined): PiecePlace {
  const { time: publishedAt, id } = placeOf('shelf', cursor, latest)
  return { publishedAt, id }
}
