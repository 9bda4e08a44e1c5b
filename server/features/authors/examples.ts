/** What the API reference shows. A test holds each against its schema. */

export const exampleSlug = 'ada-okafor'

const base = 'https://standfirst.example'

export const exampleAuthor = {
  slug: exampleSlug,
  name: 'Ada Okafor',
  bio: 'Writes about kitchens, patience and what both have to do with software.',
  role: 'Essayist',
  niche: 'Slow work',
  location: 'Lagos',
  avatar_url: null,
  website: 'https://ada.example',
  identity_verified: true,
  website_verified: true,
  socials: {
    x: null,
    linkedin: null,
    facebook: null,
    youtube: null,
    instagram: null,
    newsletter: 'https://ada.example/letters',
  },
  stats: { pieces_count: 42, last_published_at: '2026-11-02T08:30:00.000Z' },
  urls: {
    profile: `${base}/author/${exampleSlug}`,
    badge_svg: `${base}/embed/${exampleSlug}/badge.svg`,
    feed_json: `${base}/author/${exampleSlug}/feed.json`,
    feed_rss: `${base}/author/${exampleSlug}/feed.xml`,
  },
  joined_at: '2024-03-01T09:00:00.000Z',
}

export const exampleHit = {
  slug: exampleSlug,
  name: exampleAuthor.name,
  role: exampleAuthor.role,
  niche: exampleAuthor.niche,
  bio_snippet: exampleAuthor.bio,
  avatar_url: null,
  identity_verified: true,
  pieces_count: 42,
  urls: {
    profile: exampleAuthor.urls.profile,
    badge_svg: exampleAuthor.urls.badge_svg,
    feed_json: exampleAuthor.urls.feed_json,
  },
}
