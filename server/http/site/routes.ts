import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { archivePages } from './archive-pages.ts'
import { assetRoutes } from './assets.ts'
import { authorPages } from './author-page.ts'
import { drawnCoverRoutes } from './drawn-covers.ts'
import { listPages } from './list-pages.ts'
import { markdownRoutes } from './markdown.ts'
import { type LinkCardsSetting, piecePages } from './piece-page.ts'
import { pixelRoutes, type ReadCountingContext } from './pixel.ts'
import { redirectRoutes } from './redirects.ts'
import { searchPages } from './search-page.ts'
import { seriesPages } from './series-page.ts'
import { productPages, shopPages } from './shop-pages.ts'
import { staticPageRoutes } from './static-pages.ts'
import { topicPages } from './topic-pages.ts'
import { trendingPages } from './trending-page.ts'
import { receiptPages, type TrustRoutesContext, trustPages } from './trust-pages.ts'
import { writersPages } from './writers-page.ts'

/** The site's HTML pages: complete without scripts, and cached like every public read. */
export const siteRoutes: FastifyPluginAsyncTypebox<
  ReadCountingContext & TrustRoutesContext & LinkCardsSetting
> = async (app, context) => {
  await app.register(assetRoutes)
  await app.register(drawnCoverRoutes, context)
  await app.register(listPages, context)
  await app.register(topicPages, context)
  await app.register(writersPages, context)
  await app.register(trendingPages, context)
  await app.register(archivePages, context)
  await app.register(piecePages, context)
  await app.register(pixelRoutes, context)
  await app.register(authorPages, context)
  await app.register(seriesPages, context)
  await app.register(markdownRoutes, context)
  await app.register(searchPages, context)
  await app.register(shopPages, context)
  await app.register(productPages, context)
  await app.register(receiptPages, context)
  await app.register(trustPages, context)
  await app.register(staticPageRoutes, context)
  await app.register(redirectRoutes, context)
}
