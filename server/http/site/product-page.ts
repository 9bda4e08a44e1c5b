import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfProduct } from '#features/products/cache-tags.ts'
import { type ProductImage, type ProductOnPage, productOnPage } from '#features/products/public-lists.ts'
import type { Product } from '#features/products/schema.ts'
import { notFound } from '#platform/errors.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import { directionOf } from '#platform/page/direction.ts'
import type { PageHead } from '#platform/page/layout.ts'
import { shortened } from '#platform/text/shorten.ts'
import type { Urls } from '#platform/urls.ts'
import { authorName } from './byline.ts'
import { hostOf, outside } from './external-link.ts'
import { breadcrumbs, productData } from './json-ld.ts'
import { asTwin } from './markdown-response.ts'
import { isForMarkdown, page } from './page.ts'
import { price } from './prices.ts'
import { productMarkdown } from './product-markdown.ts'

const params = Type.Object({ slug: Type.String() })

/** `/shop/{slug}` and its twin in Markdown: one listing, and where to buy it. */
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
    if (slug !== request.params.slug) return reply.redirect(product.url, 301)
    const tags = tagsOfProduct(product.id, product.seller.slug)
    if (isForMarkdown(request, reply)) return tagged(reply, asTwin(reply, productMarkdown(product), product.url), tags)
    return tagged(reply, page(reply, context, headOf(found, siteInfo.name, urls), productMain(found, urls)), tags)
  })

  app.get('/shop/:slug.md', { onRequest, schema }, async (request, reply) => {
    const found = await productOnPage(reads, request.params.slug)
    if (!found) throw notFound('No listing of the shop has this address.')
    const { product } = found
    const tags = tagsOfProduct(product.id, product.seller.slug)
    return tagged(reply, asTwin(reply, productMarkdown(product), product.url), tags)
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

/** The link leads to a stranger's page, where money changes hands: it says so before. */
function offer(product: Product): Html | null {
  const address = outside(product.payment_url)
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
