import type { FastifyPluginAsync } from 'fastify'
import { requestFields } from '#platform/observability/requests.ts'
import { type DeskRoutesContext, hidden, rejectApiKey, requireSameOrigin } from './session.ts'

const maxReportBytes = 16_384
const maxReports = 5

/**
 * /desk/csp-reports: CSP violations on desk pages, for the operator's log. Any script can send one, so it changes
 * nothing and only a little of it is logged.
 */
export const cspReportRoutes: FastifyPluginAsync<DeskRoutesContext> = async (app, context) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/reports+json',
    { parseAs: 'string', bodyLimit: maxReportBytes },
    app.getDefaultJsonParser('remove', 'remove'),
  )
  app.addHook('onRequest', rejectApiKey)
  app.addHook('onRequest', requireSameOrigin(context))

  app.post('/csp-reports', { onRequest: context.gate('desk', 'signIn'), schema: hidden }, async (request, reply) => {
    for (const report of [request.body].flat().slice(0, maxReports)) {
      const { effectiveDirective, blockedURL, sourceFile } = (report as Report | null)?.body ?? {}
      if (effectiveDirective === undefined) continue
      request.log.warn({
        event: 'policy_violated',
        ...requestFields(request),
        directive: short(effectiveDirective),
        blocked: short(blockedURL),
        source: short(sourceFile),
      })
    }
    return reply.code(204).send()
  })
}

interface Report {
  readonly body?: { readonly [member: string]: unknown }
}

const short = (given: unknown): string => String(given ?? '').slice(0, 200)
