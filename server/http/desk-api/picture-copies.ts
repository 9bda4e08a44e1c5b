import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type CopyContext, copyPicture } from '#features/media/copy.ts'
import { CopyFrom, ForPiece, MediaAdded } from '#features/media/schema.ts'
import { message } from '#messages/message.ts'
import { overloaded } from '#platform/errors.ts'
import { createFairQueue } from '#platform/fair-queue.ts'
import { mayTake, signalOf } from '#platform/http/deadline.ts'
import {
  type DeskRoutesContext,
  errorResponses,
  hidden,
  limitConcurrency,
  requireSessionOnAll,
  writerOf,
} from './session.ts'

/** Milliseconds: up to three redirects, and the picture is read. */
const copyTimeout = 45_000
/** Each holds up to 20 MiB in memory and a connection to another server. */
const copyQueue = () =>
  createFairQueue({
    atOnce: 4,
    atOnceEach: 1,
    waiting: 0,
    waitingEach: 0,
    refuse: () => overloaded(message('error.busy_pictures')),
  })

export interface PictureCopyContext extends DeskRoutesContext, CopyContext {}

/** /desk/api/media/copy: a picture of another server becomes the writer's own. */
export const pictureCopyRoutes: FastifyPluginAsyncTypebox<PictureCopyContext> = async (app, context) => {
  requireSessionOnAll(app, context)
  app.post(
    '/media/copy',
    {
      onRequest: [mayTake(copyTimeout), limitConcurrency(copyQueue())],
      schema: { ...hidden, querystring: ForPiece, body: CopyFrom, response: { 201: MediaAdded, ...errorResponses } },
    },
    async (request, reply) => {
      const { piece } = request.query
      const added = await copyPicture(context, writerOf(request), request.body.url, piece, signalOf(request))
      return reply.code(201).send(added)
    },
  )
}
