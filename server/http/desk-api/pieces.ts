import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Done } from '#features/accounts/schema.ts'
import { beginPiece, countPieces, deletePiece, deskPiece, deskPieces, savePiece } from '#features/pieces/desk.ts'
import {
  ChosenId,
  DeskCounts,
  DeskList,
  DeskPage,
  DeskPieceFound,
  History,
  OneRevision,
  Preview,
  RevisionFound,
  RevisionName,
  WithNonce,
} from '#features/pieces/desk-schema.ts'
import { CreatePieceBody, EditPieceBody } from '#features/pieces/draft-schema.ts'
import { nameRevision, pieceHistory, pieceRevision } from '#features/pieces/history.ts'
import { movePiece, previewPiece, publishPiece, showPiece, submitPiece } from '#features/pieces/publish.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { signalOf } from '#platform/http/deadline.ts'
import { largestPiece, tagged } from '#platform/http/etag.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { signedIn, writerOf } from './session.ts'

const submissions = ['submit', 'resubmit'] as const
const moves = ['unpublish', 'withdraw', 'revise'] as const

/** /desk/api/pieces: a writer's own pieces, and the only context through which they become public. */
export const deskPieceRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { publishing } = context
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))

  const found = { 200: DeskPieceFound, ...refusals }

  app.get(
    '/',
    { schema: { ...ownPages, querystring: DeskList, response: { 200: DeskPage, ...refusals } } },
    (request) => deskPieces(publishing, writerOf(request), request.query),
  )

  app.get('/counts', { schema: { ...ownPages, response: { 200: DeskCounts, ...refusals } } }, (request) =>
    countPieces(publishing, writerOf(request)),
  )

  app.post(
    '/',
    {
      bodyLimit: largestPiece,
      schema: {
        ...ownPages,
        querystring: ChosenId,
        body: CreatePieceBody,
        response: { 201: DeskPieceFound, ...refusals },
      },
    },
    async (request, reply) => {
      reply.code(201)
      return tagged(reply, await beginPiece(publishing, writerOf(request), request.body, request.query.id))
    },
  )

  app.get('/:id', { schema: { ...ownPages, params: OnePiece, response: found } }, async (request, reply) =>
    tagged(reply, await deskPiece(publishing, writerOf(request), request.params.id)),
  )

  app.patch(
    '/:id',
    { bodyLimit: largestPiece, schema: { ...ownPages, params: OnePiece, body: EditPieceBody, response: found } },
    async (request, reply) => {
      const { params, body, headers } = request
      return tagged(reply, await savePiece(publishing, writerOf(request), params.id, body, headers['if-match']))
    },
  )

  app.delete('/:id', { schema: { ...ownPages, params: OnePiece } }, async (request, reply) => {
    await deletePiece(publishing, writerOf(request), request.params.id)
    return reply.code(204).send()
  })

  app.post(
    '/:id/preview',
    { schema: { ...ownPages, params: OnePiece, response: { 200: Preview, ...refusals } } },
    (request) => previewPiece(publishing, writerOf(request), request.params.id, signalOf(request)),
  )

  app.post(
    '/:id/publish',
    { schema: { ...ownPages, params: OnePiece, body: WithNonce, response: found } },
    async (request, reply) =>
      tagged(
        reply,
        await publishPiece(publishing, writerOf(request), request.params.id, request.body.nonce, signalOf(request)),
      ),
  )

  app.post(
    '/:id/update',
    { schema: { ...ownPages, params: OnePiece, body: WithNonce, response: found } },
    async (request, reply) =>
      tagged(
        reply,
        await showPiece(
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
      { schema: { ...ownPages, params: OnePiece, body: WithNonce, response: found } },
      async (request, reply) =>
        tagged(reply, await submitPiece(publishing, writerOf(request), request.params.id, request.body.nonce, act)),
    )
  }

  for (const act of moves) {
    app.post(`/:id/${act}`, { schema: { ...ownPages, params: OnePiece, response: found } }, async (request, reply) =>
      tagged(reply, await movePiece(publishing, writerOf(request), request.params.id, act)),
    )
  }

  app.get(
    '/:id/history',
    { schema: { ...ownPages, params: OnePiece, response: { 200: History, ...refusals } } },
    (request) => pieceHistory(publishing, writerOf(request), request.params.id),
  )

  app.get(
    '/:id/revisions/:revision',
    {
      schema: {
        ...ownPages,
        params: OneRevision,
        response: { 200: RevisionFound, ...refusals },
      },
    },
    (request) => pieceRevision(publishing, writerOf(request), request.params.id, Number(request.params.revision)),
  )

  app.put(
    '/:id/revisions/:revision/name',
    { schema: { ...ownPages, params: OneRevision, body: RevisionName, response: { 200: Done, ...refusals } } },
    async (request) => {
      const { id, revision } = request.params
      await nameRevision(publishing, writerOf(request), id, Number(revision), request.body.name?.trim() ?? null)
      return { ok: true as const }
    },
  )
}
