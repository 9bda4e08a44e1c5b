import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { tagsOfPieceLists, tagsOfPresented } from '#features/cache-tags.ts'
import { type Actor, actorById, outboxPage, postedPiece } from '#features/fediverse/reads.ts'
import {
  actorDocument,
  articleOf,
  type Document,
  followersDocument,
  outboxDocument,
  outboxPageDocument,
  tombstoneOf,
} from '#features/fediverse/vocabulary.ts'
import type { PublicContext } from '#http/public-context.ts'
import { cursor } from '#platform/common-schemas.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { preferred, varyBy } from '#platform/http/negotiation.ts'
import { tagsOfActor } from './discovery.ts'

const activityJson = 'application/activity+json'

const params = Type.Object({ id: Type.String() })
const paging = Type.Object({ page: Type.Optional(Type.String()), cursor })

/** Actors, their collections and pieces, as other servers read them. A browser is sent to the page instead. */
export const fediverseObjectRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const schema = { hide: true, params } as { params: typeof params }
  const single = { onRequest: gate('single', 'read'), schema }
  app.addHook('onSend', cached('publicRead'))

  app.get('/fediverse/actors/:id', single, async (request, reply) => {
    const actor = await actorOf(request.params.id)
    if (!actor) return gone(reply, urls.actor(request.params.id.toLowerCase()))
    if (isForPeople(request, reply)) return reply.redirect(actor.profile.page, 303)
    return send(reply, actorDocument(actor.profile, urls), tagsOfActor(actor))
  })

  app.get('/fediverse/actors/:id/followers', single, async (request, reply) => {
    const actor = await actorOf(request.params.id)
    if (!actor) return gone(reply, urls.actorFollowers(request.params.id.toLowerCase()))
    return send(reply, followersDocument(actor.profile.id, actor.followers, urls), tagsOfActor(actor))
  })

  const paged = { hide: true, params, querystring: paging } as { params: typeof params; querystring: typeof paging }
  app.get('/fediverse/actors/:id/outbox', { ...single, schema: paged }, async (request, reply) => {
    const actor = await actorOf(request.params.id)
    if (!actor) return gone(reply, urls.actorOutbox(request.params.id.toLowerCase()))
    const { page, cursor } = request.query
    const { id } = actor.profile
    const tags = [...tagsOfActor(actor), ...tagsOfPieceLists]
    if (page === undefined) return send(reply, outboxDocument(id, actor.author?.stats.pieces_count, urls), tags)
    const { items, next_cursor } = await outboxPage(reads, actor, cursor)
    return send(reply, outboxPageDocument(id, { cursor, next: next_cursor, items }, urls), tags)
  })

  app.get('/fediverse/pieces/:id', single, async (request, reply) => {
    const { id } = request.params
    const [query = '', number = '0'] = /\?(\d{1,5})$/.exec(request.url) ?? []
    const found = await postedPiece(reads, id, Number(number))
    if (!found) throw failure(404)
    if (found === 'gone') return gone(reply, urls.pieceObject(id.toLowerCase() + query), 'Article')
    const { published, posted } = found
    if (isForPeople(request, reply)) return reply.redirect(published.piece.url, 303)
    return send(
      reply,
      articleOf({ ...published, uuid: posted.object }, posted.actor, urls),
      tagsOfPresented(published.piece),
    )
  })

  /** Undefined if it was switched off. */
  async function actorOf(id: string): Promise<Actor | undefined> {
    const actor = await actorById(reads, siteInfo, id.toLowerCase())
    if (!actor) throw failure(404)
    return actor === 'gone' ? undefined : actor
  }
}

const gone = (reply: FastifyReply, address: string, formerType?: string): string =>
  send(reply.code(410), tombstoneOf(address, formerType), [])

function isForPeople(request: FastifyRequest, reply: FastifyReply): boolean {
  varyBy(reply, 'Accept')
  return preferred(request.headers.accept, [activityJson, 'application/ld+json', 'text/html']) === 'text/html'
}

function send(reply: FastifyReply, document: Document, tags: readonly string[]): string {
  reply.type(`${activityJson}; charset=utf-8`)
  return withCacheTags(reply, JSON.stringify(document), [...new Set(tags)])
}
