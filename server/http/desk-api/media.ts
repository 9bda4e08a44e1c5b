import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ForPiece, MediaAdded, OneMedium, PortraitSet } from '#features/media/schema.ts'
import { bytesOf, mediumAtDesk, type ServedMedium } from '#features/media/serve.ts'
import { addPicture, type MediaContext, removePortrait, setPortrait } from '#features/media/uploads.ts'
import { message } from '#messages/message.ts'
import { overloaded, ServiceError } from '#platform/errors.ts'
import { createFairQueue } from '#platform/fair-queue.ts'
import { mayTake, signalOf } from '#platform/http/deadline.ts'
import { mediaBytes, privateHeaders } from '#platform/http/security.ts'
import { largestUpload } from '#platform/images/image-intake.ts'
import type { MediaStore } from '#platform/media/store.ts'
import {
  type DeskRoutesContext,
  errorResponses,
  hidden,
  limitConcurrency,
  personOf,
  rejectApiKey,
  requireSession,
  requireSessionOnAll,
  writerOf,
} from './session.ts'

export interface MediaRoutesContext extends DeskRoutesContext {
  readonly media: MediaContext
  readonly prefix?: string
}

/** Milliseconds, including the wait for other uploads. */
const uploadTimeout = 20_000
/** Uploads of up to 20 MiB held in memory, counted before the first byte is read; limited in all and per person. */
const uploadQueue = () =>
  createFairQueue({
    atOnce: 8,
    atOnceEach: 4,
    waiting: 0,
    waitingEach: 0,
    refuse: () => overloaded(message('error.busy_pictures')),
  })

/** /desk/api/media and /desk/api/profile/avatar: image uploads. The body is the image itself. */
export const uploadRoutes: FastifyPluginAsyncTypebox<MediaRoutesContext> = async (app, context) => {
  const { media } = context
  requireSessionOnAll(app, context)
  parseImages(app)
  const onRequest = [mayTake(uploadTimeout), limitConcurrency(uploadQueue())]

  app.post(
    '/media',
    {
      onRequest,
      bodyLimit: largestUpload,
      schema: { ...hidden, querystring: ForPiece, response: { 201: MediaAdded, ...errorResponses } },
    },
    async (request, reply) => {
      const added = await addPicture(
        media,
        writerOf(request),
        imageBytes(request.body),
        request.query.piece,
        signalOf(request),
      )
      return reply.code(201).send(added)
    },
  )

  app.put(
    '/profile/avatar',
    {
      onRequest,
      bodyLimit: largestUpload,
      schema: { ...hidden, response: { 200: PortraitSet, ...errorResponses } },
    },
    (request) => setPortrait(media, writerOf(request), imageBytes(request.body), signalOf(request)),
  )

  app.delete('/profile/avatar', { schema: hidden }, async (request, reply) => {
    await removePortrait(media, writerOf(request))
    return reply.code(204).send()
  })
}

/** /desk/media/{hash}: a writer's own images before they are public. */
export const ownMediaRoutes: FastifyPluginAsyncTypebox<MediaRoutesContext> = async (app, options) => {
  const context: MediaRoutesContext = { ...options, prefix: '' }
  const { db, store } = context.media
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', rejectApiKey)
  const onRequest = [...context.gate('desk', 'read'), requireSession(context)]

  app.get('/media/:hash', { onRequest, schema: { ...hidden, params: OneMedium } }, async (request, reply) => {
    const { hash } = request.params
    return sendMedium(reply, await mediumAtDesk(db, personOf(request), hash), store, hash)
  })
}

/** Sends an image that must not be cached. */
export async function sendMedium(
  reply: FastifyReply,
  { type, bytes }: ServedMedium,
  store: MediaStore | undefined,
  hash: string,
): Promise<FastifyReply> {
  const stream = await bytesOf(store, hash)
  mediaBytes(reply)
  return reply.type(type).header('content-length', bytes).header('cache-control', 'private, no-store').send(stream)
}

/** Accepts any image type; the actual type is read from the bytes. */
function parseImages(app: FastifyInstance): void {
  app.addContentTypeParser(/^image\//, { parseAs: 'buffer', bodyLimit: largestUpload }, (_request, bytes, done) =>
    done(null, bytes),
  )
}

function imageBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body) && body.length > 0) return body
  throw new ServiceError(
    415,
    'unsupported_media_type',
    'Send the picture itself, as Content-Type: image/jpeg, image/png, image/webp, image/gif, image/avif or image/heic.',
  )
}
