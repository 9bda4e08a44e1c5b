import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfProduct, tagsOfProductLists } from '#features/cache-tags.ts'
import { type ProductImage, type ProductOnPage, productOnPage, searchProducts } from '#features/products/reads.ts'
import type { Product, ProductHits } from '#features/products/schema.ts'
import type { Urls } from '#features/urls.ts'
import { type PageHead, searchField } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { cursor } from '#platform/common-schemas.ts'
import { notFound } from '#platform/errors.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { directionOf } from '#platform/text/language.ts'
import { shortened } from '#platform/text/normalise.ts'
import { authorName, hostOf, safeUrl } from './byline.ts'
import { breadcrumbs, productData } from './json-ld.ts'
import { older, price, productList } from './lists.ts'
import { markdownHeaders, productMarkdown } from './markdown.ts'
import { isForMarkdown, page } from './page.ts'

const perPage = 20
const longestTerm = 200

/** Length is checked here, not by the schema: an empty field lists the newest. */
const querystring = Type.Object({
  q: Type.Optional(Type.String({ 'x-line': true })),
  seller: Type.Optional(Type.String({ maxLength: 100 })),
  cursor,
})

/** `/shop`: the newest listings, or those that match a term. */
export const shopPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/shop', { onRequest: gate('search', 'search'), schema }, async (request, reply) => {
    const { q: given = '', seller, cursor } = request.query
    const q = [...given].slice(0, longestTerm).join('')
    const asked = { ...(q ? { q } : {}), ...(seller ? { seller } : {}), ...(cursor ? { cursor } : {}) }
    const found = await searchProducts(reads, { ...asked, limit: perPage })
    const isFront = Object.keys(asked).length === 0
    const head: PageHead = {
      title: q ? `Shop: ${q}` : 'Shop',
      description: `What writers of ${siteInfo.name} sell: their books, courses and things. Buying happens at their own pages.`,
      canonical: isFront ? urls.shop() : undefined,
      robots: isFront ? undefined : 'noindex, follow',
      jsonLd: isFront ? [breadcrumbs([siteInfo.name, urls.home()], ['Shop', urls.shop()])] : undefined,
    }
    return withCacheTags(reply, page(reply, context, head, shopMain(found, asked, urls)), tagsOfProductLists)
  })
}

interface Asked {
  readonly q?: string
  readonly seller?: string
  readonly cursor?: string
}

function shopMain(found: ProductHits, { q, seller, cursor }: Asked, urls: Urls): Html {
  const address = new URL(urls.shop(q))
  if (seller) address.searchParams.set('seller', seller)
  return html`<div class="column">
<h1 class="title">Shop</h1>
${searchField(urls, q, { action: urls.shop(), label: 'Search the shop for' })}
${note(found, { ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) })}
${found.count > 0 && productList(found.results, { heading: 'h2', seller: true })}
${older(address.href, found.next_cursor, 'More listings')}
</div>`
}

function note({ count, next_cursor }: ProductHits, { q, cursor }: Asked): Html {
  if (q === undefined) {
    return count > 0
      ? html`<p class="note">Made and sold by the people who write here. You buy at their own pages.</p>`
      : html`<p class="note">${cursor ? 'There is no more.' : 'Nothing is for sale here yet. What writers list will stand here.'}</p>`
  }
  const term = html`“<bdi>${q}</bdi>”`
  const words =
    count === 0
      ? html`Nothing in the shop has ${term}. Try a shorter word, or another spelling.`
      : next_cursor !== null || cursor
        ? html`Listings with ${term}, ${count} of them on this page.`
        : count === 1
          ? html`One listing has ${term}.`
          : html`${count} listings have ${term}.`
  return html`<p class="note" role="status">${words}</p>`
}

const params = Type.Object({ slug: Type.String() })

