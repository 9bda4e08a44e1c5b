import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Message, message } from '#messages/message.ts'
import { nearestLanguage, sourceLanguage } from '#messages/translator.ts'
import { notFound, type Reason, ServiceError } from '../errors.ts'
import { requestFields, requestIdHeader } from '../observability/requests.ts'
import { preferred, varyBy } from './negotiation.ts'
import { publicPage, type SiteBase } from './security.ts'

/**
 * Every error, ours, Fastify's or Node's, has one body: {ok:false, reason, detail, request_id, errors?}. Browsers get
 * the same as a page.
 */

export interface ErrorPages {
  readonly site: SiteBase
  readonly draw: (error: ServiceError, requestId: string) => string
}

const words: Readonly<Record<number, readonly [Reason, string | Message]>> = {
  400: ['validation_failed', 'The request cannot be parsed.'],
  404: ['not_found', 'There is nothing at this address. See /api/openapi.json for all endpoints.'],
  405: ['method_not_allowed', 'This address does not accept this method.'],
  408: ['request_timeout', message('error.request_timeout')],
  413: ['payload_too_large', message('error.too_large')],
  414: ['uri_too_long', 'The address is longer than 8 KiB.'],
  415: ['unsupported_media_type', 'Send the body as application/json.'],
  431: ['headers_too_large', 'The headers are larger than 16 KiB.'],
  503: ['overloaded', message('error.busy')],
}

export const failure = (status: number): ServiceError => {
  const [reason, detail] = words[status] ?? ['internal', message('error.internal')]
  return new ServiceError(
    words[status] ? status : 500,
    reason,
    detail,
    status === 503 ? { headers: { 'retry-after': '2' } } : {},
  )
}

export function handleErrors(app: FastifyInstance, pages?: ErrorPages): void {
  app.setErrorHandler((error: FastifyError | ServiceError, request, reply) =>
    sendError(request, reply, toServiceError(error, request), pages),
  )
  app.setNotFoundHandler((request, reply) => sendError(request, reply, notFound(words[404]![1]), pages))
}

/** For errors before routing, such as a URL that cannot be decoded. */
export const frameworkErrors =
  (headersFor: (path: string) => Readonly<Record<string, string>>, pages: ErrorPages) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headersFor(request.url)).header(requestIdHeader, request.id)
    sendError(request, reply, toServiceError(error, request), pages)
  }

export function toServiceError(error: FastifyError | ServiceError, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) {
    if (error.status >= 500)
      request.log.warn({ event: 'refused', ...requestFields(request), reason: error.reason, err: error.cause ?? error })
    return error
  }
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return failure(words[status] ? status : 400)
  if (status === 503) return failure(503)
  request.log.error({ event: 'failed', ...requestFields(request), err: error })
  return failure(500)
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: ServiceError, pages?: ErrorPages): void {
  if (error.status === 408) reply.header('connection', 'close')
  reply.code(error.status).headers(error.headers).header('cache-control', 'no-store')
  if (!pages || !isPlaceForPages(request.url)) return void reply.send(errorBody(error, request.id, languageOf(request)))
  varyBy(reply, 'Accept')
  if (preferred(request.headers.accept, ['application/json', 'text/html']) === 'application/json')
    return void reply.send(errorBody(error, request.id))
  publicPage(reply, pages.site)
  reply.type('text/html; charset=utf-8').send(pages.draw(error, request.id))
}

/** Not the API, and no file with an extension. */
const isPlaceForPages = (url: string): boolean =>
  !/^\/(?:api|desk\/api|fonts|image|embed|media|oembed)(?![^/?])/i.test(url) &&
  !/^[^?]*\.[a-z0-9]{2,5}(?:\?|$)/i.test(url)

/** The desk asks in the language of the person; programs get English, whatever they send. */
export function languageOf({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): string {
  const asked = url.startsWith('/desk/api/') ? headers['accept-language'] : undefined
  return (asked && nearestLanguage(asked)) || sourceLanguage
}

export const errorBody = (error: ServiceError, requestId: string, language = sourceLanguage) => ({
  ok: false,
  reason: error.reason,
  detail: error.detailIn(language),
  request_id: requestId,
  ...(error.errors ? { errors: error.errorsIn(language) } : {}),
})
