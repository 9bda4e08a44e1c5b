import { PassThrough } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { ServiceError } from '../errors.ts'
import { failure, toServiceError } from '../http/errors.ts'
import { excessOf } from '../http/json.ts'
import { network } from '../http/limits.ts'
import { requestFields } from '../observability/requests.ts'
import { type Dispatch, subscriptionKey } from './dispatch.ts'
import { codes, errorResponse, type Id, RpcError, unreadable, written } from './json-rpc.ts'
import type { Call } from './tool.ts'

/** Messages over HTTP: one per request, one per response. */

export const jsonType = 'application/json; charset=utf-8'

/** A message of this size is too small to take long, whatever it contains. */
const harmless = 65_536

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Invalid JSON is passed to the dispatcher, which has its own response for it. */
export function readMessages(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes: Buffer, done) => {
    const excess = bytes.length > harmless ? excessOf(bytes) : undefined
    if (excess) return done(new ServiceError(400, 'validation_failed', excess))
    let body: unknown = unreadable
    try {
      body = JSON.parse(utf8.decode(bytes))
    } catch {}
    done(null, body)
  })
}

/** What every call has, on each server. */
export const callBy = (request: FastifyRequest, reply: FastifyReply, onOutcome: Call['onOutcome']): Call => ({
  requestId: request.id,
  write: (shape, body) => reply.serializeInput(body as Body, shape as unknown as Body) as string,
  noteFailure: (error) => {
    request.log.error({ event: 'failed', ...requestFields(request), err: error })
    return request.id
  },
  onOutcome,
})

type Body = Record<string, unknown>

export async function answerMessage<By extends Call>(
  request: FastifyRequest,
  reply: FastifyReply,
  { dispatch, streams, by }: { dispatch: Dispatch<By>; streams: SubscriptionStreams; by: By },
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  const { status, body, listen } = await dispatch(request.body, request.headers, by)
  if (listen !== undefined) return streams.open(request, reply, listen)
  reply.code(status)
  return body === undefined ? reply.send() : reply.type(jsonType).send(body)
}

/** A client that looks for a stream retries while it gets anything but 405. */
export function refuseStream({ headers }: FastifyRequest): void {
  if (/text\/event-stream/i.test(headers.accept ?? '')) throw notAllowed('POST')
}

export function notAllowed(allow: string): ServiceError {
  const { status, reason, message } = failure(405)
  return new ServiceError(status, reason, message, { headers: { allow } })
}

/**
 * Transport errors have an HTTP status and a JSON-RPC error; except for statuses that are answered like on the rest of
 * the site.
 */
export function answerFailures(app: FastifyInstance, asElsewhere: readonly number[] = []): void {
  app.setErrorHandler((error: FastifyError | ServiceError, request, reply) => {
    if (error instanceof ServiceError && asElsewhere.includes(error.status)) throw error
    const { status, message, reason, headers } = toServiceError(error, request)
    if (status === 408) reply.header('connection', 'close')
    const isOurs = status === 429 || status >= 500
    const wait = headers['retry-after']
    const data = { reason, request_id: request.id, ...(wait ? { retry_after: Number(wait) } : {}) }
    const answer = new RpcError(isOurs ? codes.internal : codes.request, message, data)
    reply.code(status).headers(headers).header('cache-control', 'no-store').type(jsonType)
    return reply.send(errorResponse(null, answer))
  })
}

/**
 * Protects against DNS rebinding: on a loopback socket the Host must be ours, since a rebinding page always sends its
 * own. Any origin is allowed: private data requires a key, which no page has by itself.
 */
export function checkHost(baseUrl: string, allowed: readonly string[]): onRequestHookHandler {
  const known = new Set(['localhost', '127.0.0.1', '[::1]', new URL(baseUrl).hostname, ...allowed])
  return (request, _reply, done) => {
    const { origin, host = '' } = request.headers
    if (origin !== undefined && !isOrigin(origin)) return done(refusal('The Origin of this request is no origin.'))
    const isLocal = isLoopback(request.raw.socket.localAddress)
    if (isLocal && !known.has(nameOf(host)))
      return done(refusal('This Host is not one of ours. MCP_ALLOWED_HOSTS names those that are.'))
    done()
  }
}

const isOrigin = (origin: string): boolean =>
  origin === 'null' || (/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]*$/i.test(origin) && URL.canParse(origin))

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && /^(?:::ffff:)?127\.|^::1$/i.test(address)

const nameOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, '')

const refusal = (words: string) => new ServiceError(403, 'forbidden', words)

/** Open streams per process and per address: each holds a socket. */
const mostOpen = 100
const mostOfOne = 4
/** Less than the 11 s after which a silent socket is closed. */
const keepAliveEvery = 8_000
/** Then it ends regularly, and the client may reconnect. */
const longest = 15 * 60_000

export interface SubscriptionStreams {
  open(request: FastifyRequest, reply: FastifyReply, id: Id): FastifyReply
  closeAll(): void
}

/**
 * `subscriptions/listen`: nothing changes while the server runs, so a stream only acknowledges and sends keep-alives.
 */
export function createSubscriptionStreams(): SubscriptionStreams {
  const open = new Map<PassThrough, { readonly from: string; end(): void }>()
  return {
    open(request, reply, id) {
      const from = network(request.ip ?? '')
      const theirs = [...open.values()].filter((one) => one.from === from).length
      if (open.size >= mostOpen || theirs >= mostOfOne)
        throw new ServiceError(429, 'rate_limited', 'Too many streams are open. Close one, or try again in a minute.', {
          headers: { 'retry-after': '60' },
        })
      const stream = new PassThrough()
      const about = { _meta: { [subscriptionKey]: id } }
      const keepAlive = setInterval(() => stream.write(':\n\n'), keepAliveEvery)
      const limit = setTimeout(() => end(), longest)
      const forget = () => {
        clearInterval(keepAlive)
        clearTimeout(limit)
        open.delete(stream)
      }
      const end = () => {
        forget()
        stream.end(event(written(id, JSON.stringify({ resultType: 'complete', ...about }))))
      }
      open.set(stream, { from, end })
      stream.on('close', forget)
      const heard = { ...about, notifications: {} }
      stream.write(
        event(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: heard })),
      )
      return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream)
    },
    closeAll: () => {
      for (const { end } of [...open.values()]) end()
    },
  }
}

const event = (json: string): string => `event: message\ndata: ${json}\n\n`
