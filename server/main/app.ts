import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from '#config/config.ts'
import { verifyDirect } from '#config/pools.ts'
import { isHttps, type SurfaceName } from '#config/required-settings.ts'
import { readSiteInfo } from '#config/site-info.ts'
import { Author, AuthorHit } from '#features/authors/schema.ts'
import { createMetrics } from '#features/metrics.ts'
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
import { urlsFor } from '#features/urls.ts'
import { describeRoutes } from '#http/discovery/openapi.ts'
import { type HealthRoutesContext, healthRoutes } from '#http/health/routes.ts'
import { errorPagesOf } from '#http/page-layout.ts'
import { ErrorBody } from '#platform/common-schemas.ts'
import type { Database } from '#platform/db/database.ts'
import { createAdmission, measurePressure, shed } from '#platform/http/admission.ts'
import { createDeadlines } from '#platform/http/deadline.ts'
import { failure, frameworkErrors, handleErrors } from '#platform/http/errors.ts'
import { readJson } from '#platform/http/json.ts'
import { counted, limited, localCounter, sharedCounter, spending } from '#platform/http/limits.ts'
import { answerOtherMethods } from '#platform/http/methods.ts'
import { isPrivate, securityHeaders, siteHeaders } from '#platform/http/security.ts'
import { clientErrorHandler, handleSocketErrors, openServer } from '#platform/http/sockets.ts'
import { buildSerializer, validatorCompiler } from '#platform/http/validation.ts'
import { RpcFailure } from '#platform/mcp/openapi.ts'
import type { Logger } from '#platform/observability/log.ts'
import { countRefusals, observeRequests, requestIdOf, traceRequests } from '#platform/observability/requests.ts'
import { openRedis } from '#platform/redis.ts'
import { type AppContext, mountSurface } from './compose.ts'

const longestUrl = 8192

const draftShapes = [CreatePieceBody, CreatePieceResponse, MyPieceListItem, MyPiece, EditPieceBody]

export type App = FastifyInstance & {
  /** Health and metrics of this process; listens separately, and is closed with the server. */
  readonly admin: FastifyInstance
  /** Throws `WrongConnection` if a pool does not have its role or its limits. Unreachable ones are skipped. */
  verifyDatabases(): Promise<void>
  /** `/readyz` answers 503 from now on, while requests are still served. */
  startShutdown(): void
}

/** Builds the server without listening: shared plugins first, then each surface. */
export async function buildApp(
  config: Config,
  log: Logger,
  surfaces: readonly SurfaceName[],
  deadlines = createDeadlines(config.TIMEOUT_FACTOR),
): Promise<App> {
  const urls = urlsFor(config.BASE_URL)
  const headers = siteHeaders(isHttps(config))
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
    // No child logger for each request: our log lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    serverFactory: openServer(admission),
    forceCloseConnections: 'idle',
    // Requests that arrive while closing are still served.
    return503OnClosing: false,
    bodyLimit: 65_536,
    schemaController: { compilersFactory: { buildSerializer } },
    // An overlong slug or id is simply not found.
    routerOptions: { maxParamLength: longestUrl },
    frameworkErrors: frameworkErrors((path) => (isPrivate(path) ? headers.closed : headers.open), errorPages),
    clientErrorHandler,
    genReqId: requestIdOf,
  })
  traceRequests(app)
  deadlines.watch(app)
  handleSocketErrors(app)
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
  const site: AppContext = {
    app,
    config,
    urls,
    counter,
    metrics,
    databases,
    onLost: (err) => log.warn({ event: 'database_connection_lost', err }),
    gate: (priority, limit) => [
      shed(priority, pressure, admission.atOnce, config.LOAD_FACTOR),
      // MCP responses are not cached, so each may carry its client's count.
      (limit === 'tools' ? counted : limited)(limit, limits, counter),
    ],
    spend: spending(limits, counter),
    description: () => {
      whole ??= describedBy(app, config, log, surfaces)
      return whole
    },
  }
  for (const name of surfaces) await mountSurface[name](site)
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
    startShutdown: () => {
      closing = true
    },
  })
}

const described: readonly SurfaceName[] = ['public', 'write']

/**
 * The OpenAPI document of the whole API. If this process serves only a part, a second app is built that never listens.
 */
async function describedBy(app: FastifyInstance, config: Config, log: Logger, surfaces: readonly SurfaceName[]) {
  const whole = described.every((surface) => surfaces.includes(surface))
  const wholeApp = whole
    ? app
    : await buildApp(
        { ...config, DATABASE_URL: unreachableDatabase, REPLICA_DATABASE_URL: [], POOLER: 'none' },
        log,
        described,
      )
  const description = {
    json: Buffer.from(JSON.stringify(wholeApp.swagger(), null, 2)),
    yaml: Buffer.from(wholeApp.swagger({ yaml: true })),
  }
  if (!whole) await wholeApp.close()
  return description
}

/** Pools connect on first use, and these are never used. */
const unreachableDatabase = 'postgres://nobody@127.0.0.1:1/none'

/** Health, readiness and metrics of a process on a separate port, which readers cannot reach. */
export async function buildAdmin(health: HealthRoutesContext): Promise<FastifyInstance> {
  const admin = fastify({ requestTimeout: 10_000, forceCloseConnections: true, genReqId: requestIdOf })
  handleErrors(admin)
  await admin.register(healthRoutes, health)
  return admin
}

/** The address; undefined if `ADMIN_PORT` is 0. */
export async function listenForAdmin(
  admin: FastifyInstance,
  { ADMIN_HOST: host, ADMIN_PORT: port }: Config,
): Promise<string | undefined> {
  return port === 0 ? undefined : await admin.listen({ host, port })
}
