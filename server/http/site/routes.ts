import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { assetRoutes } from './assets.ts'
import { authorPages } from './author-page.ts'
import { listPages } from './list-pages.ts'
import { markdownRoutes } from './markdown.ts'
import { piecePages } from './piece-page.ts'
import { type CountingDoor, pixelRoutes } from './pixel.ts'
import { productPages } from './product-page.ts'
import { receiptPages } from './receipt-page.ts'
import { moveRoutes } from './redirects.ts'
import { searchPages } from './search-page.ts'
import { shopPages } from './shop-page.ts'
import { sitePageRoutes } from './static-pages.ts'
import { type TrustDoor, trustPages } from './trust-page.ts'

/** Pages for people: whole without a script, and cached like every public read. */
export const siteRoutes: FastifyPluginAsyncTypebox<CountingDoor & TrustDoor> = async (app, door) => {
  await app.register(assetRoutes)
  await app.register(listPages, door)
  await app.register(piecePages, door)
  await app.register(pixelRoutes, door)
  await app.register(authorPages, door)
  await app.register(markdownRoutes, door)
  await app.register(searchPages, door)
  await app.register(shopPages, door)
  await app.register(productPages, door)
  await app.register(receiptPages, door)
  await app.register(trustPages, door)
  await app.register(sitePageRoutes, door)
  await app.register(moveRoutes, door)
}
