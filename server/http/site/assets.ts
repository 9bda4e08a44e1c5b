import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { OneMedium } from '#features/media/schema.ts'
import { bytesOf, mediumInPublic } from '#features/media/serve.ts'
import type { PublicContext } from '#http/public-context.ts'
import { cached, matches, uncached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { mediaBytes } from '#platform/http/security.ts'
import type { MediaStore } from '#platform/media/store.ts'
import { style } from '#platform/page/style.ts'

/** The stylesheet and fonts, named by a hash of their content. */
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
      // During a rollout, pages of one version may ask a process of another for the stylesheet: its own is better than
      // none.
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

export interface MediaRoutesContext extends PublicContext {
  readonly store: MediaStore | undefined
}

/** `/media/{hash}`: an image that something public shows. The bytes never change. */
export const mediaRoutes: FastifyPluginAsyncTypebox<MediaRoutesContext> = async (app, { reads, gate, store }) => {
  const schema = { hide: true, params: OneMedium } as { params: typeof OneMedium }
  app.addHook('onSend', cached('media'))

  app.get('/media/:hash', { onRequest: gate('single', 'read'), schema }, async (request, reply) => {
    const { hash } = request.params
    const { type, bytes, tags } = await mediumInPublic(reads.db, hash)
    mediaBytes(reply)
    withCacheTags(reply, null, tags)
    const etag = `"${hash}"`
    reply.type(type).header('etag', etag)
    if (matches(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
    return reply.header('content-length', bytes).send(await bytesOf(store, hash))
  })
}
