import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfProductLists } from '#features/products/cache-tags.ts'
import { searchProducts } from '#features/products/reads.ts'
import type { ProductHits } from '#features/products/schema.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import type { PageHead } from '#platform/page/layout.ts'
import { searchField } from '#platform/page/search-field.ts'
import type { Urls } from '#platform/urls.ts'
import { breadcrumbs } from './json-ld.ts'
import { older } from './lists.ts'
import { page } from './page.ts'
import { shelf } from './product-list.ts'

const perPage = 20
const longestTerm = 200

/** Measured here and not by the schema, as at /search: an empty field asks for the newest. */
const querystring = Type.Object({
  q: Type.Optional(Type.String({ 'x-line': true })),
  seller: Type.Optional(Type.String({ maxLength: 100 })),
  cursor,
})

/** `/shop`: what writers sell, the newest first, or what has a word. */
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
    return tagged(reply, page(reply, context, head, shopMain(found, asked, urls)), tagsOfProductLists)
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
${found.count > 0 && shelf(found.results, { heading: 'h2', seller: true })}
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
