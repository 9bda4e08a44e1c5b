import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addComment, commentsOf, deleteComment, settleComment } from '#features/comments/comments.ts'
import { NewComment, OneComment, Settled, Threads } from '#features/comments/schema.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { type DeskRoutesContext, errorResponses, hidden, personOf, requireSessionOnAll } from './session.ts'

/**
 * /desk/api/pieces/{id}/comments: for the piece's writer, for co-authors who agreed, and for moderators while it waits for
 * review. Each answer has all threads that the person sees.
 */
export const commentRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk } = context
  requireSessionOnAll(app, context)
  const response = { 200: Threads, ...errorResponses }

  app.get('/:id/comments', { schema: { ...hidden, params: OnePiece, response } }, (request) =>
    commentsOf(desk, personOf(request), request.params.id),
  )

  app.put(
    '/:id/comments/:comment',
    { schema: { ...hidden, params: OneComment, body: NewComment, response } },
    async (request) => {
      const { id, comment } = request.params
      await addComment(desk, personOf(request), id, comment, request.body)
      return commentsOf(desk, personOf(request), id)
    },
  )

  app.post(
    '/:id/comments/:comment/settle',
    { schema: { ...hidden, params: OneComment, body: Settled, response } },
    async (request) => {
      const { id, comment } = request.params
      await settleComment(desk, personOf(request), id, comment, request.body)
      return commentsOf(desk, personOf(request), id)
    },
  )

  app.delete('/:id/comments/:comment', { schema: { ...hidden, params: OneComment, response } }, async (request) => {
    const { id, comment } = request.params
    await deleteComment(desk, personOf(request), id, comment)
    return commentsOf(desk, personOf(request), id)
  })
}
