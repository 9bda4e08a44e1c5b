import { createHash } from 'node:crypto'
import type { Urls } from '#platform/urls.ts'
import { startTags } from './html-tags.ts'

/** What a website carries to show that it is this writer's. No secret: it means nobody but this writer, whoever reads it. */
export const websiteToken = (writerId: string): string =>
  createHash('sha256').update(`standfirst website of ${writerId}`).digest('base64url').slice(0, 32)

/** Whose proof is looked for: addresses of their profile, former ones included, and their token. */
export interface Sought {
  readonly profiles: ReadonlySet<string>
  readonly token: string
}

export const soughtFor = (writerId: string, slugs: readonly string[], urls: Urls): Sought => ({
  profiles: new Set(slugs.map((slug) => plainAddress(new URL(urls.profile(slug))))),
  token: websiteToken(writerId),
})

const metaName = 'standfirst-verification'

/** A link back that says "this is me", or the token in a meta tag; whichever comes first. */
export function proofIn(page: string, { profiles, token }: Sought, address: URL): 'rel_me' | 'meta' | undefined {
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

/** Without what makes no difference to where a profile is: letter case, a slash at the end, what follows ? or #. */
const plainAddress = ({ origin, pathname }: URL): string => `${origin}${pathname.toLowerCase().replace(/\/+$/, '')}`
