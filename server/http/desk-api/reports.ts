import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SiteInfo } from '#config/site-info.ts'
import { dismissReports, openReports, readReport, reportable, sendReport } from '#features/moderation/reports.ts'
import {
  Dismissed,
  type Kind,
  type ReportForm,
  ReportList,
  ReportPage,
  type Subject,
} from '#features/moderation/schema.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { ServiceError } from '#platform/errors.ts'
import { network } from '#platform/http/limits.ts'
import { privateHeaders, publicPage } from '#platform/http/security.ts'
import { type FormField, fieldsOf, readForms } from './forms.ts'
import { reportPages, reportPath } from './reports-page.ts'
import {
  type DeskRoutesContext,
  errorResponses,
  hidden,
  moderatorOf,
  rejectApiKey,
  requireSameOrigin,
  requireSessionOnAll,
} from './session.ts'

export interface ReportRoutesContext extends DeskRoutesContext {
  readonly siteInfo: SiteInfo
  readonly prefix?: string
}

/** Reports: anyone can send one, without cookies or scripts; moderators settle them. */
export const reportRoutes: FastifyPluginAsyncTypebox<ReportRoutesContext> = async (app, options) => {
  const context: ReportRoutesContext = { ...options, prefix: '' }
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', rejectApiKey)
  app.addHook('onRequest', requireSameOrigin(context))
  await app.register(formRoutes, context)
  await app.register(queueRoutes, { ...context, prefix: '/api/reports' })
}

/** /desk/report/{piece} and /desk/report/listing/{listing}: the form and the thank-you page. */
const formRoutes: FastifyPluginAsyncTypebox<ReportRoutesContext> = async (app, { desk, gate, siteInfo }) => {
  const pages = reportPages(siteInfo, desk.urls)
  const readRoute = { onRequest: gate('desk', 'read'), schema: { ...hidden, params: OnePiece } }
  const sendRoute = { ...readRoute, onRequest: gate('desk', 'signIn') }
  readForms(app, maxFormBytes, readForm)

  const show = (reply: FastifyReply, page: string, status = 200) => {
    publicPage(reply, desk.urls)
    return reply.code(status).type('text/html; charset=utf-8').send(page)
  }

  for (const [path, kind] of paths) {
    app.get(path, readRoute, async (request, reply) =>
      show(reply, pages.form(await reportable(desk, subjectOf(request, kind)))),
    )

    app.post(path, sendRoute, async (request, reply) => {
      const subject = subjectOf(request, kind)
      const about = await reportable(desk, subject)
      const { trap, ...form } = (request.body as SentForm | undefined) ?? readForm(fieldsOf(''))
      try {
        const report = readReport(form)
        if (trap === '') await sendReport(desk, subject, report, network(request.ip ?? ''))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        if (error.reason === 'validation_failed')
          return show(reply, pages.form(about, form, error.errors), error.status)
        if (error.reason === 'limit_reached') return show(reply, pages.tooMany(about), error.status)
        throw error
      }
      return reply.redirect(`${reportPath(subject)}/thanks`, 303)
    })

    app.get(`${path}/thanks`, readRoute, async (request, reply) => {
      const about = await reportable(desk, subjectOf(request, kind)).catch((error) => {
        if (error instanceof ServiceError && error.status === 404) return undefined
        throw error
      })
      return show(reply, pages.thanks(about))
    })
  }
}

const paths: readonly (readonly [path: string, kind: Kind])[] = [
  ['/report/:id', 'piece'],
  ['/report/listing/:id', 'listing'],
]

const subjectOf = ({ params }: FastifyRequest<{ Params: { id: string } }>, kind: Kind): Subject => ({
  kind,
  id: params.id.toLowerCase(),
})

/** /desk/api/reports: open reports, for moderators. Taking something down settles its reports. */
const queueRoutes: FastifyPluginAsyncTypebox<ReportRoutesContext> = async (app, context) => {
  requireSessionOnAll(app, context)

  app.get(
    '/',
    { schema: { ...hidden, querystring: ReportList, response: { 200: ReportPage, ...errorResponses } } },
    (request) => openReports(context.desk, moderatorOf(request), request.query),
  )

  for (const [path, kind] of [
    ['/:id/dismiss', 'piece'],
    ['/listings/:id/dismiss', 'listing'],
  ] as const) {
    app.post(
      path,
      { schema: { ...hidden, params: OnePiece, response: { 200: Dismissed, ...errorResponses } } },
      (request) => dismissReports(context.desk, moderatorOf(request), { kind, id: request.params.id }),
    )
  }
}

/** The submitted form: the report, and a honeypot field that people do not see and bots fill in. */
interface SentForm extends ReportForm {
  readonly trap: string
}

/** Two texts of 1,000 four-byte characters, percent-encoded at three characters per byte, plus the rest. */
const maxFormBytes = 32_000

const readForm = (field: FormField): SentForm => ({
  reason: field('reason'),
  note: field('note'),
  email: field('email'),
  place: field('place'),
  name: field('name'),
  good_faith: field('good_faith'),
  trap: field('website'),
})
