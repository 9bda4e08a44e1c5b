import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { Config } from '#config/config.ts'
import { apiPool, countingPool, deskPool, exportPool, publicPools } from '#config/pools.ts'
import { readProofRecord } from '#config/proof-record.ts'
import { isHttps, type SurfaceName } from '#config/required-settings.ts'
import { readSiteInfo, type SiteInfo } from '#config/site-info.ts'
import { openBreachedPasswords } from '#features/accounts/breached-passwords.ts'
import { accountSecrets } from '#features/accounts/context.ts'
import type { ReadContext } from '#features/context.ts'
import { senderAddress } from '#features/emails/transport.ts'
import { actorLimits, createRemoteActors, signerOf } from '#features/fediverse/remote-actors.ts'
import { createReaderKeys, domainOf } from '#features/followers/keys.ts'
import { providersOf } from '#features/followers/providers/providers.ts'
import { copyLimits } from '#features/media/copy.ts'
import type { Metrics } from '#features/metrics.ts'
import { createRenderer } from '#features/pieces/rendering/renderer.ts'
import { preloadTries } from '#features/pieces/search/index-snapshot.ts'
import { countReads } from '#features/trending/read-counter.ts'
import type { Urls } from '#features/urls.ts'
import { createQuotas } from '#http/api-v1/context.ts'
import { draftCatalogue } from '#http/api-v1/draft-tools.ts'
import { leakedKeyRoutes } from '#http/api-v1/leaked-keys.ts'
import { draftMcpRoutes, draftServerIdentity } from '#http/api-v1/mcp-routes.ts'
import { draftRoutes } from '#http/api-v1/pieces.ts'
import { bounceRoutes } from '#http/desk-api/bounces.ts'
import { cspReportRoutes } from '#http/desk-api/csp-reports.ts'
import { inboxRoutes } from '#http/desk-api/fediverse-inbox.ts'
import { followRoutes } from '#http/desk-api/follow.ts'
import { formStyles } from '#http/desk-api/forms.ts'
import { frontPagePreviewRoutes } from '#http/desk-api/front-page.ts'
import { ownMediaRoutes } from '#http/desk-api/media.ts'
import { previewRoutes } from '#http/desk-api/preview.ts'
import type { PreviewRoutesContext } from '#http/desk-api/preview-comments.ts'
import { reportRoutes } from '#http/desk-api/reports.ts'
import { deskRoutes } from '#http/desk-api/routes.ts'
import { spaRoutes } from '#http/desk-api/spa.ts'
import { feedHubRoutes } from '#http/desk-api/websub.ts'
import { addresses } from '#http/discovery/endpoints.ts'
import { catalogueWriter, llmsText, type WriteCatalogue } from '#http/discovery/llms.ts'
import { type ApiDescription, openapiRoutes } from '#http/discovery/openapi.ts'
import { discoveryRoutes, faviconRoutes } from '#http/discovery/routes.ts'
import { playgroundRoutes } from '#http/docs/embeds.ts'
import { developerRoutes } from '#http/docs/routes.ts'
import { embedRoutes } from '#http/embeds/routes.ts'
import { fediverseDiscoveryRoutes } from '#http/fediverse/discovery.ts'
import { fediverseObjectRoutes } from '#http/fediverse/objects.ts'
import { feedAt } from '#http/feeds/page.ts'
import { feedRoutes } from '#http/feeds/routes.ts'
import { catalogueOf, type SiteDocument } from '#http/mcp/catalogue.ts'
import { identityOf, mcpDiscoveryRoutes } from '#http/mcp/discovery.ts'
import { mcpRoutes } from '#http/mcp/routes.ts'
import { authorRoutes, pieceRoutes, productRoutes } from '#http/public-api/routes.ts'
import { mediaRoutes } from '#http/site/assets.ts'
import { drawFrontPagePreview } from '#http/site/front-page.ts'
import { ogImageRoutes, previewLinkPictures } from '#http/site/og-images.ts'
import { drawPreview } from '#http/site/piece-page.ts'
import { siteRoutes } from '#http/site/routes.ts'
import { createSealer, createSigner } from '#platform/crypto.ts'
import type { Database } from '#platform/db/database.ts'
import type { Priority } from '#platform/http/admission.ts'
import { freshReads } from '#platform/http/fresh-reads.ts'
import type { Counter, LimitName, Spend } from '#platform/http/limits.ts'
import { createPictureReader } from '#platform/images/image-intake.ts'
import type { ToolDefinition } from '#platform/mcp/tool.ts'
import { openMediaStore } from '#platform/media/store.ts'
import { watchReplica } from '#platform/observability/dependencies.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'

