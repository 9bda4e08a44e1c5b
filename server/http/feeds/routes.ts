import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { languageFilter } from '#features/pieces/schema.ts'
import { askedLanguage } from '#http/language-label.ts'
import type { PublicContext } from '#http/public-context.ts'
import { cursor } from '#platform/common-schemas.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { pageAddress } from '#platform/http/link-headers.ts'
import { type Channel, channelInLanguage } from './feed.ts'
import { createFeedWriter, currentAddress, type Ending, feedPlaces, formats } from './page.ts'

/** JSON Feed and RSS. */
export const feedRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, siteInfo }) => {
  app.addHook('onSend', cached('publicRead'))
  const onRequest = gate('list', 'read')
  const querystring = Type.Object({ cursor, language: languageFilter })
  const writer = createFeedWriter(reads)

  async function send(reply: FastifyReply, ending: Ending, channel: Channel, cursor: string | undefined) {
    const { type, address } = formats[ending]
    const feed = await writer.write(channel, ending, cursor)
    if (feed.modified) {
      // Sent but not used for revalidation: a removed piece, or a second change within a second, does not change the
      // date.
      reply.header('last-modified', new Date(feed.modified).toUTCString())
    }
    const self = address(channel)
    // One subscribes to the newest page.
    const links = cursor ? [] : [`<${channel.hub}>; rel="hub"`, `<${self}>; rel="self"`]
    if (feed.nextCursor) links.push(`<${pageAddress(self, feed.nextCursor)}>; rel="next"`)
    if (links.length > 0) reply.header('link', links.join(', '))
    return withCacheTags(reply.type(type), feed.bytes, [...new Set([...channel.tags, ...feed.tags])])
  }

  for (const { path, page, channel: channelOf } of feedPlaces) {
    const names = path.match(/(?<=:)\w+/g) ?? []
    const params = Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])))
    for (const ending of Object.keys(formats) as Ending[]) {
      app.get(
        `${path}/feed.${ending}`,
        { onRequest, schema: { hide: true, querystring, params } },
        async ({ params, query: { cursor, language } }, reply) => {
          const channel = await channelOf(reads, siteInfo, params)
          // A former slug, or another spelling: feed readers follow the redirect permanently.
          if (channel.page !== page(reads.urls, params))
            return reply.redirect(pageAddress(currentAddress(channel, ending, language), cursor), 301)
          return send(reply, ending, channelInLanguage(channel, siteInfo, askedLanguage(language)), cursor)
        },
      )
    }
  }
}
