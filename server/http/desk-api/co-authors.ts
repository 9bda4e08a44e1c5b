import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Done } from '#features/accounts/schema.ts'
import {
  answerInvitation,
  coAuthorInvitations,
  coAuthorsOf,
  previewInvitation,
  setCoAuthors,
  writersToInvite,
} from '#features/pieces/co-authors.ts'
import {
  ChosenCoAuthors,
  CoAuthorAnswer,
  CoAuthorInvitations,
  CoAuthors,
  FindWriters,
  WritersToInvite,
} from '#features/pieces/co-authors-schema.ts'
import { TranslationPage, TranslationRevision } from '#features/pieces/desk-schema.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { type DeskRoutesContext, errorResponses, hidden, requireSessionOnAll, writerOf } from './session.ts'

/** Co-authors of a writer's own pieces, and pieces of others that a writer is invited to sign. */
export const coAuthorRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { publishing } = context
  requireSessionOnAll(app, context)

  const schema = { ...hidden, params: OnePiece, response: { 200: CoAuthors, ...errorResponses } }
  app.get('/pieces/:id/co-authors', { schema }, (request) =>
    coAuthorsOf(publishing, writerOf(request), request.params.id),
  )
  app.put('/pieces/:id/co-authors', { schema: { ...schema, body: ChosenCoAuthors } }, (request) =>
    setCoAuthors(publishing, writerOf(request), request.params.id, request.body),
  )

  app.get(
    '/co-authors',
    { schema: { ...hidden, response: { 200: CoAuthorInvitations, ...errorResponses } } },
    (request) => coAuthorInvitations(publishing, writerOf(request)),
  )

  app.get(
    '/co-authors/writers',
    { schema: { ...hidden, querystring: FindWriters, response: { 200: WritersToInvite, ...errorResponses } } },
    (request) => writersToInvite(publishing, writerOf(request), request.query.q),
  )

  app.post(
    '/co-authors/:id/preview',
    {
      schema: {
        ...hidden,
        params: OnePiece,
        body: TranslationRevision,
        response: { 200: TranslationPage, ...errorResponses },
      },
    },
    (request) => previewInvitation(publishing, writerOf(request), request.params.id, request.body.revision),
  )

  app.post(
    '/co-authors/:id/answer',
    { schema: { ...hidden, params: OnePiece, body: CoAuthorAnswer, response: { 200: Done, ...errorResponses } } },
    async (request) => {
      await answerInvitation(publishing, writerOf(request), request.params.id, request.body)
      return { ok: true as const }
    },
  )
}
