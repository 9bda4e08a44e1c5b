import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { mediumOfPreview } from '#features/media/serve.ts'
import {
  LinkMade,
  Links,
  NewLink,
  OneLink,
  OnePreview,
  OnePreviewMedium,
  PreviewPictures,
} from '#features/pieces/desk-schema.ts'
import { listLinks, makeLink, previewedPiece, revokeLink } from '#features/pieces/preview.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { sourceLanguage, translatorOf } from '#messages/translator.ts'
import { signalOf } from '#platform/http/deadline.ts'
import { ownPicturesOnly, previewPage, privateHeaders } from '#platform/http/security.ts'
import { withoutExternalImages } from '#platform/markdown/pictures.ts'
import { style } from '#platform/page/style.ts'
import { sendMedium } from './media.ts'
import { type PreviewRoutesContext, previewCommentRoutes, showShared } from './preview-comments.ts'
import {
  type DeskRoutesContext,
  errorResponses,
  hidden,
  rejectApiKey,
  requireSessionOnAll,
  writerOf,
} from './session.ts'
import { languageFor } from './spa.ts'

/**
 * /desk/preview/{token}: a piece's page before publication, for anyone who has the token. The only place that shows
 * unpublished text without a session.
 */
export const previewRoutes: FastifyPluginAsyncTypebox<PreviewRoutesContext> = async (app, options) => {
  const { publishing, media, desk, gate, drawPreview, drawLinkPicture } = options
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', rejectApiKey)
  const onRequest = gate('desk', 'read')

  const shape = { ...hidden, params: OnePreview, querystring: PreviewPictures }
  app.get('/preview/:token', { onRequest, schema: shape }, async (request, reply) => {
    const piece = await previewedPiece(publishing, request.params.token, signalOf(request))
    // With comments and their form, unless it is framed.
    const isFramed = request.headers['sec-fetch-dest'] === 'iframe'
    if (piece.link && !isFramed) {
      return showShared(options, request, reply, piece, { isSent: request.query.sent === 'yes' })
    }
    const isForModerators = request.query.pictures === 'own'
    const fullPage = drawPreview(piece)
    const t = translatorOf(languageFor(request.headers, sourceLanguage))
    const notLoaded = (address: string) => t('site.piece.picture_not_loaded', { address })
    const page = isForModerators ? withoutExternalImages(fullPage, desk.urls.base, notLoaded) : fullPage
    previewPage(reply, desk.urls)
    if (isForModerators) ownPicturesOnly(reply)
    return reply.type('text/html; charset=utf-8').send(isFramed ? inFrame(page) : page)
  })

  await app.register(previewCommentRoutes, { ...options, prefix: '' })

  app.get(
    '/preview/:token/link.png',
    { onRequest, schema: { ...hidden, params: OnePreview } },
    async (request, reply) => {
      const { token } = request.params
      const piece = await previewedPiece(publishing, token, signalOf(request))
      reply.header('x-robots-tag', 'noindex')
      return reply.type('image/png').send(await drawLinkPicture(piece, token))
    },
  )

  app.get(
    '/preview/:token/media/:hash',
    { onRequest, schema: { ...hidden, params: OnePreviewMedium } },
    async (request, reply) => {
      const { token, hash } = request.params
      const medium = await mediumOfPreview(desk.db, token, hash)
      reply.header('x-robots-tag', 'noindex')
      return sendMedium(reply, medium, media.store, hash)
    },
  )
}

/** In the desk's frame the page is only to be looked at, so its links are removed. Text never contains a bare `<`. */
export const inFrame = (page: string): string =>
  page.replace(/(<a\b[^>]*?) href="[^"]*"/g, '$1').replace(`href="${style().path}"`, `href="${style().framed.path}"`)

/** /desk/api/pieces/{id}/links: create, list and revoke private preview links. */
export const previewLinkRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk } = context
  requireSessionOnAll(app, context)

  app.post(
    '/:id/links',
    { schema: { ...hidden, params: OnePiece, body: NewLink, response: { 201: LinkMade, ...errorResponses } } },
    async (request, reply) => {
      reply.code(201)
      return makeLink(desk, writerOf(request), request.params.id, request.body)
    },
  )

  app.get(
    '/:id/links',
    { schema: { ...hidden, params: OnePiece, response: { 200: Links, ...errorResponses } } },
    (request) => listLinks(desk, writerOf(request), request.params.id),
  )

  app.delete('/:id/links/:link', { schema: { ...hidden, params: OneLink } }, async (request, reply) => {
    await revokeLink(desk, writerOf(request), request.params.id, request.params.link)
    return reply.code(204).send()
  })
}
