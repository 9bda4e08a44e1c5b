import { hash } from 'node:crypto'
import fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type onRequestHookHandler,
  type RouteHandlerMethod,
} from 'fastify'
import { failure } from '#platform/http/errors.ts'
import { developerPage } from '#platform/http/security.ts'

export interface DevelopersRoutesContext {
  readonly siteName: string
  readonly onRequest: readonly onRequestHookHandler[]
}

const path = '/developers/reference'

/** /developers/reference: the OpenAPI document as a page to read and try, served whole from here. */
export const referenceRoutes: FastifyPluginAsync<DevelopersRoutesContext> = async (app, { siteName, onRequest }) => {
  for (const hook of onRequest) app.addHook('onRequest', hook)
  // The plugin makes an address of the host it is asked at.
  app.addHook('onRequest', (request, _reply, done) =>
    done(URL.canParse(`http://${request.hostname}`) ? undefined : failure(400)),
  )
  let viewer: Promise<FastifyInstance> | undefined
  const show: RouteHandlerMethod = async (request, reply) => {
    viewer ??= openViewer(siteName)
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

/**
 * Opened when the first asks for it: it is 130 modules and a script of four megabytes, a third of what a server would load
 * before it is ready.
 */
async function openViewer(siteName: string): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const viewer = fastify()
  await viewer.register(scalar, {
    routePrefix: path,
    configuration: {
      url: '/api/openapi.json',
      title: `${siteName} API`,
      pageTitle: `${siteName} API reference`,
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

/** The page configures itself by one inline script; naming its hash lets that run and nothing else. */
function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = '']) =>
    hash('sha256', script, 'base64'),
  )
}
