import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { SiteInfo } from '#config/site-info.ts'
import { authorAt, getAuthor } from '#features/authors/reads.ts'
import type { Author } from '#features/authors/schema.ts'
import { tagsOfPresented, tagsOfSeries, tagsOfTranslations } from '#features/cache-tags.ts'
import type { ReadContext } from '#features/context.ts'
import { postersOf } from '#features/fediverse/reads.ts'
import { type LinkCard, linkCardsOf } from '#features/link-cards/reads.ts'
import { categoryLabel } from '#features/pieces/category-label.ts'
import { pageMeta } from '#features/pieces/page-meta.ts'
import type { PieceOnPage, PreviewedPiece } from '#features/pieces/preview.ts'
import { type PublishedPiece, pieceAtAddress, piecesOfAuthor, relatedPieces } from '#features/pieces/public-lists.ts'
import { readingMinutes } from '#features/pieces/reading-text.ts'
import { hasReceipt } from '#features/pieces/receipts/receipts.ts'
import type { Cover, PieceListItem } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import { followedAuthor, followForm, followLink } from '#http/follow-form.ts'
import { document, errorPage, hasItalics, type PageHead } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorFor, translatorOf } from '#messages/translator.ts'
import { type Html, html, storedMarkup } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { preferred, varyBy } from '#platform/http/negotiation.ts'
import { publicPage } from '#platform/http/security.ts'
import { withVariants } from '#platform/markdown/picture-variants.ts'
import { directionOf } from '#platform/text/language.ts'
import { typographic } from '#platform/text/typography.ts'
import { byline, hostOf, kicker, langIn, portrait, safeUrl, tick } from './byline.ts'
import { coverOnPage } from './cover.ts'
import { article, breadcrumbs } from './json-ld.ts'
import { feedNamed, pieceList } from './lists.ts'
import { pieceMarkdownReply } from './markdown.ts'
import { createPageCache, isForMarkdown, pageHeaders, renderPage } from './page.ts'
import { countVisit, type ReadCountingContext } from './pixel.ts'
import { readingText, share, updated } from './reading-kit.ts'
import { partLine, partLinks } from './series-page.ts'
import { topicLinks } from './topic-pages.ts'
import { languagesOf, translationLines } from './translations.ts'

const params = Type.Object({ author: Type.String(), piece: Type.String() })

/** `/author/{slug}/{piece}`: a piece. */
export const piecePages: FastifyPluginAsyncTypebox<ReadCountingContext & LinkCardsSetting> = async (app, context) => {
  const { reads, gate, counting, hasLinkCards } = context
  const { urls } = reads
  const siteT = translatorOf(context.siteInfo.language)
  const ownHost = new URL(urls.base).hostname
  const cachedPage = createPageCache<PublicPiece>()
  const renderPiecePage = (data: PublicPiece) =>
    renderPage(context, headOf(data, context), pieceMain(context.siteInfo, data, urls, pixelOf))
  const schema = { hide: true, params } as { params: typeof params }
  app.addHook('onSend', cached('publicRead'))

  app.get('/author/:author/:piece', { onRequest: gate('single', 'read'), schema }, async (request, reply) => {
    const slugs = { author: request.params.author.toLowerCase(), piece: request.params.piece.toLowerCase() }
    const published = await pieceAtAddress(reads, slugs.author, slugs.piece)
    if (!published) {
      const more = isForPage(request, reply) ? await moreFrom(siteT, reads, slugs.author) : undefined
      if (!more) throw failure(404)
      publicPage(reply, urls)
      reply.code(404).type('text/html; charset=utf-8')
      return errorPage(context.siteInfo, urls, failure(404), request.id, more)
    }
    const { piece } = published
    const author = piece.authors[0]!
    if (request.params.author !== author.slug || request.params.piece !== published.slug)
      return reply.redirect(piece.url, 301)
    const tags = [...tagsOfPresented(piece), ...tagsOfTranslations(piece), ...tagsOfSeries(piece)]
    if (isForMarkdown(request, reply)) return withCacheTags(reply, pieceMarkdownReply(reply, published), tags)

    countVisit(counting, request, published.uuid, ownHost)
    const [{ author: writer }, further, receipted, cards, posters] = await Promise.all([
      getAuthor(reads, { slug: author.slug }),
      relatedPieces(reads, published),
      hasReceipt(reads, published.uuid),
      hasLinkCards ? linkCardsOf(reads, published.uuid, piece.content_html) : [],
      postersOf(reads, [published.uuid]),
    ])
    const object = posters.get(published.uuid)?.object
    const page = pageHeaders(
      reply,
      urls,
      cachedPage(published.uuid, { published, writer, further, receipted, cards, object }, renderPiecePage),
    )
    return withCacheTags(reply, page, [...new Set([...tags, ...further.flatMap(tagsOfPresented)])])
  })
}

