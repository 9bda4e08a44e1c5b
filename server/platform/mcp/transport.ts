import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import { explained, failure } from '../http/errors.ts'
import { excessOf } from '../http/json.ts'
import { requestFields } from '../http/request-id.ts'
import type { Dispatch } from './dispatch.ts'
import { codes, RpcError, unreadable, writtenError } from './json-rpc.ts'
import type { Listening } from './subscriptions.ts'
import type { Call } from './tool.ts'

/** Messages over HTTP: one in a request, one in its answer. */

export const jsonType = 'application/json; charset=utf-8'

/** A message of this size holds too little to take long, whatever it is. */
const harmless = 65_536

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What is no JSON reaches the dispatcher as such: it has an answer of its own for that. */
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

/** What every call has, whichever door it comes through. */
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
  { dispatch, streams, by }: { dispatch: Dispatch<By>; streams: Listening; by: By },
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  const { status, body, listen } = await dispatch(request.body, request.headers, by)
  if (listen !== undefined) return streams.open(request, reply, listen)
  reply.code(status)
  return body === undefined ? reply.send() : reply.type(jsonType).send(body)
}

/** A client that looks for a stream asks again and again while it gets anything but 405. */
export function refuseStream({ headers }: FastifyRequest): void {
  if (/text\/event-stream/i.test(headers.accept ?? '')) throw notAllowed('POST')
}

export function notAllowed(allow: string): ServiceError {
  const { status, reason, message } = failure(405)
  return new ServiceError(status, reason, message, { headers: { allow } })
}

/**
 * Refusals of transport say it by their status and, as everything here, by a JSON-RPC error; but for statuses that are
 * answered as the rest of the site answers them.
 */
export function answerFailures(app: FastifyInstance, asElsewhere: readonly number[] = []): void {
  app.setErrorHandler((error: FastifyError | ServiceError, request, reply) => {
    if (error instanceof ServiceError && asElsewhere.includes(error.status)) throw error
    const { status, message, reason, headers } = explained(error, request)
    if (status === 408) reply.header('connection', 'close')
    const isOurs = status === 429 || status >= 500
    const wait = headers['retry-after']
    const data = { reason, request_id: request.id, ...(wait ? { retry_after: Number(wait) } : {}) }
    const answer = new RpcError(isOurs ? codes.internal : codes.request, message, data)
    reply.code(status).headers(headers).header('cache-control', 'no-store').type(jsonType)
    return reply.send(writtenError(null, answer))
  })
}
