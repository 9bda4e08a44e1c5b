import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { deleteDraft, editDraft, myPiece, myPieces } from '#features/pieces/api-pieces.ts'
import {
  CreatePieceBody,
  CreatePieceResponse,
  EditPieceBody,
  MyPieceFound,
  MyPieceList,
  MyPieces,
} from '#features/pieces/draft-schema.ts'
import { createDraft, firstTag } from '#features/pieces/drafts.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { described } from '#platform/common-schemas.ts'
import { largestTextBody, withEtag } from '#platform/http/caching.ts'
import { linkNext } from '#platform/http/link-headers.ts'
import { privateHeaders } from '#platform/http/security.ts'
import { holderOf, requireKey, requireKeyCached } from './api-key-auth.ts'
import { type ApiContext, idempotencyKeyOf, reportIgnored } from './context.ts'
import { failures } from './openapi.ts'

const IdempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Any string of your own, new for each piece. Repeat a request with the same one and the piece is made once; ' +
        'the repetition gets the first answer, with `Idempotent-Replayed: true`. Kept for 24 hours.',
      examples: ['8f0e1c4e-6a0d-4f2a-9d7e-3b1f5c2a7e90'],
    }),
  ),
})
const IfMatch = Type.Object({
  'if-match': Type.String({ description: 'The `ETag` of the piece as you read it.', examples: ['"3"'] }),
})

/** /api/v1/pieces: drafts, with a writer's key. Nothing here makes anything public. */
export const draftRoutes: FastifyPluginAsyncTypebox<ApiContext> = async (app, { writes, gate, quotas, onIgnored }) => {
  app.decorateRequest('holder', null)
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', async (_request, reply) => void reply.header('vary', 'Authorization'))
  const reading = [...gate, requireKey(writes, 'pieces:write'), quotas.reading]
  const writing = [...gate, requireKey(writes, 'pieces:write'), quotas.writing]
  const creator = requireKeyCached(writes, 'pieces:write')
  const noteIgnored = reportIgnored(onIgnored)
  const common = { tags: ['Drafts'], security: [{ key: [] }] }

  app.post(
    '',
    {
      onRequest: [...gate, creator.onRequest, quotas.writing],
      errorHandler: async (error, request) => {
        await creator.stillLive(request)
        throw error
      },
      bodyLimit: largestTextBody,
      schema: {
        ...common,
        operationId: 'createPiece',
        summary: 'Create a draft',
        description: 'Stores a draft, owned by the owner of the key. Only its writer can publish it, at the desk.',
        headers: IdempotencyKey,
        body: CreatePieceBody,
        response: {
          201: described(CreatePieceResponse, 'The draft was stored; its `ETag` names the first revision.'),
          ...failures(400, 409, 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      noteIgnored(Object.keys(request.body))
      const idempotencyKey = idempotencyKeyOf(request)
      const { answer, saved } = await quotas.saving(request, (mayCreate) =>
        createDraft(writes, holderOf(request), request.body, { idempotencyKey, mayCreate }),
      )
      if (answer === null) throw quotas.noneLeft()
      if (!saved) reply.header('idempotent-replayed', 'true')
      return reply.code(201).header('etag', firstTag).send(answer)
    },
  )

  app.get(
    '/me',
    {
      onRequest: reading,
      schema: {
        ...common,
        operationId: 'myPieces',
        summary: 'Your pieces',
        description: "The key owner's pieces in every state, newest first.",
        querystring: MyPieces,
        response: { 200: described(MyPieceList, 'A page of pieces, newest first.'), ...failures(400) },
      },
    },
    async (request, reply) =>
      linkNext(request, reply, writes.urls, await myPieces(writes, holderOf(request), request.query)),
  )

  app.get(
    '/:id',
    {
      onRequest: reading,
      schema: {
        ...common,
        operationId: 'myPiece',
        summary: 'One of your pieces',
        description:
          'A draft this key made, or with `drafts:read` or `drafts:edit` any of the writer; of a piece that is past being a draft, `body_md` is null.',
        params: OnePiece,
        response: { 200: described(MyPieceFound, 'The piece; its `ETag` names the revision.'), ...failures(404) },
      },
    },
    async (request, reply) =>
      withEtag(reply, await myPiece(writes, holderOf(request), request.params.id.toLowerCase())),
  )

  app.patch(
    '/:id',
    {
      onRequest: writing,
      bodyLimit: largestTextBody,
      schema: {
        ...common,
        operationId: 'editPiece',
        summary: 'Change a draft',
        description:
          'Changes what is sent and leaves the rest. Only drafts this key made, or with `drafts:edit` any of the writer; what is public is changed at the desk.',
        params: OnePiece,
        headers: IfMatch,
        body: EditPieceBody,
        response: {
          200: described(MyPieceFound, 'The draft as it now is.'),
          ...failures(400, 404, 409, 412, 413, 415, 428),
        },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      noteIgnored(Object.keys(body))
      const edited = await quotas.saving(request, async (left) => {
        if (!left) throw quotas.noneLeft()
        return editDraft(writes, holderOf(request), params.id.toLowerCase(), body, headers['if-match'])
      })
      return withEtag(reply, edited)
    },
  )

  app.delete(
    '/:id',
    {
      onRequest: writing,
      schema: {
        ...common,
        operationId: 'deletePiece',
        summary: 'Delete a draft',
        description:
          "Moves it to its writer's trash, where they can restore it for 30 days; to every key it is gone. Only drafts this key made, or with `drafts:delete` any of the writer.",
        params: OnePiece,
        headers: IfMatch,
        response: { 204: { type: 'null', description: 'It is gone.' }, ...failures(404, 409, 412, 428) },
      },
    },
    async (request, reply) => {
      await deleteDraft(writes, holderOf(request), request.params.id.toLowerCase(), request.headers['if-match'])
      return reply.code(204).send(null)
    },
  )
}
