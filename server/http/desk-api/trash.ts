import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { OnePiece } from '#features/pieces/schema.ts'
import { deleteForGood, emptyTrash, listTrash, restorePiece } from '#features/pieces/trash.ts'
import { TrashList, TrashPage } from '#features/pieces/trash-schema.ts'
import { type DeskDoor, ownPages, refusals } from './context.ts'
import { signedIn, writerOf } from './session.ts'

/** /desk/api/trash: what a writer deleted, for 30 days. */
export const trashRoutes: FastifyPluginAsyncTypebox<DeskDoor> = async (app, door) => {
  for (const hook of door.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(door))

  app.get(
    '/',
    { schema: { ...ownPages, querystring: TrashList, response: { 200: TrashPage, ...refusals } } },
    (request) => listTrash(door.desk, writerOf(request), request.query),
  )

  app.delete('/', { schema: ownPages }, async (request, reply) => {
    await emptyTrash(door.desk, writerOf(request))
    return reply.code(204).send()
  })

  app.post('/:id/restore', { schema: { ...ownPages, params: OnePiece } }, async (request, reply) => {
    await restorePiece(door.desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })

  app.delete('/:id', { schema: { ...ownPages, params: OnePiece } }, async (request, reply) => {
    await deleteForGood(door.desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })
}
