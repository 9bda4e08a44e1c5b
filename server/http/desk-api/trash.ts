import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { OnePiece } from '#features/pieces/schema.ts'
import { deleteForGood, emptyTrash, listTrash, restorePiece } from '#features/pieces/trash.ts'
import { TrashList, TrashPage } from '#features/pieces/trash-schema.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { signedIn, writerOf } from './session.ts'

/** /desk/api/trash: what a writer deleted, for 30 days. */
export const trashRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))

  app.get(
    '/',
    { schema: { ...ownPages, querystring: TrashList, response: { 200: TrashPage, ...refusals } } },
    (request) => listTrash(context.desk, writerOf(request), request.query),
  )

  app.delete('/', { schema: ownPages }, async (request, reply) => {
    await emptyTrash(context.desk, writerOf(request))
    return reply.code(204).send()
  })

  app.post('/:id/restore', { schema: { ...ownPages, params: OnePiece } }, async (request, reply) => {
    await restorePiece(context.desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })

  app.delete('/:id', { schema: { ...ownPages, params: OnePiece } }, async (request, reply) => {
    await deleteForGood(context.desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })
}
