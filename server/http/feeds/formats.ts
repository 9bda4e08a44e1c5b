import type { PublishedPiece } from '#features/pieces/public-lists.ts'
import { portableHtml } from '#features/pieces/reading-text.ts'
import type { Cover } from '#features/pieces/schema.ts'
import { html, type Xml, xml } from '#platform/html.ts'
import { pageAddress } from '#platform/http/link-headers.ts'
import { type Feed, inUtf8 } from './feed.ts'

/** JSON Feed 1.1 (https://jsonfeed.org/version/1.1). It has no null: unknown fields are left out. */
export function writeJsonFeed(feed: Feed): Buffer {
  const head = JSON.stringify(jsonHead(feed)).slice(0, -1)
  const items = feed.pieces.map((piece, at) => (at === 0 ? '' : ',') + JSON.stringify(jsonItem(piece)))
  return inUtf8([`${head},"items":[`, ...items, ']}'])
}

function jsonHead({ channel, cursor, nextCursor, language }: Feed) {
  const { title, description, page, json, hub, favicon, author } = channel
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    // Also on later pages: it identifies the feed, not the page.
    feed_url: json,
    description,
    ...(nextCursor === null ? {} : { next_url: pageAddress(json, nextCursor) }),
    icon: author?.avatar ?? favicon,
    favicon,
    ...(author ? { authors: [withoutNull(author)] } : {}),
    language,
    ...(cursor ? {} : { hubs: [{ type: 'WebSub', url: hub }] }),
  }
}

/** The API's Piece as a feed item. JSON Feed has `image`; what else is known of it is an extension. */
function jsonItem({ piece }: PublishedPiece) {
  const { cover, ...item } = piece
  return {
    ...item,
    content_html: portableHtml(piece),
    authors: piece.authors.map(withoutNull),
    ...(cover ? { _cover: cover } : {}),
  }
}

function withoutNull<Person extends { readonly avatar: string | null }>({ avatar, ...person }: Person) {
  return avatar === null ? person : { ...person, avatar }
}

/** RSS 2.0 with the whole text, paged by RFC 5005. */
export const writeRss = (feed: Feed): Buffer =>
  inUtf8([opening, String(rssHead(feed)), ...feed.pieces.map((piece) => String(rssItem(piece))), closing])

const opening = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
`
const closing = `</channel>
</rss>
`

const rssHead = ({ channel, cursor, nextCursor, modified, language }: Feed): Xml => xml`<title>${channel.title}</title>
<link>${channel.page}</link>
<description>${channel.description}</description>
<language>${language}</language>
${modified && xml`<lastBuildDate>${rfc822(modified)}</lastBuildDate>\n`}${
  !cursor && xml`<atom:link rel="hub" href="${channel.hub}"/>\n`
}${link('self', pageAddress(channel.rss, cursor))}${
  cursor && link('first', channel.rss)
}${nextCursor && link('next', pageAddress(channel.rss, nextCursor))}`

const link = (rel: string, address: string): Xml =>
  xml`<atom:link rel="${rel}" type="application/rss+xml" href="${address}"/>\n`

/** `description` is HTML by the specification, so a standfirst is escaped twice; titles and names are plain text. */
const rssItem = ({ piece }: PublishedPiece): Xml => xml`<item>
<title>${piece.title}</title>
<link>${piece.url}</link>
<guid isPermaLink="false">${piece.id}</guid>
<pubDate>${rfc822(piece.date_published)}</pubDate>
<atom:updated>${piece.date_modified}</atom:updated>
${piece.authors.map(({ name }) => xml`<dc:creator>${name}</dc:creator>\n`)}<dc:language>${piece.language}</dc:language>
${[...new Set([piece.category, ...piece.tags])].map((name) => name && xml`<category>${name}</category>\n`)}<description>${String(
  html`${piece.summary}`,
)}</description>
<content:encoded>${portableHtml(piece)}</content:encoded>
${piece.cover && mediaContent(piece.cover)}</item>
`

/** Media RSS (https://www.rssboard.org/media-rss). Every picture is stored as WebP. */
const mediaContent = ({ url, width, height, alt, caption, credit }: Cover): Xml =>
  xml`<media:content url="${url}" type="image/webp" medium="image" width="${width}" height="${height}">
${(caption || alt) && xml`<media:description type="plain">${caption || alt}</media:description>\n`}${credit && xml`<media:credit>${credit}</media:credit>\n`}</media:content>
`

/** An RFC 822 date with a four-digit year. */
const rfc822 = (date: string): string => new Date(date).toUTCString()