/** Whether an error is shown as a page (platform/http/errors.ts). */
function isForPage(request: FastifyRequest, reply: FastifyReply): boolean {
  varyBy(reply, 'Accept')
  return preferred(request.headers.accept, ['application/json', 'text/html']) === 'text/html'
}

const maxOffered = 5

/** At the address of a piece that is not there: its author and their newest pieces; undefined if there is none. */
async function moreFrom(t: Translator, reads: ReadContext, slug: string): Promise<Html | undefined> {
  const found = await authorAt(reads, slug)
  if (!found) return undefined
  const { name, urls } = found.author
  const { items } = await piecesOfAuthor(reads, found.id, { limit: maxOffered })
  const link = html`<a href="${urls.profile}" rel="author"><bdi>${name}</bdi></a>`
  return html`<h2 class="label">${inHtml(t, 'site.piece.more_from', { name: link })}</h2>
${pieceList(t, items, reads.urls, { heading: 'h3' })}
`
}

export interface LinkCardsSetting {
  readonly hasLinkCards: boolean
}

interface PublicPiece extends PieceOnPage {
  readonly receipted: boolean
  /** As an actor of the fediverse posts it, if one does. */
  readonly object?: string | undefined
  /** Nothing is at its address yet. */
  readonly isDraft?: boolean
  readonly cards?: readonly LinkCard[]
}

/** The page of an unpublished piece: without address or metadata for crawlers. */
export function drawPreview(siteInfo: SiteInfo, urls: Urls, data: PreviewedPiece, comments?: Html): string {
  const { link, writer } = data
  const { piece } = data.published
  const siteT = translatorOf(siteInfo.language)
  const t = translatorFor(piece.language, siteT)
  const head: PageHead = { ...commonHead(data.published), robots: 'noindex, nofollow, noarchive' }
  // At the desk it is as it will be: a published piece has a receipt.
  const main = pieceMain(
    siteInfo,
    { ...data, receipted: !link || link.isPublic, isDraft: link?.isPublic === false },
    urls,
  )
  const banner = html`<p class="draft-note" role="note"${langIn(t, piece.language)}>${t('site.piece.private_draft', { state: link?.isPublic ? 'changes' : 'draft' })}</p>\n`
  const page = document(siteInfo, urls, head, link ? html`${banner}${main}${comments}` : main)
  return link && !link.hasAuthorPage ? page.replaceAll(` href="${urls.profile(writer.slug)}"`, '') : page
}

function commonHead({ piece, meta }: PublishedPiece) {
  const { title, description, social_title, social_description } = pageMeta(piece, meta)
  return {
    title,
    description,
    shared: { title: social_title, description: social_description },
    lang: piece.language,
    dir: directionOf(piece.language, piece.content_text),
    hasItalics: hasItalics(piece.content_html ?? ''),
  }
}

function headOf({ published, object }: PublicPiece, context: PublicContext): PageHead {
  const { siteInfo, reads } = context
  const { urls } = reads
  const { piece, uuid, slug } = published
  const author = piece.authors[0]!
  const t = translatorOf(siteInfo.language)
  const steps: [string, string][] = [
    [siteInfo.name, urls.home()],
    ...(piece.category ? [[categoryLabel(t, piece.category), urls.category(piece.category)] as [string, string]] : []),
    [piece.title, piece.url],
  ]
  return {
    ...commonHead(published),
    canonical: safeUrl(piece.external_url) ?? piece.url,
    languages: languagesOf(published),
    feeds: [feedNamed(context, author.name, urls.feedJson(author.slug), urls.feedRss(author.slug))],
    markdown: urls.pieceMarkdown(author.slug, slug),
    activity: object && urls.pieceObject(object),
    image: urls.pieceImage(uuid),
    oembed: urls.oembed(piece.url),
    jsonLd: [article(published, siteInfo, urls), breadcrumbs(...steps)],
    kind: 'article',
    published: piece.date_published,
    modified: piece.date_modified,
    section: piece.category ? categoryLabel(t, piece.category) : undefined,
    tags: piece.tags,
    authors: piece.authors.map(({ url }) => url),
  }
}

/** Longer headlines are set one size smaller. */
const longHeadline = 90

/** Counts a read; only on public pages. */
const pixelOf = (uuid: string, urls: Urls): Html => html`<img src="${urls.pixel(uuid)}" alt="" width="1" height="1">`

