import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { cached } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { style } from '#platform/page/style.ts'

/** The stylesheet and the fonts, under names made from their bytes. */
export const assetRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { path, css, fonts } = style()
  const files = new Map(fonts.files.map((font) => [font.path, font.bytes]))
  app.addHook('onSend', cached('immutable'))

  app.get(path, { schema: { hide: true } as object }, async (_request, reply) => {
    reply.type('text/css; charset=utf-8')
    return css
  })

  const params = Type.Object({ file: Type.String() })
  app.get('/fonts/:file', { schema: { hide: true, params } as { params: typeof params } }, async (request, reply) => {
    const bytes = files.get(`/fonts/${request.params.file}`)
    if (!bytes) throw failure(404)
    reply.type('font/woff2')
    return bytes
  })
}
