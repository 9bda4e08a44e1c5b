import { readFileSync } from 'node:fs'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  addLinkComment,
  type CommentForm,
  choosableParagraphs,
  commentsByLink,
  readCommentForm,
} from '#features/comments/by-link.ts'
import { OnePreview } from '#features/pieces/desk-schema.ts'
import { type PreviewedPiece, previewedPiece } from '#features/pieces/preview.ts'
import { message } from '#messages/message.ts'
import { sourceLanguage, translatorOf } from '#messages/translator.ts'
import { type FieldProblem, notFound, ServiceError } from '#platform/errors.ts'
import type { Html } from '#platform/html.ts'
import { signalOf } from '#platform/http/deadline.ts'
import { sharedPreviewPage } from '#platform/http/security.ts'
import { type FormField, fieldsOf, readForms } from './forms.ts'
import type { MediaRoutesContext } from './media.ts'
import { commentSection } from './preview-comments-page.ts'
import { hidden, requireSameOrigin } from './session.ts'
import { languageFor } from './spa.ts'

export interface PreviewRoutesContext extends MediaRoutesContext {
  /** Renders the public page; passed in because one HTTP surface does not import another. */
  readonly drawPreview: (shown: PreviewedPiece, comments?: Html) => string
  /** Draws the picture that links to it will show, as PNG. */
  readonly drawLinkPicture: (shown: PreviewedPiece, token: string) => Promise<Buffer>
}

/** The submitted form, and a honeypot field that people do not see and bots fill in. */
interface SentForm extends CommentForm {
  readonly trap: string
}

const readForm = (field: FormField): SentForm => ({
  name: field('name'),
  passage: field('passage'),
  words: field('words'),
  comment: field('comment'),
  replacement: field('replacement'),
  thread: field('thread'),
  trap: field('website'),
})

/** 2,000 and twice 5,000 four-byte characters, percent-encoded at three characters per byte, plus the rest. */
const maxFormBytes = 160_000

interface Shown {
  readonly status?: number
  readonly form?: CommentForm
  readonly problems?: readonly FieldProblem[]
  readonly isSent?: boolean
}

/** The page of a private link, with the comments made by it and the form for another. */
export async function showShared(
  { publishing, desk, drawPreview }: PreviewRoutesContext,
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
  piece: PreviewedPiece,
  { status = 200, form, problems, isSent = false }: Shown = {},
): Promise<FastifyReply> {
  const { token } = request.params
  const section = commentSection(translatorOf(languageFor(request.headers, sourceLanguage)), {
    action: `${publishing.urls.preview(token)}/comments`,
    comments: await commentsByLink(desk, token),
    paragraphs: choosableParagraphs(piece.body),
    form,
    problems,
    isSent,
  })
  sharedPreviewPage(reply, desk.urls)
  return reply.code(status).type('text/html; charset=utf-8').send(drawPreview(piece, section))
}

/**
 * /desk/preview/{token}/comments: a comment from the page of a private link. The token is the permission: no cookie is
 * read. Each answer is the page, since nothing on it runs.
 */
export const previewCommentRoutes: FastifyPluginAsyncTypebox<PreviewRoutesContext> = async (app, context) => {
  const { publishing, desk, gate } = context
  const sheet = readFileSync(new URL('./preview-comments.css', import.meta.url), 'utf8')
  readForms(app, maxFormBytes, readForm)
  app.addHook('onRequest', requireSameOrigin(context))

  app.post(
    '/preview/:token/comments',
    { onRequest: gate('desk', 'signIn'), schema: { ...hidden, params: OnePreview } },
    async (request, reply) => {
      const { token } = request.params
      const piece = await previewedPiece(publishing, token, signalOf(request))
      if (piece.link === null) throw notFound(message('error.preview_expired'))
      const { trap, ...form } = (request.body as SentForm | undefined) ?? readForm(fieldsOf(''))
      try {
        const comment = readCommentForm(form, piece.body)
        if (trap === '') await addLinkComment(desk, token, comment)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        if (error.reason === 'validation_failed')
          return showShared(context, request, reply, piece, { status: error.status, form, problems: error.errors })
        if (error.reason !== 'limit_reached') throw error
        const problems = [{ pointer: '/', code: 'too_many', detail: 'has too many comments' } as const]
        return showShared(context, request, reply, piece, { status: error.status, form, problems })
      }
      return reply.redirect(`${publishing.urls.preview(token)}?sent=yes#comments`, 303)
    },
  )

  app.get('/preview-comments.css', { onRequest: gate('desk', 'read'), schema: hidden }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(sheet),
  )
}
