import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { PublicDoor } from '#platform/http/public-door.ts'
import { readRelease } from '../../../embed/release.ts'
import { frameRoutes } from './frames.ts'
import { oembedRoutes } from './oembed.ts'
import { badgeRoutes } from './picture.ts'
import { scriptRoutes } from './script.ts'

/** What other sites show of ours. */
export const embedRoutes: FastifyPluginAsyncTypebox<PublicDoor> = async (app, door) => {
  const release = readRelease()
  await app.register(badgeRoutes, door)
  await app.register(scriptRoutes, { ...door, release })
  await app.register(frameRoutes, { ...door, release })
  await app.register(oembedRoutes, door)
}
