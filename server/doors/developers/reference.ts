import { hash } from 'node:crypto'
import type { FastifyPluginAsync, onRequestHookHandler } from 'fastify'
import { failure } from '#platform/http/errors.ts'
import { developerPage } from '#platform/http/security.ts'

export interface DevelopersDoor {
  readonly houseName: string
  readonly onRequest: readonly onRequestHookHandler[]
}

/** /developers/reference: the OpenAPI document as a page to read and try, served whole from here. */
export const referenceRoutes: FastifyPluginAsync<DevelopersDoor> = async (app, { houseName, onRequest }) => {
  // Loaded here, not at the top: it carries its four-megabyte script, which commands other than `serve` never need.
  const { default: scalar } = await import('@scalar/fastify-api-reference')

  for (const hook of onRequest) app.addHook('onRequest', hook)
  // The plugin makes an address of the host it is asked at.
  app.addHook('onRequest', (request, _reply, done) =>
    done(URL.canParse(`http://${request.hostname}`) ? undefined : failure(400)),
  )
  app.addHook('onSend', async (_request, reply, payload) => {
    const page = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
    developerPage(reply, page ? inlineScripts(payload) : [])
    reply.header('cache-control', page ? 'no-cache' : 'public, max-age=3600')
    return payload
  })

  await app.register(scalar, {
    routePrefix: '/developers/reference',
    configuration: {
      url: '/api/openapi.json',
      title: `${houseName} API`,
      pageTitle: `${houseName} API reference`,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    } as never,
  })
}

/** The page configures itself by one inline script; naming its hash lets that run and nothing else. */
function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = '']) =>
    hash('sha256', script, 'base64'),
  )
}
