import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { SiteInfo } from '#config/site-info.ts'
import { getAuthor } from '#features/authors/reads.ts'
import type { Author } from '#features/authors/schema.ts'
import { tagsOfPiece, tagsOfTranslations } from '#features/cache-tags.ts'
import type { PieceOnPage } from '#features/pieces/preview.ts'
import { type PublishedPiece, pieceAtAddress, relatedPieces } from '#features/pieces/public-lists.ts'
import { hasReceipt } from '#features/pieces/receipts/receipts.ts'
import type { Piece, PieceListItem } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import { categoryLabel } from '#http/category-label.ts'
import { document, hasItalics, type PageHead } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorFor, translatorOf } from '#messages/translator.ts'
import { type Html, html, storedMarkup } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { directionOf } from '#platform/text/language.ts'
import { shortened } from '#platform/text/normalise.ts'
import { typographic, typographicHtml } from '#platform/text/typography.ts'
import { byline, hostOf, kicker, langIn, portrait, readingMinutes, safeUrl, tick } from './byline.ts'
import { article, breadcrumbs } from './json-ld.ts'
import { pieceList } from './lists.ts'
import { pieceMarkdownReply } from './markdown.ts'
import { createPageCache, isForMarkdown, pageHeaders, renderPage } from './page.ts'
import { countVisit, type ReadCountingContext } from './pixel.ts'
import { languagesOf, translationLines } from './translations.ts'

const params = Type.Object({ author: Type.String(), piece: Type.String() })

/** `/author/{slug}/{piece}`: a piece. */
export const piecePages: FastifyPluginAsyncTypebox<ReadCountingContext> = async (app, context) => {
  const { reads, gate, counting } = context
  const { urls } = reads
  const siteT = translatorOf(context.siteInfo.language)
  const ownHost = new URL(urls.base).hostname
  const cachedPage = createPageCache<PublicPiece>()
  const renderPiecePage = (data: PublicPiece) =>
    renderPage(context, headOf(data.published, context), pieceMain(siteT, data, urls, pixelOf))
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
    const tags = [...tagsOfPiece(published.uuid, author.slug), ...tagsOfTranslations(piece)]
    if (isForMarkdown(request, reply)) return withCacheTags(reply, pieceMarkdownReply(reply, published), tags)

    countVisit(counting, request, published.uuid, ownHost)
    const [{ author: writer }, further, receipted] = await Promise.all([
      getAuthor(reads, { slug: author.slug }),
      relatedPieces(reads, published),
      hasReceipt(reads, published.uuid),
    ])
    const page = pageHeaders(
      reply,
      urls,
      cachedPage(published.uuid, { published, writer, further, receipted }, renderPiecePage),
    )
    return withCacheTags(reply, page, [...new Set([...tags, ...further.flatMap(tagsOfListed)])])
  })
}

interface PublicPiece extends PieceOnPage {
  readonly receipted: boolean
}

const tagsOfListed = ({ id, authors }: PieceListItem): readonly string[] =>
  authors.flatMap(({ slug }) => tagsOfPiece(id.slice(-36), slug))

/** The page of an unpublished piece: without address or metadata for crawlers. */
export function drawPreview(siteInfo: SiteInfo, urls: Urls, data: PieceOnPage): string {
  const { piece } = data.published
  const head: PageHead = { ...commonHead(piece), robots: 'noindex, nofollow, noarchive' }
  // A published piece has a receipt, so the preview shows the link.
  return document(siteInfo, urls, head, pieceMain(translatorOf(siteInfo.language), { ...data, receipted: true }, urls))
}

const commonHead = (piece: Piece) => ({
  title: piece.title,
  description: shortened(piece.summary, 200),
  lang: piece.language,
  dir: directionOf(piece.language, piece.content_text),
  hasItalics: hasItalics(piece.content_html ?? ''),
})

function headOf(published: PublishedPiece, { siteInfo, reads: { urls } }: PublicContext): PageHead {
  const { piece, uuid, slug } = published
  const author = piece.authors[0]!
  const t = translatorOf(siteInfo.language)
  const steps: [string, string][] = [
    [siteInfo.name, urls.home()],
    ...(piece.category ? [[categoryLabel(t, piece.category), urls.category(piece.category)] as [string, string]] : []),
    [piece.title, piece.url],
  ]
  return {
    ...commonHead(piece),
    canonical: safeUrl(piece.external_url) ?? piece.url,
    languages: languagesOf(published),
    feeds: [
      {
        title: t('site.feed.named', { name: author.name, site: siteInfo.name }),
        json: urls.feedJson(author.slug),
        rss: urls.feedRss(author.slug),
      },
    ],
    markdown: urls.pieceMarkdown(author.slug, slug),
    image: urls.pieceImage(uuid),
    oembed: urls.oembed(piece.url),
    jsonLd: [article(published, siteInfo, urls), breadcrumbs(...steps)],
    kind: 'article',
    published: piece.date_published,
    modified: piece.date_modified,
  }
}

