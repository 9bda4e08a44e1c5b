import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { cursor } from '#platform/common-schemas.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import { pageAddress } from '#platform/http/paging.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import { authorChannel, type Channel, categoryChannel, siteChannel } from './channels.ts'
import { currentEdition, readFeed } from './feed.ts'
import { type Writer, writer } from './feed-cache.ts'
import { writeJsonFeed } from './json-feed.ts'
import { writeRss } from './rss.ts'

interface Format {
  readonly type: string
  readonly writer: Writer
  readonly address: (channel: Channel) => string
}
const formats = (): Readonly<Record<string, Format>> => ({
  json: { type: 'application/feed+json', writer: writer(writeJsonFeed), address: ({ json }) => json },
  xml: { type: 'application/rss+xml; charset=utf-8', writer: writer(writeRss), address: ({ rss }) => rss },
})

/** Feeds, for readers that come back by themselves. */
export const feedRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, siteInfo }) => {
  app.addHook('onSend', cached('publicRead'))
  const onRequest = gate('list', 'read')
  const querystring = Type.Object({ cursor })
  const hidden = { hide: true, querystring }

  async function send(
    { query }: FastifyRequest<{ Querystring: Static<typeof querystring> }>,
    reply: FastifyReply,
    { type, writer, address }: Format,
    channel: Channel,
  ) {
    const { cursor } = query
    const read = () => readFeed(reads, channel, cursor)
    const written = cursor
      ? writer.page(await read())
      : await writer.newest(channel.page, () => currentEdition(reads, channel), read)
    if (written.modified) {
      // Told and not compared with: a piece that went away, and the second change of a second, leave no date.
      reply.header('last-modified', new Date(written.modified).toUTCString())
    }
    if (written.nextCursor) reply.header('link', `<${pageAddress(address(channel), written.nextCursor)}>; rel="next"`)
    return tagged(reply.type(type), written.bytes, channel.tags)
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

    app.get(
      `/author/:slug/feed.${ending}`,
      { onRequest, schema: { ...hidden, params: Type.Object({ slug: Type.String() }) } },
      async (request, reply) => {
        const { params, query } = request
        const channel = await authorChannel(reads, params.slug)
        // A former slug: readers remember where they were sent.
        if (channel.page !== reads.urls.profile(params.slug))
          return reply.redirect(pageAddress(format.address(channel), query.cursor), 301)
        return send(request, reply, format, channel)
      },
    )
  }
}
