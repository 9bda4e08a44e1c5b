import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfPieceLists } from '#features/pieces/cache-tags.ts'
import { tagsOfProductLists } from '#features/products/cache-tags.ts'
import { cursor } from '#platform/common-schemas.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import { llmsText } from './llms.ts'
import type { WriteCatalogue } from './llms-products.ts'
import { robotsText, securityText } from './robots-security-txt.ts'
import { sitemapRoutes } from './sitemap.ts'

const querystring = Type.Object({ cursor })

export interface DiscoveryRoutesContext extends PublicContext {
  readonly writeCatalogue: WriteCatalogue
}

/** What machines ask for first. */
export const discoveryRoutes: FastifyPluginAsyncTypebox<DiscoveryRoutesContext> = async (app, context) => {
  await app.register(textRoutes, context)
  await app.register(sitemapRoutes, context)
}

const textRoutes: FastifyPluginAsyncTypebox<DiscoveryRoutesContext> = async (
  app,
  { reads, gate, siteInfo, writeCatalogue },
) => {
  const plain = 'text/plain; charset=utf-8'
  const route = { onRequest: gate('list', 'read'), schema: { hide: true } as object }
  app.addHook('onSend', cached('publicRead'))

  app.get('/llms.txt', route, async (_request, reply) => {
    reply.type(plain)
    return tagged(reply, await llmsText(reads, siteInfo), [...tagsOfPieceLists, ...tagsOfProductLists])
  })

  const paged = { ...route, schema: { hide: true, querystring } as { querystring: typeof querystring } }
  app.get('/llms-products.txt', paged, async (request, reply) => {
    const text = await writeCatalogue(request.query.cursor)
    reply.type(plain)
    return tagged(reply, text, [...tagsOfProductLists, ...tagsOfPieceLists])
  })

  app.get('/robots.txt', route, async (_request, reply) => {
    reply.type(plain)
    return robotsText(reads.urls)
  })

  app.get('/.well-known/security.txt', route, async (_request, reply) => {
    reply.type(plain)
    return securityText(siteInfo, reads.urls, new Date())
  })
}
