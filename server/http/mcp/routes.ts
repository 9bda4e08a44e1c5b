import type { FastifyPluginAsync, FastifySchema } from 'fastify'
import { cached } from '#platform/http/caching.ts'
import type { Spend } from '#platform/http/limits.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import type { Catalogue } from '#platform/mcp/catalogue.ts'
import { dispatcher } from '#platform/mcp/dispatch.ts'
import { checkHost } from '#platform/mcp/host.ts'
import type { Identity } from '#platform/mcp/identity.ts'
import { listeningStreams } from '#platform/mcp/subscriptions.ts'
import type { Call } from '#platform/mcp/tool.ts'
import {
  answerFailures,
  answerMessage,
  callBy,
  jsonType,
  notAllowed,
  readMessages,
  refuseStream,
} from '#platform/mcp/transport.ts'
import { publicDiscovery } from './discovery.ts'
import { asked, discovered } from './openapi.ts'
import type { ReadCall } from './read-tool.ts'

export interface ToolRoutesContext extends Pick<PublicContext, 'reads' | 'gate' | 'onPartial'> {
  readonly identity: Identity
  readonly catalogue: Catalogue<ReadCall>
  readonly allowedHosts: readonly string[]
  readonly spend: Spend
  readonly onOutcome: Call['onOutcome']
}

const path = '/api/mcp'
const methods = 'GET, POST, OPTIONS'

/** /api/mcp: the tools of the site by JSON-RPC, each message for itself, without sessions and without a key. */
export const toolRoutes: FastifyPluginAsync<ToolRoutesContext> = async (app, context) => {
  const { reads, gate, identity, catalogue, allowedHosts, spend, onPartial, onOutcome } = context
  const dispatch = dispatcher(identity, catalogue)
  const streams = listeningStreams()
  app.addHook('preClose', async () => streams.closeAll())
  app.addHook('onRequest', checkHost(identity.base, allowedHosts))
  readMessages(app)
  answerFailures(app)

  app.post(
    path,
    { onRequest: gate('tools', 'tools'), schema: asked as FastifySchema, validatorCompiler: () => () => true },
    (request, reply) => {
      const searchWait = () => spend('search', request.ip ?? '')
      const by = { ...callBy(request, reply, onOutcome), reads, onPartial, searchWait }
      return answerMessage(request, reply, { dispatch, streams, by })
    },
  )

  const discovery = JSON.stringify(publicDiscovery(identity, catalogue))
  app.get(
    path,
    { onRequest: gate('single', 'read'), onSend: cached('description'), schema: discovered },
    async (request, reply) => {
      reply.header('vary', 'Accept')
      refuseStream(request)
      reply.type(jsonType)
      return discovery
    },
  )

  app.route({
    url: path,
    method: ['DELETE', 'PUT', 'PATCH', 'TRACE'],
    schema: { hide: true } as object,
    handler: () => {
      throw notAllowed(methods)
    },
  })

  app.options(path, { schema: { hide: true } as object }, async (request, reply) => {
    const wanted = request.headers['access-control-request-headers'] ?? '*'
    reply.code(204).headers({
      allow: methods,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': wanted,
      'access-control-max-age': '86400',
    })
  })
}
