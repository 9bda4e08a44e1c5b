import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { addPicture, type MediaContext, removePortrait, setPortrait } from '#features/media/add.ts'
import { ForPiece, MediaAdded, OneMedium, PortraitSet } from '#features/media/schema.ts'
import { bytesOf, mediumAtDesk, type ShownMedium } from '#features/media/serve.ts'
import { overloaded, ServiceError } from '#platform/errors.ts'
import { createFairQueue } from '#platform/fair-queue.ts'
import { mayTake, signalOf } from '#platform/http/deadline.ts'
import { mediaBytes, privateHeaders } from '#platform/http/security.ts'
import { largestUpload } from '#platform/images/image-intake.ts'
import type { MediaStore } from '#platform/media/store.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { oneOfFew, personOf, signedIn, withoutKey, writerOf } from './session.ts'

export interface MediaRoutesContext extends DeskRoutesContext {
  readonly media: MediaContext
  readonly prefix?: string
}

/** Milliseconds for a picture that waits for others before it is read. */
const readingTime = 20_000
/** Of 20 MiB each in memory, counted before the first byte is read; and so many of one person's. */
const uploadQueue = () =>
  createFairQueue({
    atOnce: 8,
    atOnceEach: 4,
    waiting: 0,
    waitingEach: 0,
    refuse: () => overloaded('Many pictures are coming in. Try again in a moment.'),
  })

/** /desk/api/media and /desk/api/profile/avatar: a writer's pictures come in. The body is the picture itself. */
export const uploadRoutes: FastifyPluginAsyncTypebox<MediaRoutesContext> = async (app, context) => {
  const { media } = context
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))
  readPictures(app)
  const onRequest = [mayTake(readingTime), oneOfFew(uploadQueue())]

  app.post(
    '/media',
    {
      onRequest,
      bodyLimit: largestUpload,
      schema: { ...ownPages, querystring: ForPiece, response: { 201: MediaAdded, ...refusals } },
    },
    async (request, reply) => {
      const added = await addPicture(
        media,
        writerOf(request),
        bytesIn(request.body),
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
      schema: { ...ownPages, response: { 200: PortraitSet, ...refusals } },
    },
    (request) => setPortrait(media, writerOf(request), bytesIn(request.body), signalOf(request)),
  )

  app.delete('/profile/avatar', { schema: ownPages }, async (request, reply) => {
    await removePortrait(media, writerOf(request))
    return reply.code(204).send()
  })
}

/** /desk/media/{hash}: their own, before anybody else sees it. */
export const ownMediaRoutes: FastifyPluginAsyncTypebox<MediaRoutesContext> = async (app, options) => {
  const context: MediaRoutesContext = { ...options, prefix: '' }
  const { db, store } = context.media
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', withoutKey)
  const onRequest = [...context.gate('desk', 'read'), signedIn(context)]

  app.get('/media/:hash', { onRequest, schema: { ...ownPages, params: OneMedium } }, async (request, reply) => {
    const { hash } = request.params
    return sendMedium(reply, await mediumAtDesk(db, personOf(request), hash), store, hash)
  })
}

/** Kept by nobody. */
export async function sendMedium(
  reply: FastifyReply,
  { type, bytes }: ShownMedium,
  store: MediaStore | undefined,
  hash: string,
): Promise<FastifyReply> {
  const stream = await bytesOf(store, hash)
  mediaBytes(reply)
  return reply.type(type).header('content-length', bytes).header('cache-control', 'private, no-store').send(stream)
}

/** Whatever says it is a picture is read; what it is, its bytes say. */
function readPictures(app: FastifyInstance): void {
  app.addContentTypeParser(/^image\//, { parseAs: 'buffer', bodyLimit: largestUpload }, (_request, bytes, done) =>
    done(null, bytes),
  )
}

function bytesIn(body: unknown): Buffer {
  if (Buffer.isBuffer(body) && body.length > 0) return body
  throw new ServiceError(
    415,
    'unsupported_media_type',
    'Send the picture itself, as Content-Type: image/jpeg, image/png, image/webp, image/gif or image/avif.',
  )
}
