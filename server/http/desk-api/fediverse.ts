import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  blockServer,
  type FediverseDeskContext,
  ownFediverse,
  siteFediverse,
  switchOwn,
  switchSite,
  unblockServer,
} from '#features/fediverse/desk.ts'
import {
  BlockServer,
  OneServer,
  OwnFediverse,
  SiteFediverse,
  SwitchFediverse,
} from '#features/fediverse/desk-schema.ts'
import {
  type DeskRoutesContext,
  errorResponses,
  hidden,
  moderatorOf,
  requireSessionOnAll,
  writerOf,
} from './session.ts'

export interface FediverseRoutesContext extends DeskRoutesContext {
  readonly fediverse: FediverseDeskContext
}

/** /desk/api/fediverse: a writer's actor; and, for moderators, that of the site and the servers that are blocked. */
export const fediverseRoutes: FastifyPluginAsyncTypebox<FediverseRoutesContext> = async (app, context) => {
  const { fediverse } = context
  requireSessionOnAll(app, context)
  const own = { ...hidden, response: { 200: OwnFediverse, ...errorResponses } }
  const site = { ...hidden, response: { 200: SiteFediverse, ...errorResponses } }

  app.get('/', { schema: own }, (request) => ownFediverse(fediverse, writerOf(request)))

  app.put('/', { schema: { ...own, body: SwitchFediverse } }, (request) =>
    switchOwn(fediverse, writerOf(request), request.body.is_on),
  )

  app.get('/site', { schema: site }, (request) => siteFediverse(fediverse, moderatorOf(request)))

  app.put('/site', { schema: { ...site, body: SwitchFediverse } }, async (request) => {
    const moderator = moderatorOf(request)
    await switchSite(fediverse, moderator, request.body.is_on)
    return siteFediverse(fediverse, moderator)
  })

  app.put('/servers/:host', { schema: { ...site, params: OneServer, body: BlockServer } }, async (request) => {
    const moderator = moderatorOf(request)
    await blockServer(fediverse, moderator, request.params.host, request.body.reason ?? null)
    return siteFediverse(fediverse, moderator)
  })

  app.delete('/servers/:host', { schema: { ...site, params: OneServer } }, async (request) => {
    const moderator = moderatorOf(request)
    await unblockServer(fediverse, moderator, request.params.host)
    return siteFediverse(fediverse, moderator)
  })
}
