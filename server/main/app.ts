import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { Author, AuthorHit } from '#features/authors/schema.ts'
import {
  CreatePieceBody,
  CreatePieceResponse,
  EditPieceBody,
  MyPiece,
  MyPieceListItem,
} from '#features/pieces/draft-schema.ts'
import { Receipt } from '#features/pieces/receipts/schema.ts'
import { Piece, PieceHit, PieceListItem } from '#features/pieces/schema.ts'
import { Product, ProductHit } from '#features/products/schema.ts'
import { TrendingItem } from '#features/trending/schema.ts'
import { describeRoutes } from '#http/discovery/openapi.ts'
import { ErrorBody } from '#platform/common-schemas.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import { verifyDirect } from '#platform/db/pools.ts'
import { createAdmission } from '#platform/http/admission.ts'
import { createDeadlines } from '#platform/http/deadline.ts'
import { failure, frameworkErrors, handleErrors } from '#platform/http/errors.ts'
import { readJson } from '#platform/http/json.ts'
import { counted, limited, localCounter, sharedCounter, spending } from '#platform/http/limits.ts'
import { answerOtherMethods } from '#platform/http/methods.ts'
import { requestIdOf } from '#platform/http/request-id.ts'
import { headersOfAll, isPrivate, securityHeaders } from '#platform/http/security.ts'
import { buildSerializer } from '#platform/http/serialize.ts'
import { measurePressure, shed } from '#platform/http/shedding.ts'
import { answerSockets, clientErrorHandler, openServer } from '#platform/http/sockets.ts'
import { traceRequests } from '#platform/http/traced-requests.ts'
import { validatorCompiler } from '#platform/http/validation.ts'
import { RpcFailure } from '#platform/mcp/openapi.ts'
import type { Logger } from '#platform/observability/log.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import { countRefusals, observeRequests } from '#platform/observability/requests.ts'
import { errorPagesOf } from '#platform/page/error-page.ts'
import { isHttps } from '#platform/production.ts'
import { openRedis } from '#platform/redis.ts'
import { readSiteInfo } from '#platform/site.ts'
import { urlsFor } from '#platform/urls.ts'
import { buildAdmin } from './admin.ts'
import { openings, type Site } from './compose.ts'
import type { SurfaceName } from './surfaces.ts'

const longestUrl = 8192

const draftShapes = [CreatePieceBody, CreatePieceResponse, MyPieceListItem, MyPiece, EditPieceBody]

export type App = FastifyInstance & {
  /** Health and metrics of this process; listens for itself, and is closed with the server. */
  readonly admin: FastifyInstance
  /** Throws `WrongConnection` where a pool does not act as its role, within its limits. One that cannot be asked is passed over. */
  verifyDatabases(): Promise<void>
  /** It is about to go: `/readyz` answers 503 while requests are still served. */
  startLeaving(): void
}

