import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { getAuthor } from '#features/authors/reads.ts'
import type { Author } from '#features/authors/schema.ts'
import { tagsOfPiece } from '#features/pieces/cache-tags.ts'
import type { PieceOnPage } from '#features/pieces/preview.ts'
import { furtherPieces, type PublishedPiece, pieceAtAddress } from '#features/pieces/public-lists.ts'
import { hasReceipt } from '#features/pieces/receipts/reads.ts'
import { categoryName, type Piece, type PieceListItem } from '#features/pieces/schema.ts'
import { type Html, html, storedMarkup } from '#platform/html.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import { directionOf } from '#platform/page/direction.ts'
import { document, hasItalics, type PageHead } from '#platform/page/layout.ts'
import type { SiteInfo } from '#platform/site.ts'
import { shortened } from '#platform/text/shorten.ts'
import type { Urls } from '#platform/urls.ts'
import { byline, kicker, portrait, tick } from './byline.ts'
import { hostOf, outside } from './external-link.ts'
import { article, breadcrumbs } from './json-ld.ts'
import { quietList } from './lists.ts'
import { pieceTwin } from './markdown.ts'
import { draw, isForMarkdown, show } from './page.ts'
import { keepDrawn } from './page-cache.ts'
import { type CountingRoutesContext, countVisit } from './pixel.ts'
import { readingMinutes } from './reading-time.ts'

const params = Type.Object({ author: Type.String(), piece: Type.String() })

/** `/author/{slug}/{piece}`: a piece, whole. */
export const piecePages: FastifyPluginAsyncTypebox<CountingRoutesContext> = async (app, context) => {
  const { reads, gate, counting } = context
  const { urls } = reads
  const ownHost = new URL(urls.base).hostname
  const drawn = keepDrawn<PublicPiece>()
  const drawPiece = (shown: PublicPiece) =>
    draw(context, headOf(shown.published, context), pieceMain(shown, urls, pixelOf))
  const schema = { hide: true, params } as { params: typeof params }
  app.addHook('onSend', cached('publicRead'))

  app.get('/author/:author/:piece', { onRequest: gate('single', 'read'), schema }, async (request, reply) => {
    const slugs = { author: request.params.author.toLowerCase(), piece: request.params.piece.toLowerCase() }
    const published = await pieceAtAddress(reads, slugs.author, slugs.piece)
    if (!published) throw failure(404)
    const { piece } = published
    const author = piece.authors[0]!
    if (request.params.author !== author.slug || request.params.piece !== published.slug)
      return reply.redirect(piece.url, 301)
    const tags = tagsOfPiece(published.uuid, author.slug)
    if (isForMarkdown(request, reply)) return tagged(reply, pieceTwin(reply, published), tags)

    countVisit(counting, request, published.uuid, ownHost)
    const [{ author: writer }, further, receipted] = await Promise.all([
      getAuthor(reads, { slug: author.slug }),
      furtherPieces(reads, published),
      hasReceipt(reads, published.uuid),
    ])
    const page = show(reply, urls, drawn(published.uuid, { published, writer, further, receipted }, drawPiece))
    return tagged(reply, page, [...new Set([...tags, ...further.flatMap(tagsOfFurther)])])
  })
}

/** With whether it has a receipt to show. */
interface PublicPiece extends PieceOnPage {
  readonly receipted: boolean
}

const tagsOfFurther = ({ id, authors }: PieceListItem): readonly string[] =>
  authors.flatMap(({ slug }) => tagsOfPiece(id.slice(-36), slug))

/** The same page of a piece that is not public: it has no address, and no machine is told of it. */
export function drawPreview(siteInfo: SiteInfo, urls: Urls, shown: PieceOnPage): string {
  const { piece, locale } = shown.published
  const head: PageHead = { ...words(piece, locale), robots: 'noindex, nofollow, noarchive' }
  // What publishing makes has one.
  return document(siteInfo, urls, head, pieceMain({ ...shown, receipted: true }, urls))
}

