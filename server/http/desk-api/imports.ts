import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeskPieceFound } from '#features/pieces/desk-schema.ts'
import { Confirmation, ConfirmImports, ImportBody, ImportedDrafts, ImportId } from '#features/pieces/import-schema.ts'
import { confirmImports, importDraft, importedDrafts, publishImported } from '#features/pieces/imports.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { largestTextBody, withEtag } from '#platform/http/caching.ts'
import { signalOf } from '#platform/http/deadline.ts'
import { type DeskRoutesContext, errorResponses, hidden, requireSessionOnAll, writerOf } from './session.ts'

/** /desk/api/imports: drafts from other services, and their publication with the dates they had. */
export const importRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { publishing } = context
  requireSessionOnAll(app, context)

  app.get('/', { schema: { ...hidden, response: { 200: ImportedDrafts, ...errorResponses } } }, (request) =>
    importedDrafts(publishing, writerOf(request)),
  )

  app.put(
    '/:id',
    {
      bodyLimit: largestTextBody,
      schema: { ...hidden, params: ImportId, body: ImportBody, response: { 200: DeskPieceFound, ...errorResponses } },
    },
    async (request, reply) =>
      withEtag(reply, await importDraft(publishing, writerOf(request), request.params.id, request.body)),
  )

  app.post(
    '/confirm',
    { schema: { ...hidden, body: ConfirmImports, response: { 200: Confirmation, ...errorResponses } } },
    (request) => confirmImports(publishing, writerOf(request), request.body),
  )

  app.post(
    '/:id/publish',
    { schema: { ...hidden, params: OnePiece, response: { 200: DeskPieceFound, ...errorResponses } } },
    async (request, reply) =>
      withEtag(reply, await publishImported(publishing, writerOf(request), request.params.id, signalOf(request))),
  )
}
