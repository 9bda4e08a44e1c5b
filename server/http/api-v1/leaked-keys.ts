import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { reportLeakedKeys } from '#features/keys/manage.ts'
import { LeakedKeys } from '#features/keys/schema.ts'
import { described, refusals } from '#platform/common-schemas.ts'
import { privateHeaders } from '#platform/http/security.ts'
import type { ApiContext } from './context.ts'

/** /api/v1/leaked-keys, for secret scanners. Needs no key besides those it revokes. */
export const leakedKeyRoutes: FastifyPluginAsyncTypebox<Pick<ApiContext, 'writes' | 'gate'>> = async (
  app,
  { writes, gate },
) => {
  app.addHook('onRequest', privateHeaders)

  app.post(
    '',
    {
      onRequest: [...gate],
      schema: {
        tags: ['Drafts'],
        operationId: 'reportLeakedKeys',
        summary: 'Report leaked keys',
        description:
          'For secret scanners, in the form of the GitHub secret scanning partner programme. Every key in the list that is one of ours is revoked at once, and its writer is emailed. The answer is the same for keys we know and for those we do not. No signature is asked for: who has a key can already use it.',
        body: LeakedKeys,
        response: {
          200: described(Type.Object({ ok: Type.Literal(true) }), 'The list was read.'),
          ...refusals({
            400: 'The list is no JSON array of 1 to 100 objects with a `token`.',
            413: 'The body is larger than 65,536 bytes.',
            415: 'The body is not JSON in UTF-8, or it is compressed.',
            429: 'Too many requests; `Retry-After` says when to come back.',
            503: 'The service is busy; `Retry-After` says when to come back.',
            '4xx': 'The request cannot be read, or is too long.',
          }),
        },
      },
    },
    async (request) => {
      await reportLeakedKeys(writes, request.body)
      return { ok: true as const }
    },
  )
}
