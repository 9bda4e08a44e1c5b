import type { PublishedPiece } from '#features/pieces/public-lists.ts'
import { pageAddress } from '#platform/http/paging.ts'
import { type Feed, inUtf8, portableHtml } from './feed.ts'

/** JSON Feed 1.1 (https://jsonfeed.org/version/1.1), which has no null: what is unknown is left out. */
export function writeJsonFeed(feed: Feed): Buffer {
  const head = JSON.stringify(headOf(feed)).slice(0, -1)
  const items = feed.pieces.map((piece, at) => (at === 0 ? '' : ',') + JSON.stringify(item(piece)))
  return inUtf8([`${head},"items":[`, ...items, ']}'])
}

function headOf({ channel, nextCursor, language }: Feed) {
  const { title, description, page, json, favicon, author } = channel
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    // Also on later pages: it is the name of the feed, not of the page.
    feed_url: json,
    description,
    ...(nextCursor === null ? {} : { next_url: pageAddress(json, nextCursor) }),
    icon: author?.avatar ?? favicon,
    favicon,
    ...(author ? { authors: [withoutNull(author)] } : {}),
    language,
  }
}

/** The Piece of the API, as feeds need it. */
const item = ({ piece, locale }: PublishedPiece) => ({
  ...piece,
  content_html: portableHtml(piece),
  authors: piece.authors.map(withoutNull),
  language: locale,
})

function withoutNull<Person extends { readonly avatar: string | null }>({ avatar, ...person }: Person) {
  return avatar === null ? person : { ...person, avatar }
}
