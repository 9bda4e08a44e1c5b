import type { PublishedPiece } from '#features/pieces/public-lists.ts'
import { html } from '#platform/html.ts'
import { pageAddress } from '#platform/http/paging.ts'
import { type Xml, xml } from '#platform/xml.ts'
import { type Feed, inUtf8, portableHtml } from './feed.ts'

/** RSS 2.0 with the whole text, paged as RFC 5005 has it. */
export const writeRss = (feed: Feed): Buffer =>
  inUtf8([opening, String(headOf(feed)), ...feed.pieces.map((piece) => String(item(piece))), closing])

const opening = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
`
const closing = `</channel>
</rss>
`

const headOf = ({ channel, cursor, nextCursor, modified, language }: Feed): Xml => xml`<title>${channel.title}</title>
<link>${channel.page}</link>
<description>${channel.description}</description>
<language>${language}</language>
${modified && xml`<lastBuildDate>${rfc822(modified)}</lastBuildDate>\n`}${link('self', pageAddress(channel.rss, cursor))}${
  cursor && link('first', channel.rss)
}${nextCursor && link('next', pageAddress(channel.rss, nextCursor))}`

const link = (rel: string, address: string): Xml =>
  xml`<atom:link rel="${rel}" type="application/rss+xml" href="${address}"/>\n`

/** `description` is HTML by its specification, so a standfirst is written as such; titles and names are plain text. */
const item = ({ piece, locale }: PublishedPiece): Xml => xml`<item>
<title>${piece.title}</title>
<link>${piece.url}</link>
<guid isPermaLink="false">${piece.id}</guid>
<pubDate>${rfc822(piece.date_published)}</pubDate>
<atom:updated>${piece.date_modified}</atom:updated>
${piece.authors.map(({ name }) => xml`<dc:creator>${name}</dc:creator>\n`)}<dc:language>${locale}</dc:language>
${[...new Set([piece.category, ...piece.tags])].map((name) => name && xml`<category>${name}</category>\n`)}<description>${String(
  html`${piece.summary}`,
)}</description>
<content:encoded>${portableHtml(piece)}</content:encoded>
</item>
`

/** As RFC 822 writes dates, with the year in full. */
const rfc822 = (date: string): string => new Date(date).toUTCString()
