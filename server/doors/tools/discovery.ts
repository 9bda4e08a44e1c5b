import { capabilities, handshakeVersions, type Identity, usualVersion, versions } from './identity.ts'
import type { ToolDefinition } from './tool.ts'

/** The objects by which clients find the tool server; each is made of its identity and its tools, and of nothing else. */

export const cardType = 'application/mcp-server-card+json'
export const catalogType = 'application/ai-catalog+json'

/** GET /api/mcp. */
export const discoveryObject = (identity: Identity, tools: readonly ToolDefinition[]) => ({
  ok: true,
  name: identity.name,
  title: identity.title,
  version: identity.version,
  description: identity.description,
  protocolVersion: usualVersion,
  supportedProtocolVersions: versions,
  transport: 'streamable-http',
  endpoint: identity.endpoint,
  authentication: 'none',
  tools: tools.map(({ name }) => name),
  manifest: `${identity.base}/.well-known/mcp.json`,
  serverCard: `${identity.endpoint}/server-card`,
  documentation: `${identity.base}/llms.txt`,
})

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
export const serverManifest = (identity: Identity, tools: readonly ToolDefinition[]) => ({
  ...serverCard(identity),
  protocolVersion: usualVersion,
  endpoint: identity.endpoint,
  transport: { type: 'streamable-http', endpoint: identity.endpoint },
  authentication: { required: false },
  capabilities,
  instructions: identity.instructions,
  tools: tools.map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema })),
})

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

/** server.json of the repository, by which a house enters the registry of tool servers. */
export const registryEntry = ({ name, title, description, version, endpoint, base }: Identity) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name,
  title,
  description,
  version,
  websiteUrl: base,
  remotes: [{ type: 'streamable-http', url: endpoint }],
})

/** The answer to `initialize`. */
export const handshake = ({ name, title, version, instructions }: Identity, asked: unknown) => ({
  protocolVersion: handshakeVersions.find((known) => known === asked) ?? usualVersion,
  capabilities,
  serverInfo: { name, title, version },
  instructions,
})
