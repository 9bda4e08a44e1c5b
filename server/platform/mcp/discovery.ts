import { type Identity, usualVersion, versions } from './identity.ts'
import type { ToolDefinition } from './tool.ts'

/** What a tool server answers to GET: small, and made of its identity and its tools. */
export const discoveryObject = (
  identity: Identity,
  authentication: 'none' | 'bearer',
  tools: readonly Pick<ToolDefinition, 'name'>[],
) => ({
  ok: true,
  name: identity.name,
  title: identity.title,
  version: identity.version,
  description: identity.description,
  protocolVersion: usualVersion,
  supportedProtocolVersions: versions,
  transport: 'streamable-http',
  endpoint: identity.endpoint,
  authentication,
  tools: tools.map(({ name }) => name),
})
