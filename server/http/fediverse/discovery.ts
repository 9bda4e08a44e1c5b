import { readFileSync } from 'node:fs'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfAuthor, tagsOfSiteActor } from '#features/cache-tags.ts'
import { type Actor, actorById, actorByUsername, fediverseHost, handleOf } from '#features/fediverse/reads.ts'
import type { PublicContext } from '#http/public-context.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'

/** What other servers ask first: who is behind an address (WebFinger, RFC 7033), and which software this is (NodeInfo). */

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const querystring = Type.Object({ resource: Type.Optional(Type.String()) })

export const tagsOfActor = ({ author }: Actor): readonly string[] =>
  author ? tagsOfAuthor(author.slug) : tagsOfSiteActor

export const fediverseDiscoveryRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const onRequest = gate('single', 'read')
  const hidden = { hide: true } as object
  app.addHook('onSend', cached('publicRead'))

  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.get('/.well-known/webfinger', { onRequest, schema }, async (request, reply) => {
    const { resource } = request.query
    if (!resource) throw failure(400)
    const actor = await actorAt(resource)
    if (!actor) throw failure(404)
    const { id, username, page } = actor.profile
    const document = {
      subject: `acct:${handleOf(username, urls)}`,
      aliases: [urls.actor(id), page],
      links: [
        { rel: 'self', type: 'application/activity+json', href: urls.actor(id) },
        { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: page },
      ],
    }
    reply.type('application/jrd+json; charset=utf-8')
    return withCacheTags(reply, JSON.stringify(document), tagsOfActor(actor))
  })

  /** By `acct:ada@host`, also with a former slug, or by the address of the actor or its page. */
  async function actorAt(resource: string): Promise<Actor | undefined> {
    const [, username, host] = /^(?:acct:)?@?([^@/]+)@([^@/]+)$/i.exec(resource) ?? []
    if (username !== undefined)
      return host!.toLowerCase() === fediverseHost(urls)
        ? actorByUsername(reads, siteInfo, username.toLowerCase())
        : undefined
    const id = resource.startsWith(urls.actor('')) ? resource.slice(urls.actor('').length) : undefined
    if (id !== undefined) {
      const actor = await actorById(reads, siteInfo, id)
      return actor === 'gone' ? undefined : actor
    }
    const page = urls.pageAt(resource)
    return page && 'author' in page && page.piece === undefined
      ? actorByUsername(reads, siteInfo, page.author)
      : undefined
  }

  const description = cached('description')
  app.get('/.well-known/nodeinfo', { onRequest, schema: hidden, onSend: description }, async (_request, reply) => {
    reply.type('application/json; charset=utf-8')
    const href = urls.page('fediverse/nodeinfo/2.1')
    return JSON.stringify({ links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.1', href }] })
  })

  app.get('/fediverse/nodeinfo/2.1', { onRequest, schema: hidden, onSend: description }, async (_request, reply) => {
    reply.type('application/json; profile="http://nodeinfo.diaspora.software/ns/schema/2.1#"; charset=utf-8')
    return JSON.stringify({
      version: '2.1',
      software: { name: 'standfirst', version },
      protocols: ['activitypub'],
      services: { inbound: [], outbound: ['rss2.0'] },
      openRegistrations: false,
      // People are not counted here.
      usage: { users: {} },
      metadata: { nodeName: siteInfo.name, nodeDescription: siteInfo.description },
    })
  })
}
