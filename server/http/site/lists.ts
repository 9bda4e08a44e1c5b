import type { PieceListItem } from '#features/pieces/schema.ts'
import type { ProductHit } from '#features/products/schema.ts'
import type { Urls } from '#features/urls.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Html, html } from '#platform/html.ts'
import { authorName, byline, date, dayOfYear, kicker } from './byline.ts'

/** A large item with its standfirst. */
export const lead = (piece: PieceListItem, urls: Urls): Html =>
  html`<article class="lead">
${kicker(piece.category, urls)}
<h2 class="title" dir="auto"><a href="${piece.url}">${piece.title}</a></h2>
<p class="standfirst" dir="auto">${piece.summary}</p>
${byline(piece)}
</article>
`

interface PieceListOptions {
  readonly heading?: 'h2' | 'h3'
  readonly standfirst?: boolean
  /** In an author's list, grouped by year, the day is enough. */
  readonly meta?: 'author and date' | 'day'
}

export const pieceList = (pieces: readonly PieceListItem[], options: PieceListOptions = {}): Html =>
  html`<ol class="quiet">
${pieces.map((piece) => pieceListItem(piece, options))}</ol>`

function pieceListItem(
  piece: PieceListItem,
  { heading = 'h2', standfirst = false, meta = 'author and date' }: PieceListOptions,
): Html {
  const title = html`<a href="${piece.url}">${piece.title}</a>`
  return html`<li>
${heading === 'h2' ? html`<h2 class="title" dir="auto">${title}</h2>` : html`<h3 class="title" dir="auto">${title}</h3>`}
${standfirst && html`<p class="standfirst" dir="auto">${piece.summary}</p>\n`}${metaLine(piece, meta)}
</li>
`
}

export const metaLine = (piece: PieceListItem, meta: PieceListOptions['meta'] = 'author and date'): Html =>
  meta === 'day'
    ? html`<p class="meta" lang="en">${dayOfYear(piece.date_published)}</p>`
    : html`<p class="meta" lang="en">${piece.authors.map(authorName)}<span class="dot">${date(piece.date_published)}</span></p>`

/** A link to the next page; null on the last. */
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

interface ProductListOptions {
  readonly heading: 'h2' | 'h3'
  /** Not needed on the seller's own page. */
  readonly seller: boolean
}

/** A list of shop listings. */
export const productList = (products: readonly ProductHit[], options: ProductListOptions): Html =>
  html`<ul class="quiet shelf">
${products.map((product) => productListItem(product, options))}</ul>`

function productListItem(product: ProductHit, { heading, seller }: ProductListOptions): Html {
  const name = html`<a href="${product.url}">${product.name}</a>`
  const facts = [
    ...(seller ? [html`${authorName(product.seller)}`] : []),
    ...(product.price ? [price(product.price)] : []),
    ...(product.category ? [html`<bdi>${product.category}</bdi>`] : []),
  ]
  return html`<li>
<div>
${heading === 'h2' ? html`<h2 class="title" dir="auto">${name}</h2>` : html`<h3 class="title" dir="auto">${name}</h3>`}
${product.summary && html`<p class="standfirst" dir="auto">${product.summary}</p>`}
${facts.length > 0 && html`<p class="meta" lang="en">${facts.map((fact, at) => (at === 0 ? fact : html`<span class="dot">${fact}</span>`))}</p>`}
</div>
${product.image_url && html`<img src="${product.image_url}" alt="" width="96" height="96" loading="lazy" decoding="async">`}
</li>
`
}

/** "€19.00", "US$1,200.00", "¥1,900", "Free": one format for all readers, since pages are cached. */
function priceWords({ amount, currency }: NonNullable<ProductHit['price']>): string {
  if (Number(amount) === 0) return 'Free'
  // Some currencies have no minor unit; if a seller gave one anyway, it is shown.
  const hasParts = !amount.endsWith('.00')
  const format = formatOf(currency, hasParts)
  return format.format(Number(amount))
}

const formats = new Map<string, Intl.NumberFormat>()

/** There are about 300 currencies, and creating a format takes longer than using it. */
function formatOf(currency: string, hasParts: boolean): Intl.NumberFormat {
  const key = `${currency} ${hasParts}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    ...(hasParts ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : {}),
  })
  formats.set(key, made)
  return made
}

/** Isolated like dates, since right-to-left text would reorder the digits. */
export const price = (given: ProductHit['price']): Html | null =>
  given && html`<data class="price" value="${given.amount}" dir="ltr">${priceWords(given)}</data>`