/** `/shop/{slug}`, as HTML and as Markdown: one listing. */
export const productPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const onRequest = gate('single', 'read')
  const schema = { hide: true, params } as { params: typeof params }
  app.addHook('onSend', cached('publicRead'))

  app.get('/shop/:slug', { onRequest, schema }, async (request, reply) => {
    const slug = request.params.slug.toLowerCase()
    const found = await productOnPage(reads, slug)
    if (!found) throw failure(404)
    const { product } = found
    if (product.slug !== request.params.slug) return reply.redirect(product.url, 301)
    const tags = tagsOfProduct(product.id, product.seller.slug)
    if (isForMarkdown(request, reply))
      return withCacheTags(reply, markdownHeaders(reply, productMarkdown(product), product.url), tags)
    return withCacheTags(
      reply,
      page(reply, context, headOf(found, siteInfo.name, urls), productMain(found, urls)),
      tags,
    )
  })

  app.get('/shop/:slug.md', { onRequest, schema }, async (request, reply) => {
    const found = await productOnPage(reads, request.params.slug)
    if (!found) throw notFound('No listing of the shop has this address.')
    const { product } = found
    const tags = tagsOfProduct(product.id, product.seller.slug)
    return withCacheTags(reply, markdownHeaders(reply, productMarkdown(product), product.url), tags)
  })
}

const headOf = ({ product, image }: ProductOnPage, site: string, urls: Urls): PageHead => ({
  title: product.name,
  description: shortened(product.summary ?? product.description ?? `Sold by ${product.seller.name}.`, 200),
  dir: directionOf('und', `${product.name} ${product.summary ?? ''} ${product.description ?? ''}`),
  canonical: product.url,
  markdown: urls.productMarkdown(product.slug),
  picture: image ?? undefined,
  jsonLd: [productData(product), breadcrumbs([site, urls.home()], ['Shop', urls.shop()], [product.name, product.url])],
})

const productMain = ({ product, image }: ProductOnPage, urls: Urls): Html =>
  html`<article class="listing column">
<header class="piece-head">
<p class="kicker" lang="en"><a href="${urls.shop()}">Shop</a>${product.category && html`<span class="dot"><bdi>${product.category}</bdi></span>`}</p>
<h1 class="title" dir="auto">${product.name}</h1>
${product.summary && html`<p class="standfirst" dir="auto">${product.summary}</p>`}
<p class="byline" lang="en"><span dir="ltr">Sold by ${authorName(product.seller)}</span></p>
</header>
${image && picture(image)}
${offer(product)}
${product.description && html`<div class="prose">\n${paragraphs(product.description)}</div>`}
${related(product)}
${report(product, urls)}
</article>`

const picture = ({ url, alt, width, height }: ProductImage): Html =>
  html`<p class="picture"><img src="${url}" alt="${alt}" width="${width}" height="${height}" decoding="async"></p>`

/** The link leads to the seller's own page, where money changes hands, and says so. */
function offer(product: Product): Html | null {
  const address = safeUrl(product.payment_url)
  if (address === undefined) return null
  const host = hostOf(address)
  return html`<div class="offer" lang="en">
${price(product.price)}
<a class="button" dir="ltr" href="${address}" rel="nofollow ugc noopener">Buy at ${host}</a>
<p class="note"><span dir="ltr">You pay <bdi>${product.seller.name}</bdi> at ${host}, a page of theirs.</span></p>
</div>`
}

const paragraphs = (text: string): Html[] =>
  text
    .split(/\n\n+/)
    .map(
      (paragraph) =>
        html`<p dir="auto">${paragraph.split('\n').map((line, at) => html`${at > 0 && html`<br>`}${line}`)}</p>\n`,
    )

const report = ({ id }: Product, urls: Urls): Html =>
  html`<p class="note" lang="en"><a href="${urls.page(`desk/report/listing/${id}`)}" rel="nofollow">Report this listing</a></p>`

const related = ({ related_pieces: pieces }: Product): Html | null =>
  pieces.length === 0
    ? null
    : html`<section class="piece-foot" lang="en" aria-labelledby="related">
<h2 class="label" id="related">Related writing</h2>
<ul class="quiet">
${pieces.map(({ url, title }) => html`<li><h3 class="title" dir="auto"><a href="${url}">${title}</a></h3></li>\n`)}</ul>
</section>`
