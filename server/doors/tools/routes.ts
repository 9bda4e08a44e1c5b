import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify'
import { ServiceError } from '#platform/errors.ts'
import { cached } from '#platform/http/caching.ts'
import { explained, failure } from '#platform/http/errors.ts'
import type { Spend } from '#platform/http/limits.ts'
import type { PublicDoor } from '#platform/http/public-door.ts'
import type { Catalogue } from './catalogue.ts'
import { asked, discovered } from './describing.ts'
import { discoveryObject } from './discovery.ts'
import { dispatcher } from './dispatch.ts'
import { codes, RpcError, unreadable, writtenError } from './envelope.ts'
import { checkHost } from './host.ts'
import type { Identity } from './identity.ts'
import { listeningStreams } from './listening.ts'
import type { Call } from './tool.ts'

export interface ToolDoor extends Pick<PublicDoor, 'reads' | 'gate' | 'onPartial'> {
  readonly identity: Identity
  readonly catalogue: Catalogue
  readonly allowedHosts: readonly string[]
  readonly spend: Spend
  readonly onOutcome: Call['onOutcome']
}

const path = '/api/mcp'
const jsonType = 'application/json; charset=utf-8'
const methods = 'GET, POST, OPTIONS'

/** /api/mcp: the tools of the house by JSON-RPC, each message for itself, without sessions and without a key. */
export const toolRoutes: FastifyPluginAsync<ToolDoor> = async (app, door) => {
  const { reads, gate, identity, catalogue, allowedHosts, spend, onPartial, onOutcome } = door
  const dispatch = dispatcher(identity, catalogue)
  const streams = listeningStreams()
  app.addHook('preClose', async () => streams.closeAll())
  app.addHook('onRequest', checkHost(identity.base, allowedHosts))
  readMessages(app)
  answerFailures(app)

  const callOf = (request: FastifyRequest, reply: FastifyReply): Call => ({
    reads,
    onPartial,
    onOutcome,
    write: (shape, body) => reply.serializeInput(body as Body, shape as unknown as Body) as string,
    searchWait: () => spend('search', request.ip ?? ''),
    noteFailure: (error) => {
      request.log.error({ event: 'failed', request: request.id, err: error })
      return request.id
    },
  })

  app.post(
    path,
    { onRequest: gate('single', 'tools'), schema: asked as FastifySchema, validatorCompiler: () => () => true },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { status, body, listen } = await dispatch(request.body, request.headers, callOf(request, reply))
      if (listen !== undefined) return streams.open(request, reply, listen)
      reply.code(status)
      return body === undefined ? reply.send() : reply.type(jsonType).send(body)
    },
  )

  const discovery = JSON.stringify(discoveryObject(identity, definitionsOf(catalogue)))
  app.get(
    path,
    { onRequest: gate('single', 'read'), onSend: cached('description'), schema: discovered },
    async (request, reply) => {
      reply.header('vary', 'Accept')
      // A client that looks for a stream asks again and again while it gets anything but 405.
      if (/text\/event-stream/i.test(request.headers.accept ?? '')) throw notAllowed('POST')
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

type Body = Record<string, unknown>

const notAllowed = (allow: string) => {
  const { status, reason, message } = failure(405)
  return new ServiceError(status, reason, message, { headers: { allow } })
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What is no JSON reaches the dispatcher as such: it has an answer of its own for that. */
function readMessages(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes: Buffer, done) => {
    let body: unknown = unreadable
    try {
      body = JSON.parse(utf8.decode(bytes))
    } catch {}
    done(null, body)
  })
}

/** Refusals of transport say it by their status and, as everything here, by a JSON-RPC error. */
function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | ServiceError, request, reply) => {
    const { status, message, reason, headers } = explained(error, request)
    if (status === 408) reply.header('connection', 'close')
    const isOurs = status === 429 || status >= 500
    const wait = headers['retry-after']
    const data = { reason, ...(wait ? { retry_after: Number(wait) } : {}) }
    const answer = new RpcError(isOurs ? codes.internal : codes.request, message, data)
    reply.code(status).headers(headers).header('cache-control', 'no-store').type(jsonType)
    return reply.send(writtenError(null, answer))
  })
}

const definitionsOf = ({ tools }: Catalogue) => tools.map(({ definition }) => definition)
