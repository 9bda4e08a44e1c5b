import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { PublicContext } from '#http/public-context.ts'
import { cached, uncached } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { type Release, readRelease } from '../../../embed/release.ts'
import { badgeRoutes } from './badge.ts'
import { oembedRoutes } from './oembed.ts'
import { widgetRoutes } from './widgets.ts'

/** Everything that other sites embed. */
export const embedRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const release = readRelease(context.siteInfo.language, context.siteInfo.name)
  await app.register(badgeRoutes, context)
  await app.register(scriptRoutes, { ...context, release })
  await app.register(widgetRoutes, { ...context, release })
  await app.register(oembedRoutes, context)
}

const types = { js: 'application/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const

/** /embed.js, and files with a hash in their name, which never change. */
const scriptRoutes: FastifyPluginAsyncTypebox<PublicContext & { readonly release: Release }> = async (
  app,
  { gate, release },
) => {
  const onRequest = gate('single', 'read')

  app.get(
    '/embed.js',
    { onRequest, onSend: cached('description'), schema: { hide: true } },
    async (_request, reply) => {
      reply.type(types.js)
      return release.live
    },
  )

  app.get(
    '/embed/:file',
    { onRequest, onSend: cached('immutable'), schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async ({ params: { file } }, reply) => {
      const script = release.scripts.get(file)
      if (script) {
        reply.type(types.js)
        return script.text
      }
      if (!/^[0-9a-f]{16}\.css$/.test(file)) throw failure(404)
      reply.type(types.css)
      // As for the page style: during a rollout this version is better than none.
      return file === release.style.name ? release.style.text : uncached(reply, release.style.text)
    },
  )
}
