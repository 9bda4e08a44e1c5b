import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ImportAgreed, ImportPreview, OneImport } from '#features/followers/desk-schema.ts'
import { agreeToImport, uploadFollowers } from '#features/followers/imports.ts'
import { message } from '#messages/message.ts'
import { overloaded, ServiceError } from '#platform/errors.ts'
import { createFairQueue } from '#platform/fair-queue.ts'
import { network } from '#platform/http/limits.ts'
import type { FollowerRoutesContext } from './followers.ts'
import {
  errorResponses,
  hidden,
  limitConcurrency,
  requireRecentSignIn,
  requireSessionOnAll,
  translatorFrom,
  writerOf,
} from './session.ts'

/** Bytes: 10,000 rows of an export with many columns. */
const largestFile = 8 * 2 ** 20

/** Files held in memory. */
const uploadQueue = () =>
  createFairQueue({
    atOnce: 4,
    atOnceEach: 1,
    waiting: 0,
    waitingEach: 0,
    refuse: () => overloaded(message('error.busy_files')),
  })

/** /desk/api/followers/imports: followers from elsewhere. The body of an upload is the file itself. */
export const followerImportRoutes: FastifyPluginAsyncTypebox<FollowerRoutesContext> = async (app, context) => {
  const { followers } = context
  requireSessionOnAll(app, context)
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post(
    '/followers/imports',
    {
      onRequest: limitConcurrency(uploadQueue()),
      bodyLimit: largestFile,
      schema: { ...hidden, response: { 201: ImportPreview, ...errorResponses } },
    },
    async (request, reply) => {
      const writer = requireRecentSignIn(writerOf(request))
      if (!Buffer.isBuffer(request.body)) {
        throw new ServiceError(415, 'unsupported_media_type', message('error.follower_import.no_addresses'))
      }
      return reply.code(201).send(await uploadFollowers(followers, writer, request.body, translatorFrom(request)))
    },
  )

  app.post(
    '/followers/imports/:id/agree',
    { schema: { ...hidden, params: OneImport, response: { 200: ImportAgreed, ...errorResponses } } },
    async (request) => ({
      ok: true as const,
      imports: await agreeToImport(
        followers,
        requireRecentSignIn(writerOf(request)),
        request.params.id,
        network(request.ip ?? ''),
      ),
    }),
  )
}
