import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { getPiece } from '#features/pieces/reads.ts'
import type { PublicContext } from '#http/public-context.ts'
import { cached } from '#platform/http/caching.ts'

const params = Type.Object({ id: Type.String() })

/** Redirects from a piece's permanent id, and from addresses with a trailing slash. */
export const redirectRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate }) => {
  const schema = { hide: true, params } as { params: typeof params }
  const onRequest = gate('single', 'read')
  app.addHook('onSend', cached('publicRead'))

  app.get('/p/:id', { onRequest, schema }, async (request, reply) => {
    const { piece } = await getPiece(reads, request.params)
    return reply.redirect(piece.url, 301)
  })

  const slashed = { onRequest, schema: { hide: true } as object }
  for (const path of [
    '/author/:author/',
    '/author/:author/:piece/',
    '/category/:category/',
    '/topic/:topic/',
    '/topics/',
    '/writers/',
    '/trending/',
    '/archive/',
    '/archive/:year/:month/',
    '/search/',
    '/shop/',
    '/shop/:slug/',
    '/p/:id/',
    '/p/:id/receipt/',
    '/trust/',
  ]) {
    app.get(path, slashed, async (request, reply) => {
      const { pathname, search } = new URL(request.url, reads.urls.base)
      return reply.redirect(reads.urls.base + pathname.replace(/\/+$/, '') + search, 301)
    })
  }
}
