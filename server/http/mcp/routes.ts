import type { FastifyPluginAsync, FastifySchema } from 'fastify'
import Type from 'typebox'
import type { PublicContext } from '#http/public-context.ts'
import { described } from '#platform/common-schemas.ts'
import { cached } from '#platform/http/caching.ts'
import type { Spend } from '#platform/http/limits.ts'
import type { Catalogue } from '#platform/mcp/catalogue.ts'
import { dispatcher } from '#platform/mcp/dispatch.ts'
import type { Identity } from '#platform/mcp/identity.ts'
import { discovery, Message, messageAnswers, rpcRefusals, transportWords } from '#platform/mcp/openapi.ts'
import type { Call } from '#platform/mcp/tool.ts'
import {
  answerFailures,
  answerMessage,
  callBy,
  checkHost,
  createSubscriptionStreams,
  jsonType,
  notAllowed,
  readMessages,
  refuseStream,
} from '#platform/mcp/transport.ts'
import { publicDiscovery } from './discovery.ts'
import type { ReadCall } from './tools.ts'

export interface McpRoutesContext extends Pick<PublicContext, 'reads' | 'gate' | 'onPartial'> {
  readonly identity: Identity
  readonly catalogue: Catalogue<ReadCall>
  readonly allowedHosts: readonly string[]
  readonly spend: Spend
  readonly onOutcome: Call['onOutcome']
}

const path = '/api/mcp'
const methods = 'GET, POST, OPTIONS'

/** /api/mcp: the public tools over JSON-RPC, stateless, without sessions or keys. */
export const mcpRoutes: FastifyPluginAsync<McpRoutesContext> = async (app, context) => {
  const { reads, gate, identity, catalogue, allowedHosts, spend, onPartial, onOutcome } = context
  const dispatch = dispatcher(identity, catalogue)
  const streams = createSubscriptionStreams()
  app.addHook('preClose', async () => streams.closeAll())
  app.addHook('onRequest', checkHost(identity.base, allowedHosts))
  readMessages(app)
  answerFailures(app)

  app.post(
    path,
    {
      onRequest: gate('tools', 'tools'),
      schema: callToolsSchema as FastifySchema,
      validatorCompiler: () => () => true,
    },
    (request, reply) => {
      const searchWait = () => spend('search', request.ip ?? '')
      const by = { ...callBy(request, reply, onOutcome), reads, onPartial, searchWait }
      return answerMessage(request, reply, { dispatch, streams, by })
    },
  )

  const discovery = JSON.stringify(publicDiscovery(identity, catalogue))
  app.get(
    path,
    { onRequest: gate('single', 'read'), onSend: cached('description'), schema: discoverToolsSchema },
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
    const requestedHeaders = request.headers['access-control-request-headers'] ?? '*'
    reply.code(204).headers({
      allow: methods,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requestedHeaders,
      'access-control-max-age': '86400',
    })
  })
}

/** The MCP server in the OpenAPI document. */

const refusals = {
  ...transportWords,
  403: 'The Origin is none, or the Host is not ours.',
  413: 'The message is larger than 64 KiB.',
  429: 'Too many messages from this address; `Retry-After` says when to come back.',
} as const

const callToolsSchema = {
  operationId: 'callTools',
  tags: ['Tools'],
  summary: 'Ask the tool server',
  description:
    'One JSON-RPC 2.0 message of the Model Context Protocol: revisions 2025-06-18, 2025-11-25 and 2026-07-28. Methods: initialize, ping, tools/list, tools/call, prompts/list, prompts/get, resources/list, resources/templates/list, resources/read, completion/complete; by 2026-07-28 also server/discover and subscriptions/listen, which answers with a stream. Failures of JSON-RPC stand in a 200.',
  body: Message,
  response: { ...messageAnswers, ...rpcRefusals(refusals) },
}

const uri = Type.String({ format: 'uri' })

const discoverToolsSchema = {
  operationId: 'discoverTools',
  tags: ['Tools'],
  summary: 'What the tool server is',
  response: {
    200: described(
      Type.Object({ ...discovery, manifest: uri, serverCard: uri, documentation: uri }),
      'Where it is and what it offers.',
    ),
    304: { type: 'null', description: 'You have it already.' },
    ...rpcRefusals({
      ...refusals,
      400: 'The request cannot be read.',
      405: 'There is no stream to listen to: POST a message.',
    }),
  },
}
