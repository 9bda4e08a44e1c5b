import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { OneMedium, OneVariant } from '#features/media/schema.ts'
import { bytesOf, mediumInPublic, readVariant, type ServedMedium } from '#features/media/serve.ts'
import type { PublicContext } from '#http/public-context.ts'
import { cached, cachedBriefly, matches, uncached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { mediaBytes } from '#platform/http/security.ts'
import { keyOfVariant, typeOfVariant } from '#platform/images/variants.ts'
import type { MediaStore } from '#platform/media/store.ts'
import { style } from '#platform/page/style.ts'

/** The stylesheet and fonts, named by a hash of their content. */
export const assetRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { path, css, framed, fonts } = style()
  const sheets = new Map([
    [path, css],
    [framed.path, framed.css],
  ])
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
      return sheets.get(request.url) ?? uncached(reply, css)
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

/** `/media/{hash}`: an image that something public shows, and its smaller copies. The bytes never change. */
export const mediaRoutes: FastifyPluginAsyncTypebox<MediaRoutesContext> = async (app, { reads, gate, store }) => {
  const onRequest = gate('single', 'read')
  app.addHook('onSend', cached('media'))

  const schema = { hide: true, params: OneMedium } as { params: typeof OneMedium }
  app.get('/media/:hash', { onRequest, schema }, async (request, reply) => {
    const { hash } = request.params
    const medium = await mediumInPublic(reads.db, hash)
    mediaHeaders(reply, medium, hash)
    return isKnown(request, hash) ? reply.code(304).send() : sendOriginal(reply, medium, hash)
  })

  const variantSchema = { hide: true, params: OneVariant } as { params: typeof OneVariant }
  app.get('/media/:hash/:variant', { onRequest, schema: variantSchema }, async (request, reply) => {
    const { hash } = request.params
    const variant = readVariant(request.params.variant)
    const medium = await mediumInPublic(reads.db, hash)
    const key = keyOfVariant(hash, variant)
    mediaHeaders(reply, { ...medium, type: typeOfVariant(variant) }, key)
    if (isKnown(request, key)) return reply.code(304).send()
    const made = await store?.get(key)
    if (made) return reply.send(made)
    // Not made yet, or not narrower than the image.
    mediaHeaders(reply, medium, hash)
    cachedBriefly(reply)
    return isKnown(request, hash) ? reply.code(304).send() : sendOriginal(reply, medium, hash)
  })

  const sendOriginal = async (reply: FastifyReply, { bytes }: ServedMedium, hash: string) =>
    reply.header('content-length', bytes).send(await bytesOf(store, hash))
}

function mediaHeaders(reply: FastifyReply, { type, tags }: ServedMedium, key: string): void {
  mediaBytes(reply)
  withCacheTags(reply, null, tags)
  reply.type(type).header('etag', `"${key}"`)
}

const isKnown = ({ headers }: FastifyRequest, key: string): boolean =>
  matches(headers['if-none-match'] ?? '', `"${key}"`)
