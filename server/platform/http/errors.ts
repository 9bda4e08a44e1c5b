import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, type Reason, ServiceError } from '../errors.ts'

/** Every failure, ours, Fastify's or Node's, answers one body: {ok:false, reason, detail, errors?}. */

const words: Readonly<Record<number, readonly [Reason, string]>> = {
  400: ['validation_failed', 'The request cannot be read.'],
  404: ['not_found', 'There is nothing at this address. /api/openapi.json lists what there is.'],
  405: ['method_not_allowed', 'This address does not take this method.'],
  408: ['request_timeout', 'The request took too long to arrive. Send it again.'],
  413: ['payload_too_large', 'The body is larger than this address takes.'],
  414: ['uri_too_long', 'The address is longer than 8 KiB.'],
  415: ['unsupported_media_type', 'Send the body as application/json.'],
  431: ['headers_too_large', 'The headers are larger than 16 KiB.'],
  503: ['overloaded', 'The service is busy. Try again in a moment.'],
}

export const failure = (status: number): ServiceError => {
  const [reason, detail] = words[status] ?? ['internal', 'Something went wrong on our side. It has been noted.']
  return new ServiceError(
    words[status] ? status : 500,
    reason,
    detail,
    status === 503 ? { headers: { 'retry-after': '2' } } : {},
  )
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | ServiceError, request, reply) =>
    sendError(reply, explained(error, request)),
  )
  app.setNotFoundHandler((_request, reply) => sendError(reply, notFound(words[404]![1])))
}

/** For what fails before there is a route: an address that cannot be decoded, for one. */
export const frameworkErrors =
  (headersFor: (path: string) => Readonly<Record<string, string>>) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headersFor(request.url))
    sendError(reply, explained(error, request))
  }

function explained(error: FastifyError | ServiceError, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) {
    if (error.status >= 500)
      request.log.warn({ event: 'refused', request: request.id, reason: error.reason, err: error.cause ?? error })
    return error
  }
  // The body is still on its way: it is the caller who is late, not we.
  if (error.code === 'FST_ERR_HANDLER_TIMEOUT' && !request.raw.complete) return failure(408)
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return failure(words[status] ? status : 400)
  if (status === 503) return failure(503)
  request.log.error({ event: 'failed', request: request.id, err: error })
  return failure(500)
}

function sendError(reply: FastifyReply, error: ServiceError): void {
  if (error.status === 408) reply.header('connection', 'close')
  reply.code(error.status).headers(error.headers).header('cache-control', 'no-store').send(errorBody(error))
}

export const errorBody = ({ reason, message, errors }: ServiceError) => ({
  ok: false,
  reason,
  detail: message,
  ...(errors ? { errors } : {}),
})
