import { readFileSync } from 'node:fs'
import type { SiteBase } from '../http/security.ts'
import type { ToolDefinition } from './tool.ts'

/** How an MCP server describes itself in the handshake, in discovery and on the developer page. */
export interface Identity {
  readonly base: string
  /** Its global name: the reversed host, and what it serves. */
  readonly name: string
  /** The site's name. */
  readonly title: string
  readonly version: string
  readonly description: string
  readonly instructions: string
  readonly endpoint: string
  /** Who may cache its lists: anyone, or only the client. */
  readonly cacheScope: 'public' | 'private'
}

/** Revisions that begin with a handshake, and the one without. */
export const handshakeVersions = ['2025-06-18', '2025-11-25'] as const
export const latestVersion = '2026-07-28'
export const versions: readonly string[] = [...handshakeVersions, latestVersion]
/** The one named by the specification; the fallback for unknown versions. */
export const usualVersion = handshakeVersions[0]

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

type OwnWords = Pick<Identity, 'title' | 'description' | 'instructions' | 'endpoint' | 'cacheScope'>

/** `serves` follows the host in its name: `org.example/content`. */
export function serverIdentity({ base }: SiteBase, serves: string, words: OwnWords): Identity {
  return { base, name: `${reversed(new URL(base).hostname)}/${serves}`, version, ...words }
}

/** example.org -> org.example; an IPv4 address stays as it is, an IPv6 address becomes localhost. */
function reversed(host: string): string {
  if (host.startsWith('[')) return 'localhost'
  return /^[\d.]+$/.test(host) ? host : host.split('.').reverse().join('.')
}

/** The response to GET: identity and tools. */
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
