import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tagsOfAuthor, tagsOfAuthorLists } from '#features/authors/cache-tags.ts'
import { getAuthor, searchAuthors } from '#features/authors/reads.ts'
import { AuthorFound, AuthorHits, OneAuthor, SearchAuthors } from '#features/authors/schema.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import { described } from '#platform/http/openapi.ts'
import { linkNext } from '#platform/http/paging.ts'
import { failures, type PublicContext } from '#platform/http/public-context.ts'

/** /api/public/authors: open to all, cacheable by all. */
export const authorRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate }) => {
  app.addHook('onSend', cached('publicRead'))

  app.get(
    '/search',
    {
      onRequest: gate('search', 'search'),
      schema: {
        operationId: 'searchAuthors',
        tags: ['Authors'],
        summary: 'Search authors',
        description:
          'Authors whose name, niche, role or bio contains a term. Verified authors come first, then those with more pieces.',
        querystring: SearchAuthors,
        response: { 200: described(AuthorHits, 'Authors, verified first.'), ...failures(400) },
      },
    },
    async (request, reply) => {
      const hits = await searchAuthors(reads, request.query)
      return tagged(reply, linkNext(request, reply, reads.urls, hits), tagsOfAuthorLists)
    },
  )

  app.get(
    '/:slug',
    {
      onRequest: gate('single', 'read'),
      schema: {
        operationId: 'getAuthor',
        tags: ['Authors'],
        summary: 'One author',
        params: OneAuthor,
        response: { 200: described(AuthorFound, 'The author.'), ...failures(404) },
      },
    },
    async (request, reply) => {
      const found = await getAuthor(reads, request.params)
      return tagged(reply, found, tagsOfAuthor(found.author.slug))
    },
  )
}
