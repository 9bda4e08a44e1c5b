import type { FastifyPluginAsync } from 'fastify'
import { noteReports, type Provider, type ProviderContext } from '#features/followers/providers/provider.ts'
import { privateHeaders } from '#platform/http/security.ts'
import { type DeskRoutesContext, hidden } from './session.ts'

export interface BounceRoutesContext extends Pick<DeskRoutesContext, 'gate'> {
  readonly reporting: ProviderContext
  /** Those that are set up, by their names in addresses. */
  readonly providers: ReadonlyMap<string, Provider>
  readonly prefix?: string
}

/** Bytes: SendGrid sends many events at once. */
const largestReport = 2 ** 20

/**
 * /desk/bounces/{provider}: webhooks about emails that came back or were reported as spam. No cookie is read; the provider's
 * signature is the permission.
 */
export const bounceRoutes: FastifyPluginAsync<BounceRoutesContext> = async (app, { gate, reporting, providers }) => {
  app.addHook('onRequest', privateHeaders)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestReport }, (_request, body, done) =>
    done(null, body),
  )
  for (const [name, provider] of providers) {
    app.post(`/bounces/${name}`, { onRequest: gate('desk', 'read'), schema: hidden }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const header = (field: string): string | undefined => {
        const value = request.headers[field]
        return typeof value === 'string' ? value : undefined
      }
      const noted = await noteReports(reporting, name, await provider({ body, header }))
      for (const bounce of noted) request.log.info({ event: 'reader_email_returned', ...bounce })
      return reply.code(200).send()
    })
  }
}
