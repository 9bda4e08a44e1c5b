import type { FastifyPluginAsync } from 'fastify'
import { cached } from '#platform/http/caching.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import type { Catalogue } from '#platform/mcp/catalogue.ts'
import type { Identity } from '#platform/mcp/identity.ts'
import { aiCatalog, cardType, catalogType, type KeyedServer, serverCard, serverManifest } from './discovery.ts'
import type { ReadCall } from './read-tool.ts'

interface FindingDoor extends Pick<PublicContext, 'gate'> {
  readonly identity: Identity
  readonly catalogue: Catalogue<ReadCall>
  readonly drafting: KeyedServer
}

/** What clients read before they come: none of it changes while the site runs. */
export const findingRoutes: FastifyPluginAsync<FindingDoor> = async (app, context) => {
  const { gate, identity, catalogue, drafting } = context
  const files = [
    ['/api/mcp/server-card', cardType, serverCard(identity)],
    ['/.well-known/mcp.json', 'application/json; charset=utf-8', serverManifest(identity, catalogue, drafting)],
    ['/.well-known/ai-catalog.json', catalogType, aiCatalog(identity)],
  ] as const
  app.addHook('onSend', cached('card'))
  for (const [path, type, content] of files) {
    const text = JSON.stringify(content)
    app.get(path, { onRequest: gate('single', 'read'), schema: { hide: true } as object }, async (_request, reply) => {
      reply.type(type)
      return text
    })
  }
}