/** What belongs to the piece is in its language if we speak that, and the rest in the site's. */
function pieceMain(
  siteInfo: SiteInfo,
  { published, writer, further, receipted, isDraft = false, cards = [] }: PublicPiece,
  urls: Urls,
  pixel?: typeof pixelOf,
): Html {
  const siteT = translatorOf(siteInfo.language)
  const { piece, uuid, standfirst } = published
  const { language } = piece
  const t = translatorFor(language, siteT)
  const dir = directionOf(language, piece.content_text)
  const { markup, contents } = readingText(t, piece, cards)
  return html`<article class="piece column">
<header class="piece-head">
${kicker(t, piece.category, urls, language)}
${partLine(t, piece)}<h1 class="title${piece.title.length > longHeadline && ' long'}" dir="auto">${typographic(piece.title, language)}</h1>
${standfirst && html`<p class="standfirst" dir="auto">${typographic(standfirst, language)}</p>`}
${byline(t, piece, urls, readingMinutes(piece.content_text, language), language, updated(t, published), !isDraft && piece.authors.length === 1 && followLink(t, siteInfo, urls, followedAuthor(writer)))}${translationLines(t, published)}
</header>${piece.cover && coverFigure(t, piece.cover, language, urls)}${contents && html`\n${contents}`}
<div class="prose">
${storedMarkup(withVariants(markup, urls.media('')))}
</div>
${firstPublished(t, piece.external_url, language)}${topicLinks(t, published.topics, language)}${partLinks(t, published)}</article>
${!isDraft && share(t, piece)}
<div class="piece-foot column"${langIn(siteT, language)}${dir !== siteT.dir && html` dir="${siteT.dir}"`}>
${authorCard(siteT, writer, urls, !isDraft && followForm(siteT, siteInfo, urls, followedAuthor(writer)))}
${further.length > 0 && html`<section class="further" aria-labelledby="further"><h2 class="label" id="further">${furtherHeading(siteT, writer, further)}</h2>\n${pieceList(siteT, further, urls, { heading: 'h3', large: 'all' })}</section>`}
${!isDraft && html`<p class="note">${receipted && html`<a href="${urls.receipt(uuid)}" rel="nofollow">${siteT('site.piece.receipt')}</a><span class="dot"></span>`}<a href="${urls.page(`desk/report/${uuid}`)}" rel="nofollow">${siteT('site.piece.report')}</a>${pixel?.(uuid, urls)}</p>`}
</div>`
}

/** Wider than the text, uncropped. */
function coverFigure(t: Translator, cover: Cover, around: string, urls: Urls): Html {
  const { caption, credit } = cover
  return html`
<figure class="piece-cover">
${coverOnPage(cover, urls)}
${(caption || credit) && html`<figcaption dir="auto">${caption && typographic(caption, around)}${credit && html` <span class="credit"${langIn(t, around)}>${inHtml(t, 'site.piece.credit', { name: html`<bdi>${credit}</bdi>` })}</span>`}</figcaption>`}
</figure>`
}

/** Pieces by others follow if the writer has too few. */
const furtherHeading = (t: Translator, { slug, name }: Author, further: readonly PieceListItem[]): Html =>
  further.every(({ authors }) => authors.some((author) => author.slug === slug))
    ? inHtml(t, 'site.piece.more_from', { name: html`<bdi>${name}</bdi>` })
    : html`${t('site.piece.read_next')}`

function firstPublished(t: Translator, externalUrl: string | undefined, around: string): Html | null {
  const address = safeUrl(externalUrl)
  if (address === undefined) return null
  const host = html`<a href="${address}" rel="ugc noopener noreferrer"><bdi>${hostOf(address)}</bdi></a>`
  return html`<p class="note"${langIn(t, around)}>${inHtml(t, 'site.piece.first_published', { host })}</p>`
}

const authorCard = (
  t: Translator,
  { name, role, location, bio, avatar_url, identity_verified, urls: { profile } }: Author,
  urls: Urls,
  follow: Html | false,
) =>
  html`<section class="card" aria-label="${t('site.piece.author')}">
${portrait(avatar_url, 72, urls)}
<div>
<h2 class="title"><a href="${profile}" rel="author"><bdi>${name}</bdi></a>${identity_verified && tick(t)}</h2>
${(role || location) && html`<p class="meta"><bdi>${[role, location].filter(Boolean).join(' · ')}</bdi></p>`}
${bio && html`<p class="bio" dir="auto">${bio}</p>`}
${follow}</div>
</section>`
