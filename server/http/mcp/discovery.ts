import { type Catalogue, capabilitiesOf } from '#platform/mcp/catalogue.ts'
import { discoveryObject } from '#platform/mcp/discovery.ts'
import { type Identity, usualVersion, versions } from '#platform/mcp/identity.ts'
import type { ToolDefinition } from '#platform/mcp/tool.ts'
import type { ReadCall } from './read-tool.ts'

/** The objects by which clients find the tool server; each is made of its identity and its tools, and of nothing else. */

export const cardType = 'application/mcp-server-card+json'
export const catalogType = 'application/ai-catalog+json'

/** GET /api/mcp. */
export const publicDiscovery = (identity: Identity, { tools }: Catalogue<ReadCall>) => ({
  ...discoveryObject(identity, 'none', definitionsOf(tools)),
  manifest: `${identity.base}/.well-known/mcp.json`,
  serverCard: `${identity.endpoint}/server-card`,
  documentation: `${identity.base}/llms.txt`,
})

const definitionsOf = (tools: Catalogue<ReadCall>['tools']) => tools.map(({ definition }) => definition)

/** GET /api/mcp/server-card, by SEP-2127. */
export const serverCard = ({ name, version, description, title, base, endpoint }: Identity) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name,
  version,
  description,
  title,
  websiteUrl: base,
  remotes: [{ type: 'streamable-http', url: endpoint, supportedProtocolVersions: versions }],
})

/** GET /.well-known/mcp.json: the card, and what a client that knows no cards would ask first. */
export const serverManifest = (identity: Identity, catalogue: Catalogue<ReadCall>, drafting: KeyedServer) => ({
  ...serverCard(identity),
  protocolVersion: usualVersion,
  endpoint: identity.endpoint,
  transport: { type: 'streamable-http', endpoint: identity.endpoint },
  authentication: { required: false },
  capabilities: capabilitiesOf(catalogue),
  instructions: identity.instructions,
  tools: definitionsOf(catalogue.tools).map(({ name, title, description, inputSchema }) => ({
    name,
    title,
    description,
    inputSchema,
  })),
  drafting: {
    description: drafting.identity.description,
    endpoint: drafting.identity.endpoint,
    transport: { type: 'streamable-http', endpoint: drafting.identity.endpoint },
    authentication: { required: true, schemes: ['bearer'], documentation: `${identity.base}/developers/tools` },
    tools: drafting.tools.map(({ name }) => name),
  },
})

/** The other tool server of the site, for those who hold a writer's key. */
export interface KeyedServer {
  readonly identity: Pick<Identity, 'description' | 'endpoint'>
  readonly tools: readonly Pick<ToolDefinition, 'name'>[]
}

/** GET /.well-known/ai-catalog.json: where clients that know cards look first. */
export const aiCatalog = ({ base, endpoint }: Identity) => ({
  specVersion: '1.0',
  entries: [
    {
      identifier: `urn:air:${new URL(base).hostname}:mcp:content`,
      type: cardType,
      url: `${endpoint}/server-card`,
    },
  ],
})

/** server.json of the repository, by which a site enters the registry of tool servers. */
export const registryEntry = ({ name, title, description, version, endpoint, base }: Identity) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name,
  title,
  description,
  version,
  websiteUrl: base,
  remotes: [{ type: 'streamable-http', url: endpoint }],
})
