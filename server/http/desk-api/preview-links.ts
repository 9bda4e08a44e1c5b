import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listLinks, makeLink, revokeLink } from '#features/pieces/preview-links.ts'
import { LinkMade, Links, NewLink, OneLink } from '#features/pieces/preview-schema.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { signedIn, writerOf } from './session.ts'

/** /desk/api/pieces/{id}/links: private links to a piece, made, listed and taken back. */
export const linkRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk } = context
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))

  app.post(
    '/:id/links',
    { schema: { ...ownPages, params: OnePiece, body: NewLink, response: { 201: LinkMade, ...refusals } } },
    async (request, reply) => {
      reply.code(201)
      return makeLink(desk, writerOf(request), request.params.id, request.body)
    },
  )

  app.get(
    '/:id/links',
    { schema: { ...ownPages, params: OnePiece, response: { 200: Links, ...refusals } } },
    (request) => listLinks(desk, writerOf(request), request.params.id),
  )

  app.delete('/:id/links/:link', { schema: { ...ownPages, params: OneLink } }, async (request, reply) => {
    await revokeLink(desk, writerOf(request), request.params.id, request.params.link)
    return reply.code(204).send()
  })
}
