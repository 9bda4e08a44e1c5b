import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { askWebsiteCheck, changeProfile, ownProfile, renameProfile } from '#features/profiles/profile.ts'
import { CheckPromised, NewSlug, ProfileChanges, ProfileFound } from '#features/profiles/schema.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { signedIn, writerOf } from './session.ts'

/** /desk/api/profile: who a writer says they are, where, and whose website it is. */
export const profileRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk, gate } = context
  const inside = [...gate('desk', 'read'), signedIn(context)]
  // Each check calls a stranger's server.
  const calling = [...gate('desk', 'signIn'), signedIn(context)]
  const response = { 200: ProfileFound, ...refusals }

  app.get('/', { onRequest: inside, schema: { ...ownPages, response } }, (request) =>
    ownProfile(desk, writerOf(request)),
  )

  app.patch('/', { onRequest: inside, schema: { ...ownPages, body: ProfileChanges, response } }, (request) =>
    changeProfile(desk, writerOf(request), request.body),
  )

  app.put('/slug', { onRequest: inside, schema: { ...ownPages, body: NewSlug, response } }, (request) =>
    renameProfile(desk, writerOf(request), request.body.slug),
  )

  app.post(
    '/website/check',
    { onRequest: calling, schema: { ...ownPages, response: { 202: CheckPromised, ...refusals } } },
    async (request, reply) => {
      await askWebsiteCheck(desk, writerOf(request))
      return reply.code(202).send({ ok: true, detail: 'We are looking at your website now. It takes a few seconds.' })
    },
  )
}
