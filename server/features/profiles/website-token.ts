import { createHash } from 'node:crypto'
import type { Urls } from '#features/urls.ts'
import { startTags } from '#platform/text/start-tags.ts'

/** The token that a website shows to prove it belongs to this writer. Not secret: it identifies only this writer. */
export const websiteToken = (writerId: string): string =>
  createHash('sha256').update(`standfirst website of ${writerId}`).digest('base64url').slice(0, 32)

/** Accepted proofs: links to the writer's profile, former URLs included, or the token. */
export interface ExpectedProof {
  readonly profiles: ReadonlySet<string>
  readonly token: string
}

export const expectedProof = (writerId: string, slugs: readonly string[], urls: Urls): ExpectedProof => ({
  profiles: new Set(slugs.map((slug) => plainAddress(new URL(urls.profile(slug))))),
  token: websiteToken(writerId),
})

const metaName = 'standfirst-verification'

/** A `rel=me` link to the profile, or the token in a meta tag; the first one found. */
export function findProof(
  page: string,
  { profiles, token }: ExpectedProof,
  address: URL,
): 'rel_me' | 'meta' | undefined {
  for (const { name, attributes } of startTags(page)) {
    if (name === 'meta') {
      if (attributes.get('name')?.trim().toLowerCase() !== metaName) continue
      if (attributes.get('content')?.trim() === token) return 'meta'
    } else if (name === 'a' || name === 'link') {
      if (!/(?:^|\s)me(?:\s|$)/i.test(attributes.get('rel') ?? '')) continue
      const href = attributes.get('href')?.trim() ?? ''
      if (URL.canParse(href, address.href) && profiles.has(plainAddress(new URL(href, address)))) return 'rel_me'
    }
  }
  return undefined
}

/** Ignores what does not matter: letter case, a trailing slash, query and fragment. */
const plainAddress = ({ origin, pathname }: URL): string => `${origin}${pathname.toLowerCase().replace(/\/+$/, '')}`
