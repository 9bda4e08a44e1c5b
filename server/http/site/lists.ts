import type { FastifyReply } from 'fastify'
import { tagsOfPieceLists } from '#features/cache-tags.ts'
import type { Page } from '#features/pieces/public-lists.ts'
import type { PieceListItem } from '#features/pieces/schema.ts'
import type { ProductHit } from '#features/products/schema.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { type Followed, followLink } from '#http/follow-form.ts'
import { type LanguageLabel, languageLabels, withLanguage } from '#http/language-label.ts'
import type { PageFeed, PageHead } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { withCacheTags } from '#platform/http/caching.ts'
import { typographic } from '#platform/text/typography.ts'
import { authorName, authorNames, date, dayOfYear, langOf } from './byline.ts'
import { coverLink } from './cover.ts'
import { page } from './page.ts'

interface PieceListOptions {
  /** The first, or all of them, with a large picture above the text. */
  readonly large?: 'first' | 'all' | undefined
  readonly heading?: 'h2' | 'h3'
  readonly standfirst?: boolean
  /** In an author's list, grouped by year, the day is enough for a piece without co-authors. */
  readonly meta?: 'author and date' | 'day'
}

export const pieceList = (
  t: Translator,
  pieces: readonly PieceListItem[],
  urls: Urls,
  options: PieceListOptions = {},
): Html =>
  html`<ol class="quiet ${classesOf[options.large ?? 'none']}">
${pieces.map((piece, at) => pieceListItem(t, piece, urls, options, sizeAt(at, options)))}</ol>`

const classesOf = { none: 'covered', first: 'covered leading', all: 'covered cards' } as const

function sizeAt(at: number, { large }: PieceListOptions): 'small' | 'medium' | 'large' {
  if (large === 'all') return 'medium'
  return large === 'first' && at === 0 ? 'large' : 'small'
}

const pieceListItem = (
  t: Translator,
  piece: PieceListItem,
  urls: Urls,
  { meta, ...options }: PieceListOptions,
  size: 'small' | 'medium' | 'large',
): Html =>
  html`<li>
<div>
${pieceText(t, piece, options, meta === 'day' && piece.authors.length === 1 ? html`<p class="meta">${dayOfYear(t, piece.date_published)}</p>` : metaLine(t, piece))}
</div>
${coverLink(piece, urls, { size, eager: size === 'large' })}
</li>
`

/** What a list says of a piece. */
export function pieceText(
  t: Translator,
  { url, title, summary, language }: PieceListItem,
  { heading = 'h2', standfirst = false }: Pick<PieceListOptions, 'heading' | 'standfirst'>,
  meta: Html,
): Html {
  const lang = langOf(t, language)
  return html`<${heading} class="title" dir="auto"${lang}><a href="${url}">${typographic(title, language)}</a></${heading}>
${standfirst && html`<p class="standfirst" dir="auto"${lang}>${typographic(summary, language)}</p>\n`}${meta}`
}

/** "Ada Okafor · 3 May 2025"; with portraits if `urls` is given. */
export const metaLine = (
  t: Translator,
  { authors, date_published }: PieceListItem,
  shownDate: Html = date(t, date_published),
  urls?: Urls,
): Html => html`<p class="meta">${authorNames(t, authors, urls)}<span class="dot">${shownDate}</span></p>`

/** Links to the same list in each of its languages, and in all; null if there is no choice. */
export function languageLinks(
  t: Translator,
  address: string,
  languages: readonly string[],
  current: string | undefined,
): Html | null {
  const labels = languageLabels(t, languages)
  if (labels.length < 2 && current === undefined) return null
  const link = (language: string | undefined, content: Html) =>
    html`<li><a href="${inLanguage(address, language)}"${language === current && html` aria-current="page"`}>${content}</a></li>\n`
  return html`<nav class="sections languages" aria-label="${t('site.list.languages')}"><ul>
${link(undefined, html`${t('site.list.all_languages')}`)}${labels.map((label) => link(label.language, languageName(t, label)))}</ul></nav>
`
}

const languageName = (t: Translator, { language, name, isOwn }: LanguageLabel): Html =>
  html`<bdi${isOwn && langOf(t, language)}>${name}</bdi>`

/** A link to the next page; null on the last. */
export const older = (address: string, cursor: string | null, label: string): Html | null =>
  cursor === null ? null : html`<p class="older"><a href="${withCursor(address, cursor)}" rel="next">${label}</a></p>`

function withCursor(address: string, cursor: string): string {
  const url = new URL(address)
  url.searchParams.set('cursor', cursor)
  return url.href
}

/** Feeds of what cannot be followed by email are named alone. */
function feedLinks(t: Translator, { json, rss }: PageFeed, email: string | undefined): Html {
  const linkTo = (address: string) => (label: Html) => html`<a href="${address}">${label}</a>`
  const feeds = { rss: linkTo(rss), json: linkTo(json) }
  const line =
    email === undefined
      ? inHtml(t, 'site.list.follow', feeds)
      : inHtml(t, 'site.list.follow_email', {
          ...feeds,
          email: (label) => html`<a href="${email}" rel="nofollow">${label}</a>`,
        })
  return html`<p class="note">${line}</p>`
}

/** A feed as a page names it, in the language of the page's list. */
export const feedIn = (t: Translator, feed: PageFeed, language: string | undefined): PageFeed => ({
  title: withLanguage(t, feed.title, language),
  json: inLanguage(feed.json, language),
  rss: inLanguage(feed.rss, language),
})

export const feedNamed = ({ siteInfo }: PublicContext, name: string, json: string, rss: string): PageFeed => ({
  title: translatorOf(siteInfo.language)('site.feed.named', { name, site: siteInfo.name }),
  json,
  rss,
})

