import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tagsOfProduct, tagsOfProductLists } from '#features/products/cache-tags.ts'
import { getProduct, searchProducts } from '#features/products/reads.ts'
import { OneProduct, ProductFound, ProductHits, SearchProducts } from '#features/products/schema.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import { described } from '#platform/http/openapi.ts'
import { linkNext } from '#platform/http/paging.ts'
import { failures, type PublicContext } from '#platform/http/public-context.ts'

/** /api/public/products: open to all, cacheable by all. */
export const productRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate }) => {
  app.addHook('onSend', cached('publicRead'))

  app.get(
    '/search',
    {
      onRequest: gate('search', 'search'),
      schema: {
        operationId: 'searchProducts',
        tags: ['Products'],
        summary: 'Search the shop',
        description:
          'Listings that contain a term in name, summary, description or category; all of them, the newest first, without one. Matches in the name come first, then the others; within each the newest first. Buying happens at `payment_url`, never here.',
        querystring: SearchProducts,
        response: { 200: described(ProductHits, 'Listings, best match first.'), ...failures(400) },
      },
    },
    async (request, reply) => {
      const hits = await searchProducts(reads, request.query)
      return tagged(reply, linkNext(request, reply, reads.urls, hits), tagsOfProductLists)
    },
  )

  app.get(
    '/:id',
    {
      onRequest: gate('single', 'read'),
      schema: {
        operationId: 'getProduct',
        tags: ['Products'],
        summary: 'One listing of the shop, whole',
        params: OneProduct,
        response: { 200: described(ProductFound, 'The listing.'), ...failures(404) },
      },
    },
    async (request, reply) => {
      const found = await getProduct(reads, request.params)
      return tagged(reply, found, tagsOfProduct(found.product.id, found.product.seller.slug))
    },
  )
}
