import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { openBreachedPasswords } from '#features/accounts/breached-passwords.ts'
import { accountSecrets } from '#features/accounts/context.ts'
import { createRenderer } from '#features/pieces/rendering/renderer.ts'
import { readTrees } from '#features/pieces/search/index-snapshot.ts'
import { countReads } from '#features/trending/read-counter.ts'
import { quotasOf } from '#http/api-v1/context.ts'
import { draftCatalogue } from '#http/api-v1/draft-tools.ts'
import { leakedKeyRoutes } from '#http/api-v1/leaked-keys.ts'
import { agentRoutes, draftingIdentity } from '#http/api-v1/mcp-routes.ts'
import { draftRoutes } from '#http/api-v1/pieces.ts'
import { policyReportRoutes } from '#http/desk-api/csp-reports.ts'
import { ownMediaRoutes } from '#http/desk-api/media.ts'
import { previewRoutes } from '#http/desk-api/preview.ts'
import { reportRoutes } from '#http/desk-api/reports.ts'
import { deskRoutes } from '#http/desk-api/routes.ts'
import { appRoutes } from '#http/desk-api/spa-pages.ts'
import { addresses } from '#http/discovery/endpoints.ts'
import { markRoutes } from '#http/discovery/favicon.ts'
import { catalogueWriter } from '#http/discovery/llms-products.ts'
import { type ApiDescription, openapiRoutes } from '#http/discovery/openapi.ts'
import { discoveryRoutes } from '#http/discovery/routes.ts'
import { playgroundRoutes } from '#http/docs/embeds.ts'
import { referenceRoutes } from '#http/docs/reference.ts'
import { developerRoutes } from '#http/docs/routes.ts'
import { embedRoutes } from '#http/embeds/routes.ts'
import { feedRoutes } from '#http/feeds/routes.ts'
import { catalogueOf } from '#http/mcp/catalogue.ts'
import { findingRoutes } from '#http/mcp/discovery-routes.ts'
import { identityOf } from '#http/mcp/identity.ts'
import { toolRoutes } from '#http/mcp/routes.ts'
import { authorRoutes } from '#http/public-api/authors.ts'
import { pieceRoutes } from '#http/public-api/pieces.ts'
import { productRoutes } from '#http/public-api/products.ts'
import { mediaRoutes } from '#http/site/media.ts'
import { imageRoutes } from '#http/site/og-images.ts'
import { drawPreview } from '#http/site/piece-page.ts'
import { siteRoutes } from '#http/site/routes.ts'
import type { Config } from '#platform/config.ts'
import type { ReadContext } from '#platform/context.ts'
import type { Database } from '#platform/db/database.ts'
import { apiPool, countingPool, deskPool, exportPool, publicPools } from '#platform/db/pools.ts'
import { createSealer } from '#platform/encryption.ts'
import { freshReads } from '#platform/http/fresh-reads.ts'
import type { Counter, LimitName, Spend } from '#platform/http/limits.ts'
import type { Weight } from '#platform/http/priority.ts'
import { createPictureReader } from '#platform/images/image-intake.ts'
import type { ToolDefinition } from '#platform/mcp/tool.ts'
import { openMediaStore } from '#platform/media/open.ts'
import type { Metrics } from '#platform/observability/metrics.ts'
import { watchReplica } from '#platform/observability/replicas.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { isHttps } from '#platform/production.ts'
import { readProofRecord } from '#platform/proof-record.ts'
import { createSigner } from '#platform/signing.ts'
import { readSiteInfo } from '#platform/site.ts'
import type { Urls } from '#platform/urls.ts'
import { toolDocuments } from './mcp-resources.ts'
import type { SurfaceName } from './surfaces.ts'

/** What the surfaces of one process share. */
export interface Site {
  readonly app: FastifyInstance
  readonly config: Config
  readonly urls: Urls
  readonly counter: Counter
  readonly metrics: Metrics
  /** Every pool that has been opened; closed with the server. */
  readonly databases: Database[]
  readonly onLost: (error: Error) => void
  readonly gate: (weight: Weight, limit: LimitName) => onRequestHookHandler[]
  readonly spend: Spend
  /** The OpenAPI document of the whole site, whichever surfaces this process opens. */
  readonly description: () => Promise<ApiDescription>
}

