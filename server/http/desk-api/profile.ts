import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changeProfile, ownProfile, renameProfile, requestWebsiteCheck } from '#features/profiles/profile.ts'
import { CheckPromised, NewSlug, ProfileChanges, ProfileFound } from '#features/profiles/schema.ts'
import { type DeskRoutesContext, errorResponses, hidden, requireSession, translatorFrom, writerOf } from './session.ts'

/** /desk/api/profile: a writer's profile, address and website check. */
export const profileRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk, gate } = context
  const authenticated = [...gate('desk', 'read'), requireSession(context)]
  // Each check calls an external server.
  const authenticatedStrict = [...gate('desk', 'signIn'), requireSession(context)]
  const response = { 200: ProfileFound, ...errorResponses }

  app.get('/', { onRequest: authenticated, schema: { ...hidden, response } }, (request) =>
    ownProfile(desk, writerOf(request), translatorFrom(request)),
  )

  app.patch('/', { onRequest: authenticated, schema: { ...hidden, body: ProfileChanges, response } }, (request) =>
    changeProfile(desk, writerOf(request), request.body, translatorFrom(request)),
  )

  app.put('/slug', { onRequest: authenticated, schema: { ...hidden, body: NewSlug, response } }, (request) =>
    renameProfile(desk, writerOf(request), request.body.slug, translatorFrom(request)),
  )

  app.post(
    '/website/check',
    { onRequest: authenticatedStrict, schema: { ...hidden, response: { 202: CheckPromised, ...errorResponses } } },
    async (request, reply) => {
      await requestWebsiteCheck(desk, writerOf(request))
      return reply.code(202).send({ ok: true })
    },
  )
}
