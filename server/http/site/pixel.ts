import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ReadCounter } from '#features/trending/read-counter.ts'
import { sourceOf } from '#features/trending/referrer.ts'
import { isElsewhere, isOpening, type Reader, readerOf } from '#features/trending/visitor-hash.ts'
import { network, wideNetwork } from '#platform/http/limits.ts'
import type { PublicContext } from '#platform/http/public-context.ts'

export interface CountingRoutesContext extends PublicContext {
  readonly counting: ReadCounter
}

/** One transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

const schema = { hide: true, params: Type.Object({ id: Type.String() }) } as const

/**
 * `/r/{id}.gif`: the same bytes for every id there could be, at once. Whether it counts is found out later. The metrics
 * count these; a line of log for each would take longer than counting it does.
 */
export const pixelRoutes: FastifyPluginAsyncTypebox<CountingRoutesContext> = async (app, { counting }) => {
  app.get('/r/:id.gif', { schema, logLevel: 'warn' }, (request, reply) => {
    const reader = askedBy(request)
    if (reader && !isElsewhere(request.headers)) counting.read(request.params.id.toLowerCase(), reader)
    reply.type('image/gif').header('cache-control', 'no-store').send(pixel)
  })
}

/** Counts where the visitor of a page came from, if they tell. */
export function countVisit(counting: ReadCounter, request: FastifyRequest, piece: string, ownHost: string): void {
  if (!isOpening(request.headers)) return
  const source = sourceOf(request.query as object, request.headers.referer, ownHost)
  const reader = source === undefined ? undefined : askedBy(request)
  if (reader && source !== undefined) counting.visit(piece, reader, source)
}

const askedBy = ({ method, ip = '', headers }: FastifyRequest): Reader | undefined =>
  method === 'GET' ? readerOf({ address: network(ip), network: wideNetwork(ip) }, headers) : undefined
