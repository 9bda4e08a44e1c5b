import type { ReadContext } from '#features/context.ts'
import type { Urls } from '#features/urls.ts'
import { cutRows, readCursor } from '#platform/cursor.ts'
import { notFound } from '#platform/errors.ts'
import { fold } from '#platform/text/fold.ts'
import { shortened } from '#platform/text/normalise.ts'
import { hasSlugShape } from '#platform/text/slug.ts'
import {
  type AuthorCursor,
  type AuthorRow,
  authorInitials,
  authorRowsByName,
  type EvidenceRow,
  evidenceRows,
  findAuthor,
  findAuthors,
  type NameCursor,
  newestAuthorRows,
} from './queries.ts'
import {
  type Author,
  type AuthorFound,
  type AuthorHit,
  type AuthorHits,
  authorSearchLimits,
  type OneAuthor,
  type SearchAuthors,
} from './schema.ts'

export interface KnownAuthor {
  readonly id: string
  readonly author: Author
  /** When their website was last verified; for pages, not part of the API. */
  readonly websiteCheckedAt: Date | null
}

/** By current or former slug; `author.slug` is the current one. */
export async function authorAt({ db, urls }: ReadContext, slug: string): Promise<KnownAuthor | undefined> {
  const row = hasSlugShape(slug) ? await findAuthor(db, slug) : undefined
  return row && { id: row.id, author: presentAuthor(row, urls), websiteCheckedAt: row.website_checked_at }
}

/** The same; throws 404 if there is none. */
export async function knownAuthor(reads: ReadContext, slug: string): Promise<KnownAuthor> {
  const found = await authorAt(reads, slug)
  if (!found) throw notFound('No author has this slug. /api/public/authors/search?q= finds them by name.')
  return found
}

export async function getAuthor(reads: ReadContext, { slug }: OneAuthor): Promise<AuthorFound> {
  const { author } = await knownAuthor(reads, slug)
  return { ok: true, author }
}

export async function searchAuthors(
  { searchDb, urls }: ReadContext,
  { q, limit = authorSearchLimits.default, cursor }: SearchAuthors,
): Promise<AuthorHits> {
  const after = cursor === undefined ? undefined : readCursor<AuthorCursor>('authors', cursor, isAuthorCursor)
  const rows = await findAuthors(searchDb, { term: fold(q), limit: limit + 1, after })
  const { page, next_cursor } = cutRows('authors', rows, limit, (last) => [
    last.identity_verified,
    last.pieces_count,
    last.slug,
  ])
  const results = page.map((row) => presentAuthorHit(row, urls))
  return { ok: true, query: q, count: results.length, results, next_cursor }
}

/** For the search page, which shows where the term stands: also in a bio that a hit only has the beginning of. */
export async function writersWith(
  { searchDb, urls }: ReadContext,
  q: string,
  limit: number,
): Promise<(AuthorHit & Pick<Author, 'bio'>)[]> {
  const rows = await findAuthors(searchDb, { term: fold(q), limit, after: undefined })
  return rows.map((row) => ({ ...presentAuthorHit(row, urls), bio: row.bio }))
}

/** What the site has verified about a writer, and when. */
export interface Evidence {
  readonly name: string
  readonly profile: string
  /** Null if the time was not recorded. */
  readonly identity: { readonly since: Date | null } | null
  readonly website: { readonly url: string; readonly checkedAt: Date | null } | null
}

/** Authors with a verified identity or website, by name. */
export async function writersEvidence({ db, urls }: ReadContext, { limit, cursor }: NamesAsked) {
  const rows = await evidenceRows(db, afterName('evidence', cursor, ''), limit + 1)
  const { page, next_cursor } = cutRows('evidence', rows, limit, byName)
  return { items: page.map((row) => presentEvidence(row, urls)), next_cursor }
}

/** All authors with public pieces, by name; from an initial on, if there is no cursor. */
export async function authorsByName(
  { db, urls }: ReadContext,
  { limit, cursor, from = '' }: NamesAsked & { readonly from?: string | undefined },
) {
  // Small characters sort before capitals, so this is before every name that begins so.
  const rows = await authorRowsByName(db, afterName('writers', cursor, from.toLowerCase()), limit + 1)
  const { page, next_cursor } = cutRows('writers', rows, limit, byName)
  return { items: page.map((row) => presentAuthorHit(row, urls)), next_cursor }
}

/** Scripts without an alphabet have thousands. */
const maxInitials = 60

/** The characters that names of authors begin with, without accents, in their order. */
export async function initialsOfAuthors({ db }: ReadContext): Promise<string[]> {
  const found = await authorInitials(db, maxInitials)
  return [...new Set(found.filter((initial) => /^\p{L}/u.test(initial)))]
}

export async function newestAuthors({ db, urls }: ReadContext, limit: number): Promise<AuthorHit[]> {
  const rows = await newestAuthorRows(db, limit)
  return rows.map((row) => presentAuthorHit(row, urls))
}

const presentEvidence = (row: EvidenceRow, urls: Urls): Evidence => ({
  name: row.name,
  profile: urls.profile(row.slug),
  identity: row.identity_verified ? { since: row.identity_verified_at } : null,
  website: row.website_verified && row.website ? { url: row.website, checkedAt: row.website_checked_at } : null,
})

interface NamesAsked {
  readonly limit: number
  readonly cursor?: string | undefined
}

const byName = ({ name, slug }: Pick<AuthorRow, 'name' | 'slug'>): NameCursor => [name, slug]

const afterName = (list: string, cursor: string | undefined, start: string): NameCursor =>
  cursor === undefined ? [start, ''] : readCursor<NameCursor>(list, cursor, isNameCursor)

const isNameCursor = ([name, slug, ...rest]: readonly unknown[]): boolean =>
  typeof name === 'string' &&
  name.length <= 1_000 &&
  !name.includes('\0') &&
  typeof slug === 'string' &&
  hasSlugShape(slug) &&
  rest.length === 0

const isAuthorCursor = ([verified, count, slug, ...rest]: readonly unknown[]): boolean =>
  typeof verified === 'boolean' &&
  Number.isInteger(count) &&
  Math.abs(count as number) < 2 ** 31 &&
  typeof slug === 'string' &&
  hasSlugShape(slug) &&
  rest.length === 0

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
