import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { OnePiece } from '#features/pieces/schema.ts'
import { pieceReadStats, readStats } from '#features/trending/stats.ts'
import { PieceReadStats, ReadStats, StatsAsked } from '#features/trending/stats-schema.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { signedIn, writerOf } from './session.ts'

/** /desk/api/stats: how a writer's own pieces are read. */
export const statRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))

  app.get(
    '/',
    { schema: { ...ownPages, querystring: StatsAsked, response: { 200: ReadStats, ...refusals } } },
    (request) => readStats(context.desk, writerOf(request), request.query),
  )

  app.get(
    '/pieces/:id',
    {
      schema: {
        ...ownPages,
        params: OnePiece,
        querystring: StatsAsked,
        response: { 200: PieceReadStats, ...refusals },
      },
    },
    (request) => pieceReadStats(context.desk, writerOf(request), request.params.id, request.query),
  )
}
