import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Done } from '#features/accounts/schema.ts'
import { beginPiece, countPieces, deletePiece, deskPiece, deskPieces, savePiece } from '#features/pieces/desk.ts'
import {
  ChosenId,
  ChosenSlug,
  DeskCounts,
  DeskList,
  DeskPage,
  DeskPieceFound,
  History,
  OneRevision,
  PieceSlug,
  Preview,
  RevisionFound,
  RevisionName,
  ScheduleBody,
  TagSuggestions,
  TagSuggestionsQuery,
  TrashList,
  TrashPage,
  WithNonce,
} from '#features/pieces/desk-schema.ts'
import { CreatePieceBody, DeskEditBody } from '#features/pieces/draft-schema.ts'
import { nameRevision, pieceHistory, pieceRevision } from '#features/pieces/history.ts'
import {
  changeStatus,
  chooseSlug,
  previewPiece,
  publishOrUpdate,
  publishPiece,
  submitPiece,
} from '#features/pieces/publish.ts'
import { schedulePiece, unschedulePiece } from '#features/pieces/schedule.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { suggestTags, tagsInText } from '#features/pieces/topics.ts'
import { askToTranslate } from '#features/pieces/translations.ts'
import { deleteForGood, emptyTrash, listTrash, restorePiece } from '#features/pieces/trash.ts'
import { PieceReadStats, ReadStats, StatsQuery } from '#features/trending/schema.ts'
import { pieceReadStats, readStats } from '#features/trending/stats.ts'
import { largestTextBody, withEtag } from '#platform/http/caching.ts'
import { signalOf } from '#platform/http/deadline.ts'
import { type DeskRoutesContext, errorResponses, hidden, requireSessionOnAll, writerOf } from './session.ts'

const submissions = ['submit', 'resubmit'] as const
const moves = ['unpublish', 'withdraw', 'revise'] as const

/** /desk/api/pieces: a writer's own pieces, and the only API that can make them public. */
export const deskPieceRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { publishing } = context
  requireSessionOnAll(app, context)

  const found = { 200: DeskPieceFound, ...errorResponses }

  app.get(
    '/',
    { schema: { ...hidden, querystring: DeskList, response: { 200: DeskPage, ...errorResponses } } },
    (request) => deskPieces(publishing, writerOf(request), request.query),
  )

  app.get('/counts', { schema: { ...hidden, response: { 200: DeskCounts, ...errorResponses } } }, (request) =>
    countPieces(publishing, writerOf(request)),
  )

  app.post(
    '/',
    {
      bodyLimit: largestTextBody,
      schema: {
        ...hidden,
        querystring: ChosenId,
        body: CreatePieceBody,
        response: { 201: DeskPieceFound, ...errorResponses },
      },
    },
    async (request, reply) => {
      reply.code(201)
      return withEtag(reply, await beginPiece(publishing, writerOf(request), request.body, request.query.id))
    },
  )

  app.get('/:id', { schema: { ...hidden, params: OnePiece, response: found } }, async (request, reply) =>
    withEtag(reply, await deskPiece(publishing, writerOf(request), request.params.id)),
  )

  app.patch(
    '/:id',
    { bodyLimit: largestTextBody, schema: { ...hidden, params: OnePiece, body: DeskEditBody, response: found } },
    async (request, reply) => {
      const { params, body, headers } = request
      return withEtag(reply, await savePiece(publishing, writerOf(request), params.id, body, headers['if-match']))
    },
  )

  app.delete('/:id', { schema: { ...hidden, params: OnePiece } }, async (request, reply) => {
    await deletePiece(publishing, writerOf(request), request.params.id)
    return reply.code(204).send()
  })

  app.put(
    '/:id/slug',
    { schema: { ...hidden, params: OnePiece, body: ChosenSlug, response: { 200: PieceSlug, ...errorResponses } } },
    (request) => chooseSlug(publishing, writerOf(request), request.params.id, request.body.slug),
  )

  app.post(
    '/:id/preview',
    { schema: { ...hidden, params: OnePiece, response: { 200: Preview, ...errorResponses } } },
    (request) => previewPiece(publishing, writerOf(request), request.params.id, signalOf(request)),
  )

  app.post(
    '/:id/publish',
    { schema: { ...hidden, params: OnePiece, body: WithNonce, response: found } },
    async (request, reply) =>
      withEtag(
        reply,
        await publishPiece(publishing, writerOf(request), request.params.id, request.body.nonce, signalOf(request)),
      ),
  )

  app.post(
    '/:id/schedule',
    { schema: { ...hidden, params: OnePiece, body: ScheduleBody, response: found } },
    async (request, reply) =>
      withEtag(
        reply,
        await schedulePiece(publishing, writerOf(request), request.params.id, request.body, signalOf(request)),
      ),
  )

  app.delete('/:id/schedule', { schema: { ...hidden, params: OnePiece, response: found } }, async (request, reply) =>
    withEtag(reply, await unschedulePiece(publishing, writerOf(request), request.params.id)),
  )

  app.post(
    '/:id/update',
    { schema: { ...hidden, params: OnePiece, body: WithNonce, response: found } },
    async (request, reply) =>
      withEtag(
        reply,
        await publishOrUpdate(
          publishing,
          writerOf(request),
          request.params.id,
          request.body.nonce,
          'update',
          signalOf(request),
        ),
      ),
  )

  for (const act of submissions) {
    app.post(
      `/:id/${act}`,
      { schema: { ...hidden, params: OnePiece, body: WithNonce, response: found } },
      async (request, reply) =>
        withEtag(reply, await submitPiece(publishing, writerOf(request), request.params.id, request.body.nonce, act)),
    )
  }

  for (const act of moves) {
    app.post(`/:id/${act}`, { schema: { ...hidden, params: OnePiece, response: found } }, async (request, reply) =>
      withEtag(reply, await changeStatus(publishing, writerOf(request), request.params.id, act)),
    )
  }

  app.post('/:id/ask-author', { schema: { ...hidden, params: OnePiece, response: found } }, async (request, reply) =>
    withEtag(reply, await askToTranslate(publishing, writerOf(request), request.params.id)),
  )

  app.get(
    '/:id/tags',
    { schema: { ...hidden, params: OnePiece, response: { 200: TagSuggestions, ...errorResponses } } },
    async (request) => ({
      ok: true as const,
      tags: await tagsInText(context.desk, writerOf(request), request.params.id),
    }),
  )

  app.get(
    '/:id/history',
    { schema: { ...hidden, params: OnePiece, response: { 200: History, ...errorResponses } } },
    (request) => pieceHistory(publishing, writerOf(request), request.params.id),
  )

  app.get(
    '/:id/revisions/:revision',
    {
      schema: {
        ...hidden,
        params: OneRevision,
        response: { 200: RevisionFound, ...errorResponses },
      },
    },
    (request) => pieceRevision(publishing, writerOf(request), request.params.id, Number(request.params.revision)),
  )

  app.put(
    '/:id/revisions/:revision/name',
    { schema: { ...hidden, params: OneRevision, body: RevisionName, response: { 200: Done, ...errorResponses } } },
    async (request) => {
      const { id, revision } = request.params
      await nameRevision(publishing, writerOf(request), id, Number(revision), request.body.name?.trim() ?? null)
      return { ok: true as const }
    },
  )
}

