import type { FastifyPluginAsync } from 'fastify'
import { cached } from '#platform/http/caching.ts'
import type { SiteInfo } from '#platform/site.ts'

/** The mark of the site, as browsers ask for it on every page. */
export const markRoutes: FastifyPluginAsync<{ siteInfo: SiteInfo }> = async (app, { siteInfo }) => {
  app.addHook('onSend', cached('description'))
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, { schema: { hide: true } as object }, async (_request, reply) => {
      reply.type('image/svg+xml')
      return siteInfo.mark
    })
  }
}