/** Longer headlines are set one size smaller. */
const longHeadline = 90

/** Counts a read; only on public pages. */
const pixelOf = (uuid: string, urls: Urls): Html => html`<img src="${urls.pixel(uuid)}" alt="" width="1" height="1">`

/** What belongs to the piece is in its language if we speak that, and the rest in the site's. */
function pieceMain(
  siteT: Translator,
  { published, writer, further, receipted }: PublicPiece,
  urls: Urls,
  pixel?: typeof pixelOf,
): Html {
  const { piece, uuid, standfirst } = published
  const { language } = piece
  const t = translatorFor(language, siteT)
  const dir = directionOf(language, piece.content_text)
  return html`<article class="piece column">
<header class="piece-head">
${kicker(t, piece.category, urls, language)}
<h1 class="title${piece.title.length > longHeadline && ' long'}" dir="auto">${typographic(piece.title, language)}</h1>
${standfirst && html`<p class="standfirst" dir="auto">${typographic(standfirst, language)}</p>`}
${byline(t, piece, readingMinutes(piece.content_text, language), language)}${translationLines(t, published)}
</header>
<div class="prose">
${storedMarkup(scrollableTables(t, demoteHeadings(typographicHtml(piece.content_html ?? '', language))))}
</div>
${firstPublished(t, piece.external_url, language)}
</article>
<div class="piece-foot column"${langIn(siteT, language)}${dir !== siteT.dir && html` dir="${siteT.dir}"`}>
${authorCard(siteT, writer)}
${further.length > 0 && html`<h2 class="label">${furtherHeading(siteT, writer, further)}</h2>\n${pieceList(siteT, further, { heading: 'h3' })}`}
<p class="note">${receipted && html`<a href="${urls.receipt(uuid)}" rel="nofollow">${siteT('site.piece.receipt')}</a><span class="dot"></span>`}<a href="${urls.page(`desk/report/${uuid}`)}" rel="nofollow">${siteT('site.piece.report')}</a>${pixel?.(uuid, urls)}</p>
</div>`
}

/** Pieces by others follow if the writer has too few. */
const furtherHeading = (t: Translator, { slug, name }: Author, further: readonly PieceListItem[]): Html =>
  further.every(({ authors }) => authors.some((author) => author.slug === slug))
    ? inHtml(t, 'site.piece.more_from', { name: html`<bdi>${name}</bdi>` })
    : html`${t('site.piece.read_next')}`

/** The headline is the page's h1: if the text contains an h1, all its headings move down a level. */
const demoteHeadings = (rendered: string): string =>
  rendered.includes('<h1')
    ? rendered.replace(/<(\/?)h([1-5])\b/g, (_, end, rank) => `<${end}h${Number(rank) + 1}`)
    : rendered

/**
 * Wide tables scroll, also by keyboard. The sanitiser writes every table tag exactly so, and text never contains it.
 */
const scrollableTables = (t: Translator, rendered: string): string =>
  rendered
    .replaceAll(
      '<table>',
      String(html`<div class="wide" role="group" aria-label="${t('site.piece.table')}" tabindex="0"><table>`),
    )
    .replaceAll('</table>', '</table></div>')

function firstPublished(t: Translator, externalUrl: string | undefined, around: string): Html | null {
  const address = safeUrl(externalUrl)
  if (address === undefined) return null
  const host = html`<a href="${address}" rel="ugc noopener noreferrer"><bdi>${hostOf(address)}</bdi></a>`
  return html`<p class="note"${langIn(t, around)}>${inHtml(t, 'site.piece.first_published', { host })}</p>`
}

const authorCard = (t: Translator, { name, role, location, bio, avatar_url, identity_verified, urls }: Author) =>
  html`<section class="card" aria-label="${t('site.piece.author')}">
${portrait(avatar_url, 72)}
<div>
<h2 class="title"><a href="${urls.profile}" rel="author"><bdi>${name}</bdi></a>${identity_verified && tick(t)}</h2>
${(role || location) && html`<p class="meta"><bdi>${[role, location].filter(Boolean).join(' · ')}</bdi></p>`}
${bio && html`<p class="bio" dir="auto">${bio}</p>`}
</div>
</section>`