/** /desk/api/tags: tags to complete what a writer types, their own and those of public pieces. */
export const tagRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  requireSessionOnAll(app, context)

  app.get(
    '/',
    { schema: { ...hidden, querystring: TagSuggestionsQuery, response: { 200: TagSuggestions, ...errorResponses } } },
    async (request) => ({
      ok: true as const,
      tags: await suggestTags(context.desk, writerOf(request), request.query.q),
    }),
  )
}

/** /desk/api/trash: deleted pieces, kept for 30 days. */
export const trashRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  requireSessionOnAll(app, context)

  app.get(
    '/',
    { schema: { ...hidden, querystring: TrashList, response: { 200: TrashPage, ...errorResponses } } },
    (request) => listTrash(context.desk, writerOf(request), request.query),
  )

  app.delete('/', { schema: hidden }, async (request, reply) => {
    await emptyTrash(context.desk, writerOf(request))
    return reply.code(204).send()
  })

  app.post('/:id/restore', { schema: { ...hidden, params: OnePiece } }, async (request, reply) => {
    await restorePiece(context.desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })

  app.delete('/:id', { schema: { ...hidden, params: OnePiece } }, async (request, reply) => {
    await deleteForGood(context.desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })
}

/** /desk/api/stats: read statistics of a writer's own pieces. */
export const statRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  requireSessionOnAll(app, context)

  app.get(
    '/',
    { schema: { ...hidden, querystring: StatsQuery, response: { 200: ReadStats, ...errorResponses } } },
    (request) => readStats(context.desk, writerOf(request), request.query),
  )

  app.get(
    '/pieces/:id',
    {
      schema: {
        ...hidden,
        params: OnePiece,
        querystring: StatsQuery,
        response: { 200: PieceReadStats, ...errorResponses },
      },
    },
    (request) => pieceReadStats(context.desk, writerOf(request), request.params.id, request.query),
  )
}
