import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tagsOfAuthorLists } from '#features/authors/cache-tags.ts'
import { tagsOfPieceLists } from '#features/pieces/cache-tags.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import type { PublicDoor } from '#platform/http/public-door.ts'
import { llmsText } from './llms.ts'
import { robotsText, securityText } from './plain.ts'
import { sitemapRoutes } from './sitemap.ts'

/** What machines ask for first. */
export const discoveryRoutes: FastifyPluginAsyncTypebox<PublicDoor> = async (app, door) => {
  await app.register(textRoutes, door)
  await app.register(sitemapRoutes, door)
}

const textRoutes: FastifyPluginAsyncTypebox<PublicDoor> = async (app, { reads, gate, masthead }) => {
  const plain = 'text/plain; charset=utf-8'
  const route = { onRequest: gate('list', 'read'), schema: { hide: true } as object }
  app.addHook('onSend', cached('publicRead'))

  app.get('/llms.txt', route, async (_request, reply) => {
    reply.type(plain)
    return tagged(reply, await llmsText(reads, masthead), [...tagsOfPieceLists, ...tagsOfAuthorLists])
  })

  app.get('/robots.txt', route, async (_request, reply) => {
    reply.type(plain)
    return robotsText(reads.urls)
  })

  app.get('/.well-known/security.txt', route, async (_request, reply) => {
    reply.type(plain)
    return securityText(masthead, reads.urls, new Date())
  })
}