/** The server, whole but not yet listening: plumbing first, then each door. */
export async function buildApp(
  config: Config,
  log: Logger,
  surfaces: readonly SurfaceName[],
  deadlines = createDeadlines(config.TIMEOUT_FACTOR),
): Promise<App> {
  const urls = urlsFor(config.BASE_URL)
  const headers = headersOfAll(isHttps(config))
  const errorPages = errorPagesOf(readSiteInfo(config), urls)
  const databases: Database[] = []
  const counter = config.REDIS_URL
    ? sharedCounter(
        openRedis(config.REDIS_URL, {
          onError: (err) => log.warn({ event: 'redis_lost', err }),
          onAway: (isAway) => (isAway ? log.warn({ event: 'redis_skipped' }) : log.info({ event: 'redis_back' })),
        }),
      )
    : localCounter()
  const pressure = measurePressure()
  const metrics = createMetrics(databases, config.INSTANCE)
  const admission = createAdmission({
    times: config.LOAD_FACTOR,
    headers,
    onRefused: countRefusals(log, metrics.refusedRequests),
  })
  let closing = false

  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // No logger of its own for each request: our lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    serverFactory: openServer(admission),
    forceCloseConnections: 'idle',
    // What still arrives while closing is served like the rest.
    return503OnClosing: false,
    bodyLimit: 65_536,
    schemaController: { compilersFactory: { buildSerializer } },
    // A slug or id of any length is just one that nobody has.
    routerOptions: { maxParamLength: longestUrl },
    frameworkErrors: frameworkErrors((path) => (isPrivate(path) ? headers.closed : headers.open), errorPages),
    clientErrorHandler,
    genReqId: requestIdOf,
  })
  traceRequests(app)
  deadlines.watch(app)
  answerSockets(app)
  app.setValidatorCompiler(validatorCompiler as never)
  app.removeContentTypeParser('text/plain')
  readJson(app)
  handleErrors(app, errorPages)
  observeRequests(app, metrics)
  app.addHook('onRequest', securityHeaders(headers))
  app.addHook('onRequest', (request, _reply, done) => done(request.url.length > longestUrl ? failure(414) : undefined))
  app.addHook('onClose', async () => {
    pressure.close()
    await Promise.all([...databases.map((database) => database.close()), counter.close()])
  })

  const readShapes = [Author, AuthorHit, Piece, PieceListItem, PieceHit, Receipt, TrendingItem, Product, ProductHit]
  const shapes = [ErrorBody, RpcFailure, ...readShapes, ...draftShapes]
  await describeRoutes(app, { siteName: config.SITE_NAME, contact: config.CONTACT || undefined, urls, shapes })
  const otherMethods = answerOtherMethods(app)

  const limits = {
    read: config.RATE_READ,
    search: config.RATE_SEARCH,
    tools: config.RATE_TOOLS,
    signIn: config.RATE_SIGN_IN,
  }
  let whole: ReturnType<typeof describedBy> | undefined
  const site: Site = {
    app,
    config,
    urls,
    counter,
    metrics,
    databases,
    onLost: (err) => log.warn({ event: 'database_connection_lost', err }),
    gate: (weight, limit) => [
      shed(weight, pressure, admission.atOnce, config.LOAD_FACTOR),
      // Answers of tools are kept by nobody, so each may tell its caller's count.
      (limit === 'tools' ? counted : limited)(limit, limits, counter),
    ],
    spend: spending(limits, counter),
    description: () => {
      whole ??= describedBy(app, config, log, surfaces)
      return whole
    },
  }
  for (const name of surfaces) await openings[name](site)
  otherMethods.complete()
  const admin = await buildAdmin({ databases, metrics, isClosing: () => closing })
  app.addHook('onClose', () => admin.close())

  await app.ready()
  return Object.assign(app, {
    admin,
    verifyDatabases: async () => {
      const pools = databases.flatMap((database) => database.pools)
      await Promise.all([verifyDirect(config), ...pools.map((pool) => pool.verify())])
    },
    startLeaving: () => {
      closing = true
    },
  })
}

const described: readonly SurfaceName[] = ['public', 'write']

/** The API whole, also where this process opens a part of it: then a twin that never listens is asked. */
async function describedBy(app: FastifyInstance, config: Config, log: Logger, surfaces: readonly SurfaceName[]) {
  const whole = described.every((door) => surfaces.includes(door))
  const twin = whole
    ? app
    : await buildApp({ ...config, DATABASE_URL: nowhere, REPLICA_DATABASE_URL: [], POOLER: 'none' }, log, described)
  const description = {
    json: Buffer.from(JSON.stringify(twin.swagger(), null, 2)),
    yaml: Buffer.from(twin.swagger({ yaml: true })),
  }
  if (!whole) await twin.close()
  return description
}

/** Pools connect when they are first asked, and these are not. */
const nowhere = 'postgres://nobody@127.0.0.1:1/none'
