import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findPiecesToPin, frontPageChoices, saveFrontPage } from '#features/front-page/desk.ts'
import {
  FindPieces,
  FrontPageChoices,
  FrontPageConflict,
  PiecesToPin,
  PreviewChoices,
  SaveFrontPage,
} from '#features/front-page/schema.ts'
import { message } from '#messages/message.ts'
import { ServiceError } from '#platform/errors.ts'
import { errorBody, languageOf } from '#platform/http/errors.ts'
import { previewPage, privateHeaders } from '#platform/http/security.ts'
import { inFrame } from './preview.ts'
import {
  type DeskRoutesContext,
  errorResponses,
  hidden,
  moderatorOf,
  rejectApiKey,
  requireSessionOnAll,
} from './session.ts'

/** /desk/api/front-page: what moderators pin there, in which order and until when. */
export const frontPageRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk } = context
  requireSessionOnAll(app, context)

  app.get('/', { schema: { ...hidden, response: { 200: FrontPageChoices, ...errorResponses } } }, (request) =>
    frontPageChoices(desk, moderatorOf(request)),
  )

  app.put(
    '/',
    {
      schema: {
        ...hidden,
        body: SaveFrontPage,
        response: { 200: FrontPageChoices, 409: FrontPageConflict, ...errorResponses },
      },
    },
    async (request, reply) => {
      const moderator = moderatorOf(request)
      const saved = await saveFrontPage(desk, moderator, request.body)
      if (saved) return saved
      const error = new ServiceError(409, 'changed_meanwhile', message('error.front_page.changed'))
      const current = await frontPageChoices(desk, moderator)
      return reply.code(409).send({ ...errorBody(error, request.id, languageOf(request)), ok: false as const, current })
    },
  )

  app.get(
    '/pieces',
    { schema: { ...hidden, querystring: FindPieces, response: { 200: PiecesToPin, ...errorResponses } } },
    (request) => {
      moderatorOf(request)
      return findPiecesToPin(desk, request.query)
    },
  )
}

export interface FrontPagePreviewContext extends DeskRoutesContext {
  /** Draws the public page; passed in because one HTTP surface does not import another. */
  readonly drawFrontPage: (choices: { pins: readonly string[]; note: string | null }) => Promise<string>
}

/** /desk/front-page/preview: the front page with what is not saved yet, for moderators, in a frame of the desk. */
export const frontPagePreviewRoutes: FastifyPluginAsyncTypebox<FrontPagePreviewContext> = async (app, context) => {
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', rejectApiKey)
  requireSessionOnAll(app, context)

  app.get('/front-page/preview', { schema: { ...hidden, querystring: PreviewChoices } }, async (request, reply) => {
    moderatorOf(request)
    const { pins, note } = request.query
    const page = await context.drawFrontPage({ pins: pins ? pins.split(',') : [], note: note || null })
    previewPage(reply, context.desk.urls)
    return reply.type('text/html; charset=utf-8').send(inFrame(page))
  })
}
