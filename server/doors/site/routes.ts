import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { PublicDoor } from '#platform/http/public-door.ts'
import { assetRoutes } from './assets.ts'
import { authorPages } from './author-page.ts'
import { housePageRoutes } from './house-pages.ts'
import { listPages } from './list-pages.ts'
import { markdownRoutes } from './markdown.ts'
import { moveRoutes } from './moves.ts'
import { piecePages } from './piece-page.ts'
import { searchPages } from './search-page.ts'

/** Pages for people: whole without a script, and cached like every public read. */
export const siteRoutes: FastifyPluginAsyncTypebox<PublicDoor> = async (app, door) => {
  await app.register(assetRoutes)
  await app.register(listPages, door)
  await app.register(piecePages, door)
  await app.register(authorPages, door)
  await app.register(markdownRoutes, door)
  await app.register(searchPages, door)
  await app.register(housePageRoutes, door)
  await app.register(moveRoutes, door)
}