const words = (piece: Piece, locale: string) => ({
  title: piece.title,
  description: shortened(piece.summary, 200),
  lang: locale,
  dir: directionOf(locale, piece.content_text),
  hasItalics: hasItalics(piece.content_html ?? ''),
})

function headOf(published: PublishedPiece, { siteInfo, reads: { urls } }: PublicContext): PageHead {
  const { piece, uuid, slug, locale } = published
  const author = piece.authors[0]!
  const steps: [string, string][] = [
    [siteInfo.name, urls.home()],
    ...(piece.category ? [[categoryName(piece.category), urls.category(piece.category)] as [string, string]] : []),
    [piece.title, piece.url],
  ]
  return {
    ...words(piece, locale),
    canonical: outside(piece.external_url) ?? piece.url,
    feeds: [{ title: author.name, json: urls.feedJson(author.slug), rss: urls.feedRss(author.slug) }],
    markdown: urls.pieceMarkdown(author.slug, slug),
    image: urls.pieceImage(uuid),
    oembed: urls.oembed(piece.url),
    jsonLd: [article(published, siteInfo, urls), breadcrumbs(...steps)],
    kind: 'article',
    published: piece.date_published,
    modified: piece.date_modified,
  }
}

/** From here on a headline is set a size smaller. */
const longHeadline = 90

/** Says that somebody reads it; no page that is not public has one. */
const pixelOf = (uuid: string, urls: Urls): Html => html`<img src="${urls.pixel(uuid)}" alt="" width="1" height="1">`

function pieceMain(
  { published: { piece, uuid, standfirst, locale }, writer, further, receipted }: PublicPiece,
  urls: Urls,
  pixel?: typeof pixelOf,
): Html {
  return html`<article class="piece column">
<header class="piece-head">
${kicker(piece.category, urls)}
<h1 class="title${piece.title.length > longHeadline && ' long'}" dir="auto">${piece.title}</h1>
${standfirst && html`<p class="standfirst" dir="auto">${standfirst}</p>`}
${byline(piece, readingMinutes(piece.content_text, locale))}
</header>
<div class="prose">
${storedMarkup(scrollable(below(piece.content_html ?? '')))}
</div>
${firstPublished(piece.external_url)}
</article>
<div class="piece-foot column" lang="en">
${card(writer)}
${further.length > 0 && html`<h2 class="label">Read on</h2>\n${quietList(further, { heading: 'h3' })}`}
<p class="note">${receipted && html`<a href="${urls.receipt(uuid)}" rel="nofollow">How this was published</a><span class="dot"></span>`}<a href="${urls.page(`desk/report/${uuid}`)}" rel="nofollow">Report this piece</a>${pixel?.(uuid, urls)}</p>
</div>`
}

/** The headline is the page's first heading: where the text has one of that rank, all of its headings stand a rank lower. */
const below = (rendered: string): string =>
  rendered.includes('<h1')
    ? rendered.replace(/<(\/?)h([1-5])\b/g, (_, end, rank) => `<${end}h${Number(rank) + 1}`)
    : rendered

/** A table too wide for a screen scrolls by itself, by keyboard too. The sanitiser writes every table so and no text. */
const scrollable = (rendered: string): string =>
  rendered
    .replaceAll('<table>', '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')

function firstPublished(externalUrl: string | undefined): Html | null {
  const address = outside(externalUrl)
  if (address === undefined) return null
  return html`<p class="note" lang="en">First published at <a href="${address}" rel="ugc noopener noreferrer">${hostOf(address)}</a>.</p>`
}

const card = ({ name, role, location, bio, avatar_url, identity_verified, urls }: Author) =>
  html`<section class="card" aria-label="The author">
${portrait(avatar_url, 72)}
<div>
<h2 class="title"><a href="${urls.profile}" rel="author"><bdi>${name}</bdi></a>${identity_verified && tick}</h2>
${(role || location) && html`<p class="meta" dir="auto">${[role, location].filter(Boolean).join(' · ')}</p>`}
${bio && html`<p class="bio" dir="auto">${bio}</p>`}
</div>
</section>`
