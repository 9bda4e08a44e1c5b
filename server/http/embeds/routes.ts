import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { PublicDoor } from '#platform/http/public-context.ts'
import { readRelease } from '../../../embed/release.ts'
import { badgeRoutes } from './badge-route.ts'
import { oembedRoutes } from './oembed.ts'
import { scriptRoutes } from './script.ts'
import { frameRoutes } from './widget-routes.ts'

/** What other sites show of ours. */
export const embedRoutes: FastifyPluginAsyncTypebox<PublicDoor> = async (app, door) => {
  const release = readRelease()
  await app.register(badgeRoutes, door)
  await app.register(scriptRoutes, { ...door, release })
  await app.register(frameRoutes, { ...door, release })
  await app.register(oembedRoutes, door)
}