/** What the surfaces of one process share. */
export interface AppContext {
  readonly app: FastifyInstance
  readonly config: Config
  readonly urls: Urls
  readonly counter: Counter
  readonly metrics: Metrics
  /** Every open pool; closed with the server. */
  readonly databases: Database[]
  readonly onLost: (error: Error) => void
  readonly gate: (priority: Priority, limit: LimitName) => onRequestHookHandler[]
  readonly spend: Spend
  /** The OpenAPI document of the whole site, whichever surfaces this process serves. */
  readonly description: () => Promise<ApiDescription>
}

/** Each surface has its own pools with its own role: a process with one surface has no credentials of another. */
export const mountSurface: Readonly<Record<SurfaceName, (site: AppContext) => Promise<void>>> = {
  async public(site) {
    const { config, databases, onLost } = site
    const { db, searchDb, replica } = publicPools(config, onLost)
    databases.push(db, searchDb)
    await site.app.register(async (app) => {
      if (replica) {
        app.addHook('preHandler', freshReads(replica.router, isHttps(config)))
        watchReplica(() => replica.router.figures)
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
    const quotas = createQuotas({ reads, writes, draftsADay }, counter)
    const onIgnored = (member: string) => metrics.ignoredMembers.inc({ member })
    const context = { writes: { db, urls }, gate: gate('write', 'read'), quotas, onIgnored }
    await app.register(draftRoutes, { ...context, prefix: '/api/v1/pieces' })
    await app.register(leakedKeyRoutes, { ...context, prefix: '/api/v1/leaked-keys' })
    const onOutcome = (tool: string, outcome: string) => metrics.toolCalls.inc({ tool, outcome })
    const agents = { identity: draftServerIdentity(config.SITE_NAME, urls), allowedHosts: config.MCP_ALLOWED_HOSTS }
    await app.register(draftMcpRoutes, { ...context, ...agents, onOutcome, prefix: '/api/v1/mcp' })
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
    const context = { desk, accounts, publishing, media, origin, gate }
    const exports = { ...desk, exportDb: exportPool(config, onLost), store: media.store }
    databases.push(exports.exportDb)
    const guarded = { ownHosts: [new URL(config.BASE_URL).hostname], allow: config.OUTBOUND_ALLOW }
    const outbound = createOutbound(guarded)
    const pictures = createOutbound({ ...guarded, limits: copyLimits })
    const webhooks = { ...desk, outbound, sealer: createSealer(config.SECRETS_KEY) }
    const keys = createReaderKeys(config.SECRETS_KEY)
    const deskFeatures = { exports, webhooks, followers: { ...desk, keys }, fediverse: webhooks, pictures }
    await app.register(deskRoutes, { ...context, ...deskFeatures, prefix: '/desk/api' })
    await app.register(reportRoutes, { ...context, siteInfo, prefix: '/desk' })
    await app.register(followRoutes, { ...context, keys, sender: senderAddress(config), siteInfo, prefix: '/desk' })
    const reads = { ...desk, searchDb: desk.db, searchBudget: config.SEARCH_BUDGET }
    const hub = { subscribing: webhooks, feedAt: (address: string) => feedAt(reads, siteInfo, address) }
    await app.register(feedHubRoutes, { gate, ...hub, prefix: '/desk' })
    const sender = senderAddress(config)
    const reporting = { db: desk.db, keys, domain: domainOf(sender) }
    const providers = providersOf(config, outbound)
    await app.register(bounceRoutes, { gate, reporting, providers, prefix: '/desk' })
    const actors = createRemoteActors(createOutbound({ ...guarded, limits: actorLimits }), signerOf(webhooks))
    await app.register(inboxRoutes, { gate, inbox: { ...desk, actors }, prefix: '/desk' })
    await app.register(formStyles, { gate, prefix: '/desk' })
    await app.register(ownMediaRoutes, { ...context, prefix: '/desk' })
    // Drawn by the same function as the public page; only here do both surfaces meet.
    const draw: PreviewRoutesContext['drawPreview'] = (...shown) => drawPreview(siteInfo, urls, ...shown)
    const linkPictures = previewLinkPictures(siteInfo, urls, media.store)
    app.addHook('onClose', () => linkPictures.close())
    const drawings = { drawPreview: draw, drawLinkPicture: linkPictures.draw }
    await app.register(previewRoutes, { ...context, ...drawings, prefix: '/desk' })
    const drawFrontPage = (choices: Parameters<typeof drawFrontPagePreview>[1]) =>
      drawFrontPagePreview({ siteInfo, reads: desk }, choices)
    await app.register(frontPagePreviewRoutes, { ...context, drawFrontPage, prefix: '/desk' })
    await app.register(spaRoutes, { siteInfo, signUp: config.SIGN_UP, gate: gate('desk', 'read'), prefix: '/desk' })
    await app.register(cspReportRoutes, { ...context, prefix: '/desk' })
  },
}

async function openPublic(
  { app, config, urls, gate, spend, metrics, onLost, description }: AppContext,
  { db, searchDb }: Pick<ReadContext, 'db' | 'searchDb'>,
): Promise<void> {
  const reads = { db, searchDb, urls, searchBudget: config.SEARCH_BUDGET }
  const siteInfo = readSiteInfo(config)
  const context = { reads, gate, siteInfo, onPartial: () => metrics.partialSearches.inc() }
  await app.register(authorRoutes, { ...context, prefix: '/api/public/authors' })
  await app.register(pieceRoutes, { ...context, prefix: '/api/public/pieces' })
  await app.register(productRoutes, { ...context, prefix: '/api/public/products' })
  const counting = countReads(countingPool(config, onLost), {
    onDropped: () => metrics.droppedReads.inc(),
    onLimited: (count) => metrics.limitedReads.inc(count),
    onTrouble: (err) => app.log.warn({ event: 'reads_not_written', err }),
  })
  app.addHook('onClose', () => counting.close())
  const store = storeOf(config)
  const hasLinkCards = config.LINK_CARDS
  await app.register(siteRoutes, { ...context, counting, hasLinkCards, proof: readProofRecord(config) })
  await app.register(ogImageRoutes, { ...context, store })
  await app.register(mediaRoutes, { ...context, store })
  await app.register(feedRoutes, context)
  await app.register(fediverseDiscoveryRoutes, context)
  await app.register(fediverseObjectRoutes, context)
  await app.register(embedRoutes, context)
  await app.register(playgroundRoutes, context)
  const writeCatalogue = catalogueWriter(reads, siteInfo)
  await app.register(discoveryRoutes, { ...context, writeCatalogue })
  await app.register(openapiRoutes, { description })
  const catalogue = catalogueOf(urls, mcpResources(reads, siteInfo, writeCatalogue, description))
  const tools = { identity: identityOf(siteInfo.name, urls), catalogue }
  const onOutcome = (tool: string, outcome: string) => metrics.toolCalls.inc({ tool, outcome })
  const { MCP_ALLOWED_HOSTS: allowedHosts } = config
  await app.register(mcpRoutes, { ...context, ...tools, allowedHosts, spend, onOutcome })
  const definitionsOf = ({ tools }: { tools: readonly { definition: ToolDefinition }[] }) =>
    tools.map(({ definition }) => definition)
  const drafting = { identity: draftServerIdentity(siteInfo.name, urls), tools: definitionsOf(draftCatalogue) }
  await app.register(mcpDiscoveryRoutes, { ...context, ...tools, drafting })
  await app.register(developerRoutes, { ...context, addresses, description })
  await app.register(faviconRoutes, context)
  // So that the first searches use them.
  app.addHook('onListen', async () => {
    preloadTries(searchDb).catch(() => {})
  })
}

const storeOf = ({ MEDIA_URL }: Config) => MEDIA_URL && openMediaStore(MEDIA_URL)

/** Texts of the discovery routes that the MCP server offers as resources; only this module may import both surfaces. */
const mcpResources = (
  reads: ReadContext,
  siteInfo: SiteInfo,
  writeCatalogue: WriteCatalogue,
  description: () => Promise<ApiDescription>,
): SiteDocument[] => [
  {
    path: '/llms.txt',
    name: 'llms',
    title: 'llms.txt',
    description: 'This site for language models: what there is, and where.',
    mimeType: 'text/plain',
    text: () => llmsText(reads, siteInfo),
  },
  {
    path: '/llms-products.txt',
    name: 'llms-products',
    title: 'llms-products.txt',
    description: 'The shop as text, a line for each listing.',
    mimeType: 'text/plain',
    text: async () => String(await writeCatalogue()),
  },
  {
    path: '/api/openapi.json',
    name: 'openapi',
    title: 'OpenAPI description',
    description: 'Every call of the API.',
    mimeType: 'application/json',
    text: async () => (await description()).json.toString(),
  },
]
