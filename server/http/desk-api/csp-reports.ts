import type { FastifyPluginAsync } from 'fastify'
import { requestFields } from '#platform/http/request-id.ts'
import { type DeskRoutesContext, ownPages } from './context.ts'
import { sameOrigin, withoutKey } from './session.ts'

const largestReport = 16_384
const mostOfThem = 5

/**
 * /desk/csp-reports: what a browser was not allowed to do on a page of the desk, for the operator's log. A
 * script can send one, so it changes nothing and little of it is kept.
 */
export const policyReportRoutes: FastifyPluginAsync<DeskRoutesContext> = async (app, context) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/reports+json',
    { parseAs: 'string', bodyLimit: largestReport },
    app.getDefaultJsonParser('remove', 'remove'),
  )
  app.addHook('onRequest', withoutKey)
  app.addHook('onRequest', sameOrigin(context))

  app.post('/csp-reports', { onRequest: context.gate('desk', 'signIn'), schema: ownPages }, async (request, reply) => {
    for (const report of [request.body].flat().slice(0, mostOfThem)) {
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