/** Each door with its own pools, of its own role: a process that opens one holds no other's credential. */
export const openings: Readonly<Record<SurfaceName, (site: Site) => Promise<void>>> = {
  async public(site) {
    const { config, databases, onLost } = site
    const { db, searchDb, replica } = publicPools(config, onLost)
    databases.push(db, searchDb)
    await site.app.register(async (app) => {
      if (replica) {
        app.addHook('preHandler', freshReads(replica.freshness, isHttps(config)))
        watchReplica(() => replica.freshness.figures)
        app.addHook('onClose', async () => {
          watchReplica(undefined)
          await replica.stop()
        })
      }
      await openPublic({ ...site, app }, { db, searchDb })
    })
  },

  async write({ app, config, urls, gate, counter, metrics, databases, onLost }) {
    const db = apiPool(config, onLost)
    databases.push(db)
    const { RATE_READ: reads, RATE_WRITE: writes, DRAFTS_PER_DAY: draftsADay } = config
    const quotas = quotasOf({ reads, writes, draftsADay }, counter)
    const onIgnored = (member: string) => metrics.ignoredMembers.inc({ member })
    const door = { writes: { db, urls }, gate: gate('write', 'read'), quotas, onIgnored }
    await app.register(draftRoutes, { ...door, prefix: '/api/v1/pieces' })
    await app.register(leakedKeyRoutes, { ...door, prefix: '/api/v1/leaked-keys' })
    const onOutcome = (tool: string, outcome: string) => metrics.toolCalls.inc({ tool, outcome })
    const agents = { identity: draftingIdentity(config.SITE_NAME, urls), allowedHosts: config.MCP_ALLOWED_HOSTS }
    await app.register(agentRoutes, { ...door, ...agents, onOutcome, prefix: '/api/v1/mcp' })
  },

  async desk({ app, config, urls, gate, databases, onLost }) {
    const desk = { db: deskPool(config, onLost), urls }
    databases.push(desk.db)
    const { origin } = new URL(config.BASE_URL)
    const accounts = {
      ...desk,
      origin,
      siteName: config.SITE_NAME,
      secrets: accountSecrets(config.AUTH_SECRET),
      breached: openBreachedPasswords(config.BREACHED_PASSWORDS),
      signUp: config.SIGN_UP,
    }
    const renderer = createRenderer()
    app.addHook('onClose', () => renderer.close())
    const signer = createSigner(config.RECEIPT_KEY ?? config.AUTH_SECRET)
    const allowance = { firstDay: config.FIRST_DAY_PIECES, firstWeek: config.FIRST_WEEK_PIECES }
    const publishing = {
      ...desk,
      renderer,
      signer,
      review: config.REVIEW,
      reviewFirst: config.REVIEW_FIRST_PIECES,
      allowance,
      proof: config.PUBLISH_PROOF,
    }
    const siteInfo = readSiteInfo(config)
    const media = { ...desk, store: storeOf(config), readPicture: createPictureReader() }
    const door = { desk, accounts, publishing, media, origin, gate }
    const exports = { ...desk, exportDb: exportPool(config, onLost), store: media.store }
    databases.push(exports.exportDb)
    const outbound = createOutbound({ ownHosts: [new URL(config.BASE_URL).hostname], allow: config.OUTBOUND_ALLOW })
    const webhooks = { ...desk, outbound, sealer: createSealer(config.SECRETS_KEY) }
    await app.register(deskRoutes, { ...door, exports, webhooks, prefix: '/desk/api' })
    await app.register(reportRoutes, { ...door, siteInfo, prefix: '/desk' })
    await app.register(ownMediaRoutes, { ...door, prefix: '/desk' })
    // Drawn by the very function that draws the public page; only here do both surfaces meet.
    const draw = (shown: Parameters<typeof drawPreview>[2]) => drawPreview(siteInfo, urls, shown)
    await app.register(previewRoutes, { ...door, drawPreview: draw, prefix: '/desk' })
    await app.register(appRoutes, { siteInfo, signUp: config.SIGN_UP, gate: gate('desk', 'read'), prefix: '/desk' })
    await app.register(policyReportRoutes, { ...door, prefix: '/desk' })
  },
}

async function openPublic(
  { app, config, urls, gate, spend, metrics, onLost, description }: Site,
  { db, searchDb }: Pick<ReadContext, 'db' | 'searchDb'>,
): Promise<void> {
  const reads = { db, searchDb, urls, searchBudget: config.SEARCH_BUDGET }
  const siteInfo = readSiteInfo(config)
  const door = { reads, gate, siteInfo, onPartial: () => metrics.partialSearches.inc() }
  await app.register(authorRoutes, { ...door, prefix: '/api/public/authors' })
  await app.register(pieceRoutes, { ...door, prefix: '/api/public/pieces' })
  await app.register(productRoutes, { ...door, prefix: '/api/public/products' })
  const counting = countReads(countingPool(config, onLost), {
    onDropped: () => metrics.droppedReads.inc(),
    onLimited: (count) => metrics.limitedReads.inc(count),
    onTrouble: (err) => app.log.warn({ event: 'reads_not_written', err }),
  })
  app.addHook('onClose', () => counting.close())
  await app.register(siteRoutes, { ...door, counting, proof: readProofRecord(config) })
  await app.register(imageRoutes, door)
  await app.register(mediaRoutes, { ...door, store: storeOf(config) })
  await app.register(feedRoutes, door)
  await app.register(embedRoutes, door)
  await app.register(playgroundRoutes, door)
  const writeCatalogue = catalogueWriter(reads, siteInfo)
  await app.register(discoveryRoutes, { ...door, writeCatalogue })
  await app.register(openapiRoutes, { description })
  const catalogue = catalogueOf(urls, toolDocuments(reads, siteInfo, writeCatalogue, description))
  const tools = { identity: identityOf(siteInfo.name, urls), catalogue }
  const onOutcome = (tool: string, outcome: string) => metrics.toolCalls.inc({ tool, outcome })
  const { MCP_ALLOWED_HOSTS: allowedHosts } = config
  await app.register(toolRoutes, { ...door, ...tools, allowedHosts, spend, onOutcome })
  const definitionsOf = ({ tools }: { tools: readonly { definition: ToolDefinition }[] }) =>
    tools.map(({ definition }) => definition)
  const drafting = { identity: draftingIdentity(siteInfo.name, urls), tools: definitionsOf(draftCatalogue) }
  await app.register(findingRoutes, { ...door, ...tools, drafting })
  await app.register(developerRoutes, { ...door, addresses })
  await app.register(markRoutes, door)
  await app.register(referenceRoutes, { siteName: config.SITE_NAME, onRequest: gate('list', 'read') })
  // The first searches should not have to guess.
  app.addHook('onListen', async () => {
    readTrees(searchDb).catch(() => {})
  })
}

const storeOf = ({ MEDIA_URL }: Config) => MEDIA_URL && openMediaStore(MEDIA_URL)
