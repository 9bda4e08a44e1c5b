import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { OneMedium } from '#features/media/schema.ts'
import { bytesOf, mediumInPublic } from '#features/media/serve.ts'
import { cached, matches, tagged } from '#platform/http/caching.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import { mediaBytes } from '#platform/http/security.ts'
import type { MediaStore } from '#platform/media/store.ts'

export interface MediaRoutesContext extends PublicContext {
  readonly store: MediaStore | undefined
}

/** `/media/{hash}`: a picture that something public shows. The same bytes for ever, as long as it does. */
export const mediaRoutes: FastifyPluginAsyncTypebox<MediaRoutesContext> = async (app, { reads, gate, store }) => {
  const schema = { hide: true, params: OneMedium } as { params: typeof OneMedium }
  app.addHook('onSend', cached('media'))

  app.get('/media/:hash', { onRequest: gate('single', 'read'), schema }, async (request, reply) => {
    const { hash } = request.params
    const { type, bytes, tags } = await mediumInPublic(reads.db, hash)
    mediaBytes(reply)
    tagged(reply, null, tags)
    const etag = `"${hash}"`
    reply.type(type).header('etag', etag)
    if (matches(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
    return reply.header('content-length', bytes).send(await bytesOf(store, hash))
  })
}
