import type { Urls } from '#platform/urls.ts'
import { type Network, networks, type Profile } from './schema.ts'
import { websiteToken } from './website-token.ts'

/** A row of app.writers, what is known of their website, and whether readers see them. */
export interface ProfileRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly bio: string | null
  readonly role: string | null
  readonly niche: string | null
  readonly location: string | null
  readonly avatar_url: string | null
  readonly website: string | null
  readonly socials: Readonly<Partial<Record<Network, string | null>>>
  readonly identity_verified_at: Date | null
  readonly is_public: boolean
  readonly check_state: Profile['website_check']['state'] | null
  readonly check_method: Profile['website_check']['method']
  readonly check_evidence: string | null
  readonly checked_at: Date | null
  readonly proven_at: Date | null
}

export function presentProfile(row: ProfileRow, urls: Urls): Profile {
  return {
    slug: row.slug,
    name: row.name,
    bio: row.bio,
    role: row.role,
    niche: row.niche,
    location: row.location,
    avatar_url: row.avatar_url,
    website: row.website,
    socials: Object.fromEntries(networks.map((one) => [one, row.socials[one] ?? null])) as Profile['socials'],
    identity_verified: row.identity_verified_at !== null,
    is_public: row.is_public,
    website_check: {
      state: row.check_state ?? 'none',
      method: row.check_method,
      evidence: row.check_evidence,
      checked_at: row.checked_at?.toISOString() ?? null,
      proven_at: row.proven_at?.toISOString() ?? null,
    },
    website_token: websiteToken(row.id),
    urls: {
      profile: urls.profile(row.slug),
      badge_svg: urls.badge(row.slug),
      feed_json: urls.feedJson(row.slug),
      feed_xml: urls.feedRss(row.slug),
    },
  }
}
