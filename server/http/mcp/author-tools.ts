import { getAuthor, searchAuthors } from '#features/authors/reads.ts'
import { AuthorFound, AuthorHits, OneAuthor, SearchAuthors } from '#features/authors/schema.ts'
import { quoted } from '#platform/mcp/tool.ts'
import type { Mirror } from './read-tool.ts'

export const authors: Mirror<SearchAuthors, AuthorHits> = {
  name: 'search_authors',
  title: 'Search authors',
  description:
    'Find writers by topic, name fragment or niche keyword (substring match on name, niche, role and bio). Verified writers come first, then those with more pieces. Use get_author with a returned slug for the full profile. For what they wrote, use search_pieces.',
  takes: SearchAuthors,
  called: { q: 'query' },
  words: { query: 'Topic, part of a name, or niche keyword, e.g. "bakery" or "ana".' },
  answers: AuthorHits,
  isSearch: true,
  ask: searchAuthors,
}

export const author: Mirror<OneAuthor, AuthorFound> = {
  name: 'get_author',
  title: 'Get author profile',
  description:
    'Full public profile of one writer: bio, links, verification, piece count, feed and badge URLs. Needs the slug; if you only have a name, call search_authors first.',
  takes: OneAuthor,
  words: { slug: 'Author slug exactly as returned by search_authors or a piece byline, e.g. "ana-silva".' },
  more: { slug: { minLength: 1, maxLength: 100 } },
  answers: AuthorFound,
  ask: getAuthor,
  missing: ({ slug }) =>
    `No author has the slug ${quoted(slug)}. Call search_authors with part of the name to find the right slug.`,
}
