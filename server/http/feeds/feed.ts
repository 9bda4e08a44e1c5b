import { type PublishedPiece, shelfEdition, wholePieces } from '#features/pieces/public-lists.ts'
import type { ReadContext } from '#platform/context.ts'
import type { Channel } from './channels.ts'

/** Enough for whoever looks in once a month; older pieces are on the pages that follow. */
const piecesInFeed = 30

/** Everything a feed is written from, as a name: the same for what would be written the same. */
const editionOf = (channel: Channel, pieces: string): string => `${JSON.stringify(channel)} ${pieces}`

/** One page of a channel, before it is written in a format. */
export interface Feed {
  readonly channel: Channel
  readonly pieces: readonly PublishedPiece[]
  /** Which page it is; the newest pieces where it is left out. */
  readonly cursor: string | undefined
  readonly nextCursor: string | null
  /** The last change of any piece in it; a feed without pieces has none. */
  readonly modified: string | undefined
  /** A BCP 47 tag: what most of its pieces are written in. */
  readonly language: string
  readonly edition: string
}

export async function readFeed(reads: ReadContext, channel: Channel, cursor: string | undefined): Promise<Feed> {
  const { items, next_cursor, edition } = await wholePieces(reads, channel.shelf, { limit: piecesInFeed, cursor })
  return feedOf(channel, items, { cursor, nextCursor: next_cursor, edition: editionOf(channel, edition) })
}

/** The edition `readFeed` would find now, for a fiftieth of the bytes. */
export async function currentEdition(reads: ReadContext, channel: Channel): Promise<string> {
  return editionOf(channel, await shelfEdition(reads, channel.shelf, { limit: piecesInFeed }))
}

export const feedOf = (
  channel: Channel,
  pieces: readonly PublishedPiece[],
  place: Pick<Feed, 'cursor' | 'nextCursor' | 'edition'>,
): Feed => ({ channel, pieces, ...place, modified: lastChange(pieces), language: mostUsed(pieces) })

/** Dates of one form and zone: in the order of time they are in the order of text. */
const lastChange = (pieces: readonly PublishedPiece[]): string | undefined =>
  pieces.reduce<string | undefined>(
    (last, { piece }) => (last !== undefined && last > piece.date_modified ? last : piece.date_modified),
    undefined,
  )

/** Of two that are used alike, that of the newest piece; where there is none, that of the site's own words. */
function mostUsed(pieces: readonly PublishedPiece[]): string {
  const counts = new Map<string, number>()
  for (const { locale } of pieces) counts.set(locale, (counts.get(locale) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return pieces.find(({ locale }) => counts.get(locale) === most)?.locale ?? 'en'
}

/**
 * The text as a reader away from its page needs it: links to its own headings and notes lead to the page, since
 * many pieces may stand in one window there. All other addresses are whole already, and `<` begins only tags.
 */
export const portableHtml = ({ content_html, url }: PublishedPiece['piece']): string =>
  (content_html ?? '').replaceAll('<a href="#', () => `<a href="${url}#`)

/** Each part by itself: in one string, a single wide character would make all of them wide, and slow to encode. */
export const inUtf8 = (parts: readonly string[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)))
