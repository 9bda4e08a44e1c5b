import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { referenceRoutes } from '#doors/developers/reference.ts'
import { markRoutes } from '#doors/discovery/mark.ts'
import { describeRoutes, openapiRoutes } from '#doors/discovery/openapi.ts'
import { healthRoutes } from '#doors/health/routes.ts'
import { authorRoutes } from '#doors/rest/authors.ts'
import type { PublicDoor } from '#doors/rest/door.ts'
import { pieceRoutes } from '#doors/rest/pieces.ts'
import { Author, AuthorHit } from '#features/authors/schema.ts'
import { Piece, PieceHit, PieceListItem } from '#features/pieces/schema.ts'
import { refreshSample } from '#features/pieces/search/sample.ts'
import { type Config, isHttps } from '#platform/config.ts'
import type { ReadContext } from '#platform/context.ts'
import { publicPools } from '#platform/db/pools.ts'
import { failure, frameworkErrors, handleErrors } from '#platform/http/errors.ts'
import { limited, localCounter, sharedCounter } from '#platform/http/limits.ts'
import { answerOtherMethods } from '#platform/http/methods.ts'
import { headersOfAll, securityHeaders } from '#platform/http/security.ts'
import { measurePressure, shed } from '#platform/http/shedding.ts'
import { answerSockets, clientErrorHandler } from '#platform/http/sockets.ts'
import { validatorCompiler } from '#platform/http/validation.ts'
import type { Logger } from '#platform/observability/log.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import { observeRequests } from '#platform/observability/requests.ts'
import { urlsFor } from '#platform/urls.ts'
import { ErrorBody } from '#platform/wire.ts'

const longestUrl = 8192

/** A server that can say it is about to go: `/readyz` then answers 503 while requests are still served. */
export type App = FastifyInstance & { startLeaving(): void }

/** The server, whole but not yet listening: plumbing first, then each door. */
export async function buildApp(config: Config, log: Logger, doors: readonly string[]): Promise<App> {
  const urls = urlsFor(config.BASE_URL)
  const { db, searchDb } = publicPools(config, (err) => log.warn({ event: 'database_connection_lost', err }))
  const reads: ReadContext = { db, searchDb, urls, searchBudget: config.SEARCH_BUDGET }
  const counter = config.REDIS_URL
    ? sharedCounter(config.REDIS_URL, (err) => log.warn({ event: 'redis_lost', err }))
    : localCounter()
  const pressure = measurePressure()
  const metrics = createMetrics([db, searchDb])
  let closing = false

  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // No logger of its own for each request: our lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    // The defaults wait for ever: a body of one byte a second would hold its socket for as long as it liked.
    requestTimeout: 10_000,
    connectionTimeout: 15_000,
    keepAliveTimeout: 5_000,
    handlerTimeout: 8_000,
    maxRequestsPerSocket: 1_000,
    forceCloseConnections: 'idle',
    // What still arrives while closing is served like the rest.
    return503OnClosing: false,
    http: {
      maxHeaderSize: 16_384,
      headersTimeout: 8_000,
      connectionsCheckingInterval: 2_000,
      requireHostHeader: false,
    },
    bodyLimit: 65_536,
    // A slug or id of any length is just one that nobody has.
    routerOptions: { maxParamLength: longestUrl },
    frameworkErrors: frameworkErrors(headersOfAll(isHttps(config))),
    clientErrorHandler,
  })
  answerSockets(app)
  app.setValidatorCompiler(validatorCompiler as never)
  app.removeContentTypeParser('text/plain')
  handleErrors(app)
  observeRequests(app, metrics)
  app.addHook('onRequest', securityHeaders(headersOfAll(isHttps(config))))
  app.addHook('onRequest', (request, _reply, done) => done(request.url.length > longestUrl ? failure(414) : undefined))
  // The first searches should not have to guess.
  app.addHook('onListen', async () => {
    refreshSample(searchDb).catch(() => {})
  })
  app.addHook('onClose', async () => {
    pressure.close()
    await Promise.all([db.close(), searchDb.close(), counter.close()])
  })

  const shapes = [ErrorBody, Author, AuthorHit, Piece, PieceListItem, PieceHit]
  await describeRoutes(app, { houseName: config.HOUSE_NAME, contact: config.CONTACT || undefined, urls, shapes })
  const otherMethods = answerOtherMethods(app)

  const limits = { read: config.RATE_READ, search: config.RATE_SEARCH }
  const door: PublicDoor = {
    reads,
    gate: (weight, limit) => [shed(weight, pressure), limited(limit, limits, counter)],
    onPartial: () => metrics.partialSearches.inc(),
  }
  if (doors.includes('public')) {
    await app.register(authorRoutes, { ...door, prefix: '/api/public/authors' })
    await app.register(pieceRoutes, { ...door, prefix: '/api/public/pieces' })
    await app.register(openapiRoutes)
    await app.register(markRoutes)
    await app.register(referenceRoutes, { houseName: config.HOUSE_NAME, onRequest: door.gate('list', 'read') })
  }
  await app.register(healthRoutes, { databases: [db], metrics, isClosing: () => closing })
  otherMethods.complete()

  await app.ready()
  return Object.assign(app, {
    startLeaving: () => {
      closing = true
    },
  })
}