export const siteFeed = ({ siteInfo, reads: { urls } }: PublicContext): PageFeed => ({
  title: siteInfo.name,
  json: urls.siteFeedJson(),
  rss: urls.siteFeedRss(),
})

interface ListPage extends Omit<PageHead, 'title' | 'canonical' | 'languages' | 'robots' | 'feeds'> {
  readonly name: string
  /** Of the first page, in all languages; so is the feed. */
  readonly address: string
  readonly feed?: PageFeed
  /** What can be followed by email: the whole site for a page without a feed of its own. */
  readonly followed?: Followed | undefined
  readonly language?: string | undefined
  readonly isFirst?: boolean
  /** By search engines: not if it is empty, or a later page. */
  readonly isIndexed: boolean
  /** Instead of the name alone. */
  readonly heading?: Html
  readonly cacheTags?: readonly string[]
}

/** A heading, what is listed, and the feed to follow it by. */
export function listPage(reply: FastifyReply, context: PublicContext, given: ListPage, content: Html): string {
  const { name, address, feed: own, followed, language, isFirst = true, isIndexed, ...rest } = given
  const { heading, cacheTags = tagsOfPieceLists, ...head } = rest
  const { siteInfo, reads } = context
  const t = translatorOf(siteInfo.language)
  const feed = feedIn(t, own ?? siteFeed(context), language)
  const emailPath = followed?.path ?? (own ? undefined : 'site')
  const main = html`<div class="column">
${heading ?? html`<h1 class="title">${name}</h1>`}
${followed && isFirst && html`<p class="follow">${followLink(t, siteInfo, reads.urls, followed)}</p>\n`}${content}
${feedLinks(t, feed, emailPath && reads.urls.follow(emailPath))}
</div>`
  const ofList = {
    title: withLanguage(t, name, language),
    canonical: isFirst ? inLanguage(address, language) : undefined,
    robots: isIndexed ? undefined : 'noindex, follow',
    feeds: [feed],
  }
  return withCacheTags(reply, page(reply, context, { ...head, ...ofList }, main), cacheTags)
}

interface PieceListPage extends Omit<ListPage, 'isFirst' | 'isIndexed'>, Pick<PieceListOptions, 'large'> {
  readonly list: Page<PieceListItem>
  readonly cursor: string | undefined
  /** What there is a choice of. */
  readonly languages?: readonly string[]
  readonly isIndexed?: boolean
  /** What it says if there is nothing, of the link to the next page, and after that link. */
  readonly empty?: string
  readonly more?: string
  readonly below?: Html | null
}

export function pieceListPage(reply: FastifyReply, context: PublicContext, given: PieceListPage): string {
  const { list, cursor, languages = [], large, empty, more, below, ...rest } = given
  const { address, language } = rest
  const t = translatorOf(context.siteInfo.language)
  const isFirst = cursor === undefined
  const content = html`${languageLinks(t, address, languages, language)}${list.items.length === 0 && html`<p class="standfirst">${empty ?? t('site.list.empty')}</p>`}
${pieceList(t, list.items, context.reads.urls, { standfirst: true, large })}
${older(inLanguage(address, language), list.next_cursor, more ?? t('site.list.older'))}${below && html`\n${below}`}`
  return listPage(reply, context, { isIndexed: isFirst && list.items.length > 0, ...rest, isFirst }, content)
}

/** Instead of a list that is empty. */
export const emptyList = (t: Translator, text: string, urls: Urls): Html =>
  html`<p class="standfirst">${text}</p>\n<p class="note"><a href="${urls.page('desk')}">${t('site.nav.start_writing')}</a></p>`

interface ProductListOptions {
  readonly heading: 'h2' | 'h3'
  /** Not needed on the seller's own page. */
  readonly seller: boolean
}

/** A list of shop listings. */
export const productList = (t: Translator, products: readonly ProductHit[], options: ProductListOptions): Html =>
  html`<ul class="quiet shelf">
${products.map((product) => productListItem(t, product, options))}</ul>`

function productListItem(t: Translator, product: ProductHit, { heading, seller }: ProductListOptions): Html {
  const facts = [
    ...(seller ? [html`<span>${authorName(t, product.seller)}</span>`] : []),
    ...(product.price ? [price(t, product.price)] : []),
    ...(product.category ? [html`<bdi>${product.category}</bdi>`] : []),
  ]
  return html`<li>
<div>
<${heading} class="title" dir="auto"><a href="${product.url}">${product.name}</a></${heading}>
${product.summary && html`<p class="standfirst" dir="auto">${product.summary}</p>`}
${facts.length > 0 && html`<p class="meta">${facts.map((fact, at) => (at === 0 ? fact : html`<span class="dot">${fact}</span>`))}</p>`}
</div>
${product.image_url && html`<img src="${product.image_url}" alt="" width="96" height="96" loading="lazy" decoding="async">`}
</li>
`
}

/** "€19.00", "US$1,200.00", "¥1,900", "Free". */
function priceText(t: Translator, { amount, currency }: NonNullable<ProductHit['price']>): string {
  if (Number(amount) === 0) return t('site.shop.free')
  // Some currencies have no minor unit; if a seller gave one anyway, it is shown.
  const parts = amount.endsWith('.00') ? {} : { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return t.number(Number(amount), { style: 'currency', currency, ...parts })
}

/** Isolated like dates, since text of the other direction would reorder the digits. */
export const price = (t: Translator, given: ProductHit['price']): Html | null =>
  given && html`<data class="price" value="${given.amount}" dir="${t.dir}">${priceText(t, given)}</data>`
