import { readFileSync } from 'node:fs'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { dismissReports, openReports, readReport, reportable, sendReport } from '#features/moderation/reports.ts'
import { Dismissed, type Kind, ReportList, ReportPage, type Subject } from '#features/moderation/reports-schema.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { ServiceError } from '#platform/errors.ts'
import { network } from '#platform/http/limits.ts'
import { privateHeaders, publicPage } from '#platform/http/security.ts'
import type { SiteInfo } from '#platform/site.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { readForm, readForms, type SentForm } from './reports-form.ts'
import { reportPages, reportPath } from './reports-page.ts'
import { moderatorOf, sameOrigin, signedIn, withoutKey } from './session.ts'

export interface ReportRoutesContext extends DeskRoutesContext {
  readonly siteInfo: SiteInfo
  readonly prefix?: string
}

/** Reports: anybody sends one, without a cookie or a script, and moderators settle them. */
export const reportRoutes: FastifyPluginAsyncTypebox<ReportRoutesContext> = async (app, options) => {
  const context: ReportRoutesContext = { ...options, prefix: '' }
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', withoutKey)
  app.addHook('onRequest', sameOrigin(context))
  await app.register(formRoutes, context)
  await app.register(queueRoutes, { ...context, prefix: '/api/reports' })
}

/** /desk/report/{piece} and /desk/report/listing/{listing}: the form, and thanks. */
const formRoutes: FastifyPluginAsyncTypebox<ReportRoutesContext> = async (app, { desk, gate, siteInfo }) => {
  const pages = reportPages(siteInfo, desk.urls)
  const sheet = readFileSync(new URL('./reports.css', import.meta.url), 'utf8')
  const looking = { onRequest: gate('desk', 'read'), schema: { ...ownPages, params: OnePiece } }
  const sending = { ...looking, onRequest: gate('desk', 'signIn') }
  readForms(app)

  const show = (reply: FastifyReply, page: string, status = 200) => {
    publicPage(reply, desk.urls)
    return reply.code(status).type('text/html; charset=utf-8').send(page)
  }

  for (const [path, kind] of paths) {
    app.get(path, looking, async (request, reply) =>
      show(reply, pages.form(await reportable(desk, subjectOf(request, kind)))),
    )

    app.post(path, sending, async (request, reply) => {
      const subject = subjectOf(request, kind)
      const about = await reportable(desk, subject)
      const { trap, ...form } = (request.body as SentForm | undefined) ?? readForm('')
      try {
        const report = readReport(form)
        if (trap === '') await sendReport(desk, subject, report, network(request.ip ?? ''))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        if (error.reason === 'validation_failed')
          return show(reply, pages.form(about, form, error.errors), error.status)
        if (error.reason === 'limit_reached') return show(reply, pages.enough(about, error.message), error.status)
        throw error
      }
      return reply.redirect(`${reportPath(subject)}/thanks`, 303)
    })

    app.get(`${path}/thanks`, looking, async (request, reply) => {
      const about = await reportable(desk, subjectOf(request, kind)).catch((error) => {
        if (error instanceof ServiceError && error.status === 404) return undefined
        throw error
      })
      return show(reply, pages.thanks(about))
    })
  }

  app.get('/report.css', { onRequest: gate('desk', 'read'), schema: ownPages }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(sheet),
  )
}

const paths: readonly (readonly [path: string, kind: Kind])[] = [
  ['/report/:id', 'piece'],
  ['/report/listing/:id', 'listing'],
]

const subjectOf = ({ params }: FastifyRequest<{ Params: { id: string } }>, kind: Kind): Subject => ({
  kind,
  id: params.id.toLowerCase(),
})

/** /desk/api/reports: what is open, for moderators. Taking something down settles what was reported of it. */
const queueRoutes: FastifyPluginAsyncTypebox<ReportRoutesContext> = async (app, context) => {
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))

  app.get(
    '/',
    { schema: { ...ownPages, querystring: ReportList, response: { 200: ReportPage, ...refusals } } },
    (request) => openReports(context.desk, moderatorOf(request), request.query),
  )

  for (const [path, kind] of [
    ['/:id/dismiss', 'piece'],
    ['/listings/:id/dismiss', 'listing'],
  ] as const) {
    app.post(
      path,
      { schema: { ...ownPages, params: OnePiece, response: { 200: Dismissed, ...refusals } } },
      (request) => dismissReports(context.desk, moderatorOf(request), { kind, id: request.params.id }),
    )
  }
}
