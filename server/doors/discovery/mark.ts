import { readFileSync } from 'node:fs'
import type { FastifyPluginAsync } from 'fastify'
import { cached } from '#platform/http/caching.ts'

/** The mark of the house: an S and the rule under it, as browsers ask for it on every page. */
export const markRoutes: FastifyPluginAsync = async (app) => {
  const mark = readFileSync(new URL('./mark.svg', import.meta.url), 'utf8')
  app.addHook('onSend', cached('description'))
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, { schema: { hide: true } as object }, async (_request, reply) => {
      reply.type('image/svg+xml')
      return mark
    })
  }
}
