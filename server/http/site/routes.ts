import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { assetRoutes } from './assets.ts'
import { authorPages } from './author-page.ts'
import { listPages } from './list-pages.ts'
import { markdownRoutes } from './markdown.ts'
import { piecePages } from './piece-page.ts'
import { type CountingRoutesContext, pixelRoutes } from './pixel.ts'
import { productPages } from './product-page.ts'
import { receiptPages } from './receipt-page.ts'
import { moveRoutes } from './redirects.ts'
import { searchPages } from './search-page.ts'
import { shopPages } from './shop-page.ts'
import { sitePageRoutes } from './static-pages.ts'
import { type TrustRoutesContext, trustPages } from './trust-page.ts'

/** Pages for people: whole without a script, and cached like every public read. */
export const siteRoutes: FastifyPluginAsyncTypebox<CountingRoutesContext & TrustRoutesContext> = async (
  app,
  context,
) => {
  await app.register(assetRoutes)
  await app.register(listPages, context)
  await app.register(piecePages, context)
  await app.register(pixelRoutes, context)
  await app.register(authorPages, context)
  await app.register(markdownRoutes, context)
  await app.register(searchPages, context)
  await app.register(shopPages, context)
  await app.register(productPages, context)
  await app.register(receiptPages, context)
  await app.register(trustPages, context)
  await app.register(sitePageRoutes, context)
  await app.register(moveRoutes, context)
}
