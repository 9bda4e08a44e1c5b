import type { PieceListItem } from '#features/pieces/schema.ts'
import type { ProductHit } from '#features/products/schema.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { type LanguageLabel, languageLabels, withLanguage } from '#http/language-label.ts'
import type { PageFeed } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { inHtml } from '#http/translate.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { typographic } from '#platform/text/typography.ts'
import { authorName, date, dayOfYear, langOf } from './byline.ts'
import { coverLink } from './cover.ts'

const titleLink = ({ url, title, language }: PieceListItem): Html =>
  html`<a href="${url}">${typographic(title, language)}</a>`

interface PieceListOptions {
  /** The first, or all of them, with a large picture above the text. */
  readonly large?: 'first' | 'all'
  readonly heading?: 'h2' | 'h3'
  readonly standfirst?: boolean
  /** In an author's list, grouped by year, the day is enough. */
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

function pieceListItem(
  t: Translator,
  piece: PieceListItem,
  urls: Urls,
  { heading = 'h2', standfirst = false, meta = 'author and date' }: PieceListOptions,
  size: 'small' | 'medium' | 'large',
): Html {
  const lang = langOf(t, piece.language)
  const title = titleLink(piece)
  return html`<li>
<div>
${heading === 'h2' ? html`<h2 class="title" dir="auto"${lang}>${title}</h2>` : html`<h3 class="title" dir="auto"${lang}>${title}</h3>`}
${standfirst && html`<p class="standfirst" dir="auto"${lang}>${typographic(piece.summary, piece.language)}</p>\n`}${metaLine(t, piece, meta)}
</div>
${coverLink(piece, urls, { size, eager: size === 'large' })}
</li>
`
}

export const metaLine = (
  t: Translator,
  piece: PieceListItem,
  meta: PieceListOptions['meta'] = 'author and date',
): Html =>
  meta === 'day'
    ? html`<p class="meta">${dayOfYear(t, piece.date_published)}</p>`
    : html`<p class="meta"><span>${piece.authors.map((author) => authorName(t, author))}</span><span class="dot">${date(t, piece.date_published)}</span></p>`

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

export const feedLinks = (t: Translator, { json, rss }: { json: string; rss: string }): Html =>
  html`<p class="note">${inHtml(t, 'site.list.follow', {
    rss: (label) => html`<a href="${rss}">${label}</a>`,
    json: (label) => html`<a href="${json}">${label}</a>`,
  })}</p>`

/** A feed as a page names it, in the language of the page's list. */
export const feedIn = (t: Translator, feed: PageFeed, language: string | undefined): PageFeed => ({
  title: withLanguage(t, feed.title, language),
  json: inLanguage(feed.json, language),
  rss: inLanguage(feed.rss, language),
})

export const siteFeed = ({ siteInfo, reads: { urls } }: PublicContext): PageFeed => ({
  title: siteInfo.name,
  json: urls.siteFeedJson(),
  rss: urls.siteFeedRss(),
})

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
  const name = html`<a href="${product.url}">${product.name}</a>`
  const facts = [
    ...(seller ? [html`<span>${authorName(t, product.seller)}</span>`] : []),
    ...(product.price ? [price(t, product.price)] : []),
    ...(product.category ? [html`<bdi>${product.category}</bdi>`] : []),
  ]
  return html`<li>
<div>
${heading === 'h2' ? html`<h2 class="title" dir="auto">${name}</h2>` : html`<h3 class="title" dir="auto">${name}</h3>`}
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
