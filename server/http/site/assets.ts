import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { cached, uncached } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { style } from '#platform/page/style.ts'

/** The stylesheet and the fonts, under names made from their bytes. */
export const assetRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { path, css, fonts } = style()
  const files = new Map(fonts.files.map((font) => [font.path, font.bytes]))
  app.addHook('onSend', cached('immutable'))

  const one = Type.Object({ hash: Type.String() })
  app.get(
    '/style.:hash.css',
    { schema: { hide: true, params: one } as { params: typeof one } },
    async (request, reply) => {
      if (!/^[\w-]{10}$/.test(request.params.hash)) throw failure(404)
      reply.type('text/css; charset=utf-8')
      // While a release is rolled out, pages of one process ask another for the sheet: better this one than none.
      return request.url === path ? css : uncached(reply, css)
    },
  )

  const params = Type.Object({ file: Type.String() })
  app.get('/fonts/:file', { schema: { hide: true, params } as { params: typeof params } }, async (request, reply) => {
    const bytes = files.get(`/fonts/${request.params.file}`)
    if (!bytes) throw failure(404)
    reply.type('font/woff2')
    return bytes
  })
}
