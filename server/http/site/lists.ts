import type { PieceListItem } from '#features/pieces/schema.ts'
import { type Html, html } from '#platform/html.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import type { Urls } from '#platform/urls.ts'
import { authorName, byline, kicker } from './byline.ts'
import { date, dayOfYear } from './dates.ts'

/** A piece set large, with its standfirst. */
export const lead = (piece: PieceListItem, urls: Urls): Html =>
  html`<article class="lead">
${kicker(piece.category, urls)}
<h2 class="title" dir="auto"><a href="${piece.url}">${piece.title}</a></h2>
<p class="standfirst" dir="auto">${piece.summary}</p>
${byline(piece)}
</article>
`

interface Listed {
  readonly heading?: 'h2' | 'h3'
  readonly standfirst?: boolean
  /** Among pieces of one author under a year, the day is enough. */
  readonly meta?: 'author and date' | 'day'
}

export const quietList = (pieces: readonly PieceListItem[], listed: Listed = {}): Html =>
  html`<ol class="quiet">
${pieces.map((piece) => quietItem(piece, listed))}</ol>`

function quietItem(
  piece: PieceListItem,
  { heading = 'h2', standfirst = false, meta = 'author and date' }: Listed,
): Html {
  const title = html`<a href="${piece.url}">${piece.title}</a>`
  return html`<li>
${heading === 'h2' ? html`<h2 class="title" dir="auto">${title}</h2>` : html`<h3 class="title" dir="auto">${title}</h3>`}
${standfirst && html`<p class="standfirst" dir="auto">${piece.summary}</p>\n`}${metaLine(piece, meta)}
</li>
`
}

export const metaLine = (piece: PieceListItem, meta: Listed['meta'] = 'author and date'): Html =>
  meta === 'day'
    ? html`<p class="meta" lang="en">${dayOfYear(piece.date_published)}</p>`
    : html`<p class="meta" lang="en">${piece.authors.map(authorName)}<span class="dot">${date(piece.date_published)}</span></p>`

/** The next page of a list, or nothing on the last one. */
export const older = (address: string, cursor: string | null, words: string): Html | null =>
  cursor === null
    ? null
    : html`<p class="older" lang="en"><a href="${withCursor(address, cursor)}" rel="next">${words}</a></p>`

function withCursor(address: string, cursor: string): string {
  const url = new URL(address)
  url.searchParams.set('cursor', cursor)
  return url.href
}

export const feedLinks = ({ json, rss }: { json: string; rss: string }): Html =>
  html`<p class="note" lang="en">Follow by <a href="${rss}">RSS</a> or <a href="${json}">JSON Feed</a>.</p>`

export const siteFeed = ({ siteInfo, reads: { urls } }: PublicContext) => ({
  title: siteInfo.name,
  json: urls.siteFeedJson(),
  rss: urls.siteFeedRss(),
})
