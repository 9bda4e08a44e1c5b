import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { cached, tagged } from '#platform/http/caching.ts'
import type { PublicDoor } from '#platform/http/public-door.ts'
import { cursor } from '#platform/wire.ts'
import { authorChannel, type Channel, categoryChannel, houseChannel } from './channels.ts'
import { type Feed, pageAddress, readFeed } from './feed.ts'
import { writeJsonFeed } from './json-feed.ts'
import { writeRss } from './rss.ts'
import { writtenOnce } from './written.ts'

interface Format {
  readonly type: string
  readonly write: (feed: Feed) => Buffer
  readonly address: (channel: Channel) => string
}
const formats = (): Readonly<Record<string, Format>> => ({
  json: { type: 'application/feed+json', write: writtenOnce(writeJsonFeed), address: ({ json }) => json },
  xml: { type: 'application/rss+xml; charset=utf-8', write: writtenOnce(writeRss), address: ({ rss }) => rss },
})

/** Feeds, for readers that come back by themselves. */
export const feedRoutes: FastifyPluginAsyncTypebox<PublicDoor> = async (app, { reads, gate, masthead }) => {
  app.addHook('onSend', cached('publicRead'))
  const onRequest = gate('list', 'read')
  const querystring = Type.Object({ cursor })
  const hidden = { hide: true, querystring }

  async function send(
    { headers, query }: FastifyRequest<{ Querystring: Static<typeof querystring> }>,
    reply: FastifyReply,
    { type, write, address }: Format,
    channel: Channel,
  ) {
    const feed = await readFeed(reads, channel, query.cursor)
    if (feed.modified) {
      const modified = new Date(feed.modified).toUTCString()
      reply.header('last-modified', modified)
      // A reader that knows no ETag has this one, if the last change is the one it was told of, no earlier and no later.
      if (headers['if-modified-since'] === modified) headers['if-none-match'] ??= '*'
    }
    if (feed.nextCursor) reply.header('link', `<${pageAddress(address(channel), feed.nextCursor)}>; rel="next"`)
    return tagged(reply.type(type), write(feed), channel.tags)
  }

  for (const [ending, format] of Object.entries(formats())) {
    app.get(`/feed.${ending}`, { onRequest, schema: hidden }, (request, reply) =>
      send(request, reply, format, houseChannel(reads.urls, masthead)),
    )

    app.get(
      `/category/:category/feed.${ending}`,
      { onRequest, schema: { ...hidden, params: Type.Object({ category: Type.String() }) } },
      (request, reply) => send(request, reply, format, categoryChannel(reads.urls, masthead, request.params.category)),
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
