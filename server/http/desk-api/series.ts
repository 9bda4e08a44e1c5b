import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { deleteSeries, deskSeries, saveSeries } from '#features/series/desk.ts'
import { DeskSeriesFound, DeskSeriesList, OneSeries, SeriesBody } from '#features/series/schema.ts'
import { type DeskRoutesContext, errorResponses, hidden, requireSessionOnAll, writerOf } from './session.ts'

/** /desk/api/series: a writer's own series. */
export const seriesRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk } = context
  requireSessionOnAll(app, context)

  app.get('/', { schema: { ...hidden, response: { 200: DeskSeriesList, ...errorResponses } } }, (request) =>
    deskSeries(desk, writerOf(request)),
  )

  app.put(
    '/:id',
    {
      schema: { ...hidden, params: OneSeries, body: SeriesBody, response: { 200: DeskSeriesFound, ...errorResponses } },
    },
    (request) => saveSeries(desk, writerOf(request), request.params.id, request.body),
  )

  app.delete('/:id', { schema: { ...hidden, params: OneSeries } }, async (request, reply) => {
    await deleteSeries(desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })
}
