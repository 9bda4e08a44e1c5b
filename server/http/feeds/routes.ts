import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { languageFilter } from '#features/pieces/schema.ts'
import { inLanguage } from '#features/urls.ts'
import { askedLanguage } from '#http/language-label.ts'
import type { PublicContext } from '#http/public-context.ts'
import { cursor } from '#platform/common-schemas.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { pageAddress } from '#platform/http/link-headers.ts'
import {
  authorChannel,
  type Channel,
  categoryChannel,
  channelInLanguage,
  currentEdition,
  readFeed,
  seriesChannel,
  siteChannel,
  topicChannel,
  trendingChannel,
} from './feed.ts'
import { createFeedCache, type FeedCache } from './feed-cache.ts'
import { writeJsonFeed, writeRss } from './formats.ts'

interface Format {
  readonly type: string
  readonly writer: FeedCache
  readonly address: (channel: Channel) => string
}
const formats = (): Readonly<Record<string, Format>> => ({
  json: { type: 'application/feed+json', writer: createFeedCache(writeJsonFeed), address: ({ json }) => json },
  xml: { type: 'application/rss+xml; charset=utf-8', writer: createFeedCache(writeRss), address: ({ rss }) => rss },
})

/** JSON Feed and RSS. */
export const feedRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, siteInfo }) => {
  app.addHook('onSend', cached('publicRead'))
  const onRequest = gate('list', 'read')
  const querystring = Type.Object({ cursor, language: languageFilter })
  const hidden = { hide: true, querystring }

  async function send(
    { query }: FastifyRequest<{ Querystring: Static<typeof querystring> }>,
    reply: FastifyReply,
    { type, writer, address }: Format,
    all: Channel,
  ) {
    const { cursor, language } = query
    const channel = channelInLanguage(all, siteInfo, askedLanguage(language))
    const read = () => readFeed(reads, channel, cursor)
    const feed = cursor
      ? writer.page(await read())
      : await writer.newest(channel.page, () => currentEdition(reads, channel), read)
    if (feed.modified) {
      // Sent but not used for revalidation: a removed piece, or a second change within a second, does not change the
      // date.
      reply.header('last-modified', new Date(feed.modified).toUTCString())
    }
    if (feed.nextCursor) reply.header('link', `<${pageAddress(address(channel), feed.nextCursor)}>; rel="next"`)
    return withCacheTags(reply.type(type), feed.bytes, [...new Set([...channel.tags, ...feed.tags])])
  }

  for (const [ending, format] of Object.entries(formats())) {
    app.get(`/feed.${ending}`, { onRequest, schema: hidden }, (request, reply) =>
      send(request, reply, format, siteChannel(reads.urls, siteInfo)),
    )

    app.get(
      `/category/:category/feed.${ending}`,
      { onRequest, schema: { ...hidden, params: Type.Object({ category: Type.String() }) } },
      (request, reply) => send(request, reply, format, categoryChannel(reads.urls, siteInfo, request.params.category)),
    )

    app.get(`/trending/feed.${ending}`, { onRequest, schema: hidden }, (request, reply) =>
      send(request, reply, format, trendingChannel(reads.urls, siteInfo)),
    )

    app.get(
      `/topic/:topic/feed.${ending}`,
      { onRequest, schema: { ...hidden, params: Type.Object({ topic: Type.String() }) } },
      async (request, reply) => {
        const { params, query } = request
        const channel = await topicChannel(reads, siteInfo, params.topic)
        if (channel.source.topic !== params.topic) {
          const current = inLanguage(format.address(channel), askedLanguage(query.language))
          return reply.redirect(pageAddress(current, query.cursor), 301)
        }
        return send(request, reply, format, channel)
      },
    )

    app.get(
      `/author/:slug/feed.${ending}`,
      { onRequest, schema: { ...hidden, params: Type.Object({ slug: Type.String() }) } },
      async (request, reply) => {
        const { params, query } = request
        const channel = await authorChannel(reads, siteInfo, params.slug)
        // A former slug: feed readers follow the redirect permanently.
        if (channel.page !== reads.urls.profile(params.slug)) {
          const current = inLanguage(format.address(channel), askedLanguage(query.language))
          return reply.redirect(pageAddress(current, query.cursor), 301)
        }
        return send(request, reply, format, channel)
      },
    )

    const params = Type.Object({ slug: Type.String(), series: Type.String() })
    app.get(
      `/author/:slug/series/:series/feed.${ending}`,
      { onRequest, schema: { ...hidden, params } },
      async (request, reply) => {
        const { params, query } = request
        const channel = await seriesChannel(reads, siteInfo, params.slug, params.series)
        if (channel.page !== reads.urls.series(params.slug, params.series)) {
          const current = inLanguage(format.address(channel), askedLanguage(query.language))
          return reply.redirect(pageAddress(current, query.cursor), 301)
        }
        return send(request, reply, format, channel)
      },
    )
  }
}
