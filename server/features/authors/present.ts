import { shortened } from '#platform/text/shorten.ts'
import type { Urls } from '#platform/urls.ts'
import type { AuthorRow } from './queries.ts'
import type { Author, AuthorHit } from './schema.ts'

type Socials = Partial<Record<keyof Author['socials'], string>>

export function presentAuthor(row: AuthorRow, urls: Urls): Author {
  const { x, linkedin, facebook, youtube, instagram, newsletter } = row.socials as Socials
  return {
    slug: row.slug,
    name: row.name,
    bio: row.bio,
    role: row.role,
    niche: row.niche,
    location: row.location,
    avatar_url: row.avatar_url,
    website: row.website,
    identity_verified: row.identity_verified,
    website_verified: row.website_verified,
    socials: {
      x: x ?? null,
      linkedin: linkedin ?? null,
      facebook: facebook ?? null,
      youtube: youtube ?? null,
      instagram: instagram ?? null,
      newsletter: newsletter ?? null,
    },
    stats: { pieces_count: row.pieces_count, last_published_at: row.last_published_at?.toISOString() ?? null },
    urls: {
      profile: urls.profile(row.slug),
      badge_svg: urls.badge(row.slug),
      feed_json: urls.feedJson(row.slug),
      feed_rss: urls.feedRss(row.slug),
    },
    joined_at: row.joined_at?.toISOString() ?? null,
  }
}

const snippetLength = 160

export function presentAuthorHit(row: AuthorRow, urls: Urls): AuthorHit {
  return {
    slug: row.slug,
    name: row.name,
    role: row.role,
    niche: row.niche,
    bio_snippet: row.bio && shortened(row.bio, snippetLength),
    avatar_url: row.avatar_url,
    identity_verified: row.identity_verified,
    pieces_count: row.pieces_count,
    urls: { profile: urls.profile(row.slug), badge_svg: urls.badge(row.slug), feed_json: urls.feedJson(row.slug) },
  }
}
