import { readFileSync } from 'node:fs'
import type { Urls } from '../urls.ts'

/** What a tool server says of itself, wherever it does: in the handshake, in discovery and on the page for developers. */
export interface Identity {
  readonly base: string
  /** Of the server in the world of tool servers: the host, reversed, and what it serves. */
  readonly name: string
  /** As people know the site. */
  readonly title: string
  readonly version: string
  readonly description: string
  readonly instructions: string
  readonly endpoint: string
  /** Who may keep what it lists: anybody, or whoever asked. */
  readonly cacheScope: 'public' | 'private'
}

/** Revisions that begin with a handshake, and the one that begins with none. */
export const handshakeVersions = ['2025-06-18', '2025-11-25'] as const
export const modernVersion = '2026-07-28'
export const versions: readonly string[] = [...handshakeVersions, modernVersion]
/** The one the specification names; what whoever asks for another is given. */
export const usualVersion = handshakeVersions[0]

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

type OwnWords = Pick<Identity, 'title' | 'description' | 'instructions' | 'endpoint' | 'cacheScope'>

/** `serves` is its name behind that of the host: `org.example/content`. */
export function serverIdentity({ base }: Urls, serves: string, words: OwnWords): Identity {
  return { base, name: `${reversed(new URL(base).hostname)}/${serves}`, version, ...words }
}

/** example.org -> org.example; an address made of numbers stays as it is, and one of IPv6 has no name here. */
function reversed(host: string): string {
  if (host.startsWith('[')) return 'localhost'
  return /^[\d.]+$/.test(host) ? host : host.split('.').reverse().join('.')
}
