import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Done } from '#features/accounts/schema.ts'
import {
  answerInvitation,
  coAuthoredPiece,
  coAuthorInvitations,
  coAuthorsOf,
  setCoAuthors,
  writersToInvite,
} from '#features/pieces/co-authors.ts'
import {
  ChosenCoAuthors,
  CoAuthorAnswer,
  CoAuthoredPiece,
  CoAuthorInvitations,
  CoAuthors,
  FindWriters,
  WritersToInvite,
} from '#features/pieces/co-authors-schema.ts'
import {
  DraftPage,
  DraftRevision,
  FindOriginal,
  OriginalFound,
  TranslationAnswer,
  TranslationList,
} from '#features/pieces/desk-schema.ts'
import { previewRequested } from '#features/pieces/requested-draft.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { answerTranslation, findOriginal, translationsAsked } from '#features/pieces/translations.ts'
import { type DeskRoutesContext, errorResponses, hidden, requireSessionOnAll, writerOf } from './session.ts'

/**
 * What writers ask each other: /desk/api/translations has originals to translate, and translations of a writer's own pieces by
 * others; /desk/api/co-authors the pieces of others that a writer is invited to sign; and each piece has its co-authors.
 */
export const requestRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
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

  app.get(
    '/co-authors/:id',
    { schema: { ...hidden, params: OnePiece, response: { 200: CoAuthoredPiece, ...errorResponses } } },
    (request) => coAuthoredPiece(publishing, writerOf(request), request.params.id),
  )

  app.post(
    '/co-authors/:id/answer',
    { schema: { ...hidden, params: OnePiece, body: CoAuthorAnswer, response: { 200: Done, ...errorResponses } } },
    async (request) => {
      await answerInvitation(publishing, writerOf(request), request.params.id, request.body)
      return { ok: true as const }
    },
  )

  app.get(
    '/translations',
    { schema: { ...hidden, response: { 200: TranslationList, ...errorResponses } } },
    (request) => translationsAsked(publishing, writerOf(request)),
  )

  app.get(
    '/translations/original',
    { schema: { ...hidden, querystring: FindOriginal, response: { 200: OriginalFound, ...errorResponses } } },
    (request) => findOriginal(publishing, writerOf(request), request.query.url),
  )

  app.post(
    '/translations/:id/answer',
    { schema: { ...hidden, params: OnePiece, body: TranslationAnswer, response: { 200: Done, ...errorResponses } } },
    async (request) => {
      await answerTranslation(publishing, writerOf(request), request.params.id, request.body)
      return { ok: true as const }
    },
  )

  for (const kind of ['translations', 'co-authors']) {
    app.post(
      `/${kind}/:id/preview`,
      { schema: { ...hidden, params: OnePiece, body: DraftRevision, response: { 200: DraftPage, ...errorResponses } } },
      (request) => previewRequested(publishing, writerOf(request), request.params.id, request.body.revision),
    )
  }
}
