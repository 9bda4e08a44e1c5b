import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, ok, searchTerm, uri } from '#platform/common-schemas.ts'

/** Examples for the API reference. A test checks each against its schema. */

const exampleSlug = 'ada-okafor'

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

const exampleHit = {
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

export const Author = Type.Object(
  {
    slug: Type.String({ examples: [exampleSlug] }),
    name: Type.String(),
    bio: nullable(Type.String()),
    role: nullable(Type.String()),
    niche: nullable(Type.String()),
    location: nullable(Type.String()),
    avatar_url: nullable(uri),
    website: nullable(uri),
    identity_verified: Type.Boolean(),
    website_verified: Type.Boolean(),
    socials: Type.Object({
      x: nullable(uri),
      linkedin: nullable(uri),
      facebook: nullable(uri),
      youtube: nullable(uri),
      instagram: nullable(uri),
      newsletter: nullable(uri),
    }),
    stats: Type.Object({ pieces_count: Type.Integer(), last_published_at: nullable(dateTime) }),
    urls: Type.Object({ profile: uri, badge_svg: uri, feed_json: uri, feed_rss: uri }),
    joined_at: nullable(dateTime),
  },
  { $id: 'Author', description: 'A writer, as everyone may know them.', examples: [exampleAuthor] },
)
export type Author = Static<typeof Author>

export const AuthorHit = Type.Object(
  {
    slug: Type.String({ examples: [exampleSlug] }),
    name: Type.String(),
    role: nullable(Type.String()),
    niche: nullable(Type.String()),
    bio_snippet: nullable(Type.String()),
    avatar_url: nullable(uri),
    identity_verified: Type.Boolean(),
    pieces_count: Type.Integer(),
    urls: Type.Object({ profile: uri, badge_svg: uri, feed_json: uri }),
  },
  { $id: 'AuthorHit', description: 'A writer found by a search.', examples: [exampleHit] },
)
export type AuthorHit = Static<typeof AuthorHit>

export const OneAuthor = Type.Object({
  slug: Type.String({
    description: "The author's address. A former one finds the author too.",
    examples: [exampleSlug],
  }),
})
export type OneAuthor = Static<typeof OneAuthor>

export const AuthorFound = Type.Object({ ok, author: Type.Ref('Author') })
export type AuthorFound = { ok: true; author: Author }

export const authorSearchLimits = { minimum: 1, maximum: 50, default: 10 } as const

export const SearchAuthors = Type.Object({
  q: searchTerm('A topic, a part of a name, a word of the niche.', 'garden'),
  limit: limited(authorSearchLimits),
  cursor,
})
export type SearchAuthors = Static<typeof SearchAuthors>

export const AuthorHits = Type.Object({
  ok,
  query: Type.String(),
  count: Type.Integer(),
  results: Type.Array(Type.Ref('AuthorHit')),
  next_cursor: nextCursor,
})
export type AuthorHits = { ok: true; query: string; count: number; results: AuthorHit[]; next_cursor: string | null }
