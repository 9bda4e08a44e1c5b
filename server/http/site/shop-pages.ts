import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfProduct, tagsOfProductLists } from '#features/cache-tags.ts'
import { type ProductImage, type ProductOnPage, productOnPage, searchProducts } from '#features/products/reads.ts'
import type { Product, ProductHits } from '#features/products/schema.ts'
import type { Urls } from '#features/urls.ts'
import { type PageHead, searchField } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
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
  const t = translatorOf(siteInfo.language)
  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/shop', { onRequest: gate('search', 'search'), schema }, async (request, reply) => {
    const { q: given = '', seller, cursor } = request.query
    const q = [...given].slice(0, longestTerm).join('')
    const asked = { ...(q ? { q } : {}), ...(seller ? { seller } : {}), ...(cursor ? { cursor } : {}) }
    const found = await searchProducts(reads, { ...asked, limit: perPage })
    const isFront = Object.keys(asked).length === 0
    const head: PageHead = {
      title: q ? t('site.shop.title_of', { query: q }) : t('site.shop.title'),
      description: t('site.shop.description', { site: siteInfo.name }),
      canonical: isFront ? urls.shop() : undefined,
      robots: isFront ? undefined : 'noindex, follow',
      jsonLd: isFront ? [breadcrumbs([siteInfo.name, urls.home()], [t('site.shop.title'), urls.shop()])] : undefined,
    }
    return withCacheTags(reply, page(reply, context, head, shopMain(t, found, asked, urls)), tagsOfProductLists)
  })
}

interface Asked {
  readonly q?: string
  readonly seller?: string
  readonly cursor?: string
}

function shopMain(t: Translator, found: ProductHits, { q, seller, cursor }: Asked, urls: Urls): Html {
  const address = new URL(urls.shop(q))
  if (seller) address.searchParams.set('seller', seller)
  return html`<div class="column">
<h1 class="title">${t('site.shop.title')}</h1>
${searchField(t, urls, q, { action: urls.shop(), label: t('site.shop.field') })}
${note(t, found, { ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) })}
${found.count > 0 && productList(t, found.results, { heading: 'h2', seller: true })}
${older(address.href, found.next_cursor, t('site.shop.more'))}
</div>`
}

function note(t: Translator, { count }: ProductHits, { q, cursor }: Asked): Html {
  if (q !== undefined && (count > 0 || cursor === undefined)) {
    const id = count > 0 ? 'site.shop.results' : 'site.shop.no_results'
    return html`<p class="note" role="status">${inHtml(t, id, { query: html`<bdi>${q}</bdi>` })}</p>`
  }
  return html`<p class="note">${t(count > 0 ? 'site.shop.intro' : cursor ? 'site.shop.no_more' : 'site.shop.empty')}</p>`
}

const params = Type.Object({ slug: Type.String() })

/** `/shop/{slug}`, as HTML and as Markdown: one listing. */
export const productPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
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
      return withCacheTags(reply, markdownHeaders(reply, productMarkdown(t, product), product.url), tags)
    return withCacheTags(
      reply,
      page(reply, context, headOf(t, found, siteInfo.name, urls), productMain(t, found, urls)),
      tags,
    )
  })

  app.get('/shop/:slug.md', { onRequest, schema }, async (request, reply) => {
    const found = await productOnPage(reads, request.params.slug)
    if (!found) throw failure(404)
    const { product } = found
    const tags = tagsOfProduct(product.id, product.seller.slug)
    return withCacheTags(reply, markdownHeaders(reply, productMarkdown(t, product), product.url), tags)
  })
}

const headOf = (t: Translator, { product, image }: ProductOnPage, site: string, urls: Urls): PageHead => ({
  title: product.name,
  description: shortened(
    product.summary ?? product.description ?? t('site.shop.sold_by_name', { name: product.seller.name }),
    200,
  ),
  dir: directionOf('und', `${product.name} ${product.summary ?? ''} ${product.description ?? ''}`),
  canonical: product.url,
  markdown: urls.productMarkdown(product.slug),
  picture: image ?? undefined,
  jsonLd: [
    productData(product),
    breadcrumbs([site, urls.home()], [t('site.shop.title'), urls.shop()], [product.name, product.url]),
  ],
})

const productMain = (t: Translator, { product, image }: ProductOnPage, urls: Urls): Html =>
  html`<article class="listing column">
<header class="piece-head">
<p class="kicker"><a href="${urls.shop()}">${t('site.shop.title')}</a>${product.category && html`<span class="dot"><bdi>${product.category}</bdi></span>`}</p>
<h1 class="title" dir="auto">${product.name}</h1>
${product.summary && html`<p class="standfirst" dir="auto">${product.summary}</p>`}
<p class="byline"><span dir="${t.dir}">${inHtml(t, 'site.shop.sold_by', { seller: authorName(t, product.seller) })}</span></p>
</header>
${image && picture(image)}
${offer(t, product)}
${product.description && html`<div class="prose">\n${paragraphs(product.description)}</div>`}
${related(t, product)}
${report(t, product, urls)}
</article>`

const picture = ({ url, alt, width, height }: ProductImage): Html =>
  html`<p class="picture"><img src="${url}" alt="${alt}" width="${width}" height="${height}" decoding="async"></p>`

/** The link leads to the seller's own page, where money changes hands, and says so. */
function offer(t: Translator, product: Product): Html | null {
  const address = safeUrl(product.payment_url)
  if (address === undefined) return null
  const host = html`<bdi>${hostOf(address)}</bdi>`
  return html`<div class="offer">
${price(t, product.price)}
<a class="button" dir="${t.dir}" href="${address}" rel="nofollow ugc noopener">${inHtml(t, 'site.shop.buy', { host })}</a>
<p class="note"><span dir="${t.dir}">${inHtml(t, 'site.shop.pay', { host, seller: html`<bdi>${product.seller.name}</bdi>` })}</span></p>
</div>`
}

const paragraphs = (text: string): Html[] =>
  text
    .split(/\n\n+/)
    .map(
      (paragraph) =>
        html`<p dir="auto">${paragraph.split('\n').map((line, at) => html`${at > 0 && html`<br>`}${line}`)}</p>\n`,
    )

const report = (t: Translator, { id }: Product, urls: Urls): Html =>
  html`<p class="note"><a href="${urls.page(`desk/report/listing/${id}`)}" rel="nofollow">${t('site.shop.report')}</a></p>`

const related = (t: Translator, { related_pieces: pieces }: Product): Html | null =>
  pieces.length === 0
    ? null
    : html`<section class="piece-foot" aria-labelledby="related">
<h2 class="label" id="related">${t('site.shop.related')}</h2>
<ul class="quiet">
${pieces.map(({ url, title }) => html`<li><h3 class="title" dir="auto"><a href="${url}">${title}</a></h3></li>\n`)}</ul>
</section>`
