import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { deskFollowers, exportFollowers, saveWelcome } from '#features/followers/desk.ts'
import { DeskFollowers, WelcomeBody, WelcomeSaved } from '#features/followers/desk-schema.ts'
import type { FollowContext } from '#features/followers/follow.ts'
import {
  type DeskRoutesContext,
  errorResponses,
  hidden,
  requireRecentSignIn,
  requireSameSite,
  requireSessionOnAll,
  writerOf,
} from './session.ts'

export interface FollowerRoutesContext extends DeskRoutesContext {
  readonly followers: FollowContext
}

/** /desk/api/followers: a writer's own followers. */
export const followerRoutes: FastifyPluginAsyncTypebox<FollowerRoutesContext> = async (app, context) => {
  const { desk, followers } = context
  requireSessionOnAll(app, context)

  app.get('/followers', { schema: { ...hidden, response: { 200: DeskFollowers, ...errorResponses } } }, (request) =>
    deskFollowers(desk, writerOf(request)),
  )

  app.put(
    '/followers/welcome',
    { schema: { ...hidden, body: WelcomeBody, response: { 200: WelcomeSaved, ...errorResponses } } },
    async (request) => ({
      ok: true as const,
      welcome: await saveWelcome(desk, writerOf(request), request.body.text),
    }),
  )

  app.get(
    '/followers.csv',
    { exposeHeadRoute: false, onRequest: requireSameSite, schema: { ...hidden } },
    async (request, reply) => {
      const { csv, unopened } = await exportFollowers(followers, requireRecentSignIn(writerOf(request)))
      if (unopened > 0) request.log.warn({ event: 'followers_unopened', count: unopened })
      const day = new Date().toISOString().slice(0, 10)
      reply.header('content-disposition', `attachment; filename="followers-${day}.csv"`)
      return reply.type('text/csv; charset=utf-8; header=present').send(csv)
    },
  )
}
