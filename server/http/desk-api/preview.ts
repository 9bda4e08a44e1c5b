import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { mediumOfPreview } from '#features/media/serve.ts'
import { type PieceOnPage, previewedPiece } from '#features/pieces/preview.ts'
import { OnePreview, OnePreviewMedium, PreviewPictures } from '#features/pieces/preview-schema.ts'
import { signalOf } from '#platform/http/deadline.ts'
import { ownPicturesOnly, previewPage, privateHeaders } from '#platform/http/security.ts'
import { withoutForeignPictures } from '#platform/markdown/pictures.ts'
import { ownPages } from './context.ts'
import { type MediaRoutesContext, sendMedium } from './media.ts'
import { withoutKey } from './session.ts'

export interface PreviewRoutesContext extends MediaRoutesContext {
  /** The function that draws the public page, handed in by who opens the doors. */
  readonly drawPreview: (shown: PieceOnPage) => string
}

/**
 * /desk/preview/{token}: what a piece's page will be, for whoever holds the token. The one place where text that is not
 * public is shown without a session.
 */
export const previewRoutes: FastifyPluginAsyncTypebox<PreviewRoutesContext> = async (app, options) => {
  const { publishing, media, desk, gate, drawPreview } = options
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', withoutKey)
  const onRequest = gate('desk', 'read')

  const shape = { ...ownPages, params: OnePreview, querystring: PreviewPictures }
  app.get('/preview/:token', { onRequest, schema: shape }, async (request, reply) => {
    const shown = await previewedPiece(publishing, request.params.token, signalOf(request))
    const isForModerators = request.query.pictures === 'own'
    const whole = drawPreview(shown)
    const page = isForModerators ? withoutForeignPictures(whole, desk.urls.base) : whole
    // The desk shows it in a frame; whoever has a private link reads it as a page.
    const isFramed = request.headers['sec-fetch-dest'] === 'iframe'
    previewPage(reply, desk.urls)
    if (isForModerators) ownPicturesOnly(reply)
    return reply.type('text/html; charset=utf-8').send(isFramed ? unfollowable(page) : page)
  })

  app.get(
    '/preview/:token/media/:hash',
    { onRequest, schema: { ...ownPages, params: OnePreviewMedium } },
    async (request, reply) => {
      const { token, hash } = request.params
      const medium = await mediumOfPreview(desk.db, token, hash)
      reply.header('x-robots-tag', 'noindex')
      return sendMedium(reply, medium, media.store, hash)
    },
  )
}

/** Beside a decision a page is to be looked at, and not left: its links lead nowhere. Text never has a bare `<`. */
const unfollowable = (page: string): string => page.replace(/(<a\b[^>]*?) href="[^"]*"/g, '$1')
