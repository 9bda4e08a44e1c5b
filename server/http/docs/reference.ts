import { hash } from 'node:crypto'
import fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type onRequestHookHandler,
  type RouteHandlerMethod,
} from 'fastify'
import type { SiteInfo } from '#config/site-info.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { failure } from '#platform/http/errors.ts'
import { developerPage } from '#platform/http/security.ts'
import { english } from './layout.ts'

export interface ReferenceRoutesContext {
  readonly siteInfo: SiteInfo
  readonly onRequest: readonly onRequestHookHandler[]
}

const path = '/developers/reference'

/** /developers/reference: the OpenAPI document as an interactive page, served entirely from here. */
export const referenceRoutes: FastifyPluginAsync<ReferenceRoutesContext> = async (app, { siteInfo, onRequest }) => {
  for (const hook of onRequest) app.addHook('onRequest', hook)
  // The plugin builds a URL from the Host header.
  app.addHook('onRequest', (request, _reply, done) =>
    done(URL.canParse(`http://${request.hostname}`) ? undefined : failure(400)),
  )
  let viewer: Promise<FastifyInstance> | undefined
  const show: RouteHandlerMethod = async (request, reply) => {
    viewer ??= openViewer(siteInfo)
    const { url, headers } = request
    const {
      statusCode,
      headers: given,
      rawPayload,
    } = await (await viewer).inject({ url, headers: { host: headers.host } })
    const type = String(given['content-type'])
    const isPage = type.startsWith('text/html')
    developerPage(reply, isPage ? inlineScripts(rawPayload.toString()) : [])
    reply
      .code(statusCode)
      .header('cache-control', isPage ? 'no-cache' : 'public, max-age=3600')
      .type(type)
    if (given.location) reply.header('location', given.location)
    return reply.send(rawPayload)
  }
  for (const one of [path, `${path}/`, `${path}/js/scalar.js`]) app.get(one, { schema: { hide: true } }, show)
}

/** Loaded on the first request: 130 modules and a 4 MB script, a third of what a server loads at startup. */
async function openViewer({ name: site, language }: SiteInfo): Promise<FastifyInstance> {
  const t = translatorOf(language)
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const viewer = fastify()
  await viewer.register(scalar, {
    routePrefix: path,
    configuration: {
      url: '/api/openapi.json',
      title: t('docs.reference.title', { site }),
      pageTitle: t('docs.reference.page_title', { site }),
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    } as never,
  })
  return viewer
}

/** Hashes of the inline scripts, so that the CSP allows these and no others. */
function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = '']) =>
    hash('sha256', script, 'base64'),
  )
}

/** One public address, as listed on the page. */
export interface ListedAddress {
  readonly section: string
  readonly path: string
  readonly title: string
  readonly about: string
  readonly method?: string
  readonly query?: string
}

export const addressIndex = (t: Translator, addresses: readonly ListedAddress[]): Html => html`<div class="prose">
<p>${t('docs.endpoints.intro')}</p>
</div>
${addressSections.map((section) =>
  addressTable(
    t,
    section,
    addresses.filter((one) => one.section === section),
  ),
)}`

export const addressSections = [
  'reading',
  'tools',
  'drafting',
  'feeds',
  'markdown',
  'embeds',
  'discovery',
  'pages',
] as const

function addressTable(
  t: Translator,
  section: (typeof addressSections)[number],
  addresses: readonly ListedAddress[],
): Html | false {
  if (addresses.length === 0) return false
  return html`<section class="addresses" aria-labelledby="${section}">
<h2 id="${section}">${t(`docs.endpoints.${section}`)}</h2>
<p>${t(`docs.endpoints.${section}_about`)}</p>
<dl${english(t)}>
${addresses.map((address) => html`<div><dt>${addressOf(address)}</dt><dd>${address.about}</dd></div>\n`)}</dl>
</section>
`
}

/** A link if the address works as it is. */
function addressOf({ path, method, query, section }: ListedAddress): Html {
  const parts = path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : part))
  const code = html`<code>${method && html`<b>${method}</b> `}${parts}</code>`
  const needsMore = path.includes('{') || query?.includes('{') || method !== undefined || section === 'drafting'
  return needsMore ? code : html`<a href="${query ? `${path}?${query}` : path}">${code}</a>`
}
