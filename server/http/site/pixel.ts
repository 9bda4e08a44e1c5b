import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { type ReadCounter, sourceOf } from '#features/trending/read-counter.ts'
import { isCrossSite, isNavigation, type Reader, readerOf } from '#features/trending/visitor-hash.ts'
import type { PublicContext } from '#http/public-context.ts'
import { network, wideNetwork } from '#platform/http/limits.ts'

export interface ReadCountingContext extends PublicContext {
  readonly counting: ReadCounter
}

/** A transparent GIF. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

const schema = { hide: true, params: Type.Object({ id: Type.String() }) } as const

/**
 * `/r/{id}.gif`: the same bytes for any id, at once; whether it counts is decided later. Not logged per request, which
 * would cost more than counting; metrics cover it.
 */
export const pixelRoutes: FastifyPluginAsyncTypebox<ReadCountingContext> = async (app, { counting }) => {
  app.get('/r/:id.gif', { schema, logLevel: 'warn' }, (request, reply) => {
    const reader = readerFrom(request)
    if (reader && !isCrossSite(request.headers)) counting.read(request.params.id.toLowerCase(), reader)
    reply.type('image/gif').header('cache-control', 'no-store').send(pixel)
  })
}

/** Counts a visit's referrer, if there is one. */
export function countVisit(counting: ReadCounter, request: FastifyRequest, piece: string, ownHost: string): void {
  if (!isNavigation(request.headers)) return
  const source = sourceOf(request.query as object, request.headers.referer, ownHost)
  const reader = source === undefined ? undefined : readerFrom(request)
  if (reader && source !== undefined) counting.visit(piece, reader, source)
}

const readerFrom = ({ method, ip = '', headers }: FastifyRequest): Reader | undefined =>
  method === 'GET' ? readerOf({ address: network(ip), network: wideNetwork(ip) }, headers) : undefined
