import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { PublicContext } from '#platform/http/public-context.ts'
import { readRelease } from '../../../embed/release.ts'
import { badgeRoutes } from './badge-route.ts'
import { oembedRoutes } from './oembed.ts'
import { scriptRoutes } from './script.ts'
import { frameRoutes } from './widget-routes.ts'

/** What other sites show of ours. */
export const embedRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const release = readRelease()
  await app.register(badgeRoutes, context)
  await app.register(scriptRoutes, { ...context, release })
  await app.register(frameRoutes, { ...context, release })
  await app.register(oembedRoutes, context)
}
