import type { ReadContext } from '#platform/context.ts'
import { readCursor, writeCursor } from '#platform/cursor.ts'
import { notFound } from '#platform/errors.ts'
import { fold } from '#platform/text/fold.ts'
import { hasSlugShape } from '#platform/text/slug.ts'
import type { Urls } from '#platform/urls.ts'
import { presentAuthor, presentAuthorHit } from './present.ts'
import { type AuthorPlace, type EvidenceRow, evidenceRows, findAuthor, findAuthors } from './queries.ts'
import {
  type Author,
  type AuthorFound,
  type AuthorHits,
  authorSearchLimits,
  type OneAuthor,
  type SearchAuthors,
} from './schema.ts'

export interface KnownAuthor {
  readonly id: string
  readonly author: Author
  /** When their website last showed that it is theirs; for pages, not part of the contract. */
  readonly websiteCheckedAt: Date | null
}

/** By slug or former slug; `author.slug` is the one they have. */
export async function authorAt({ db, urls }: ReadContext, slug: string): Promise<KnownAuthor | undefined> {
  const row = hasSlugShape(slug) ? await findAuthor(db, slug) : undefined
  return row && { id: row.id, author: presentAuthor(row, urls), websiteCheckedAt: row.website_checked_at }
}

/** The same where there has to be one. */
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
  const after = cursor === undefined ? undefined : readCursor<AuthorPlace>('authors', cursor, isPlace)
  const rows = await findAuthors(searchDb, { term: fold(q), limit: limit + 1, after })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const results = page.map((row) => presentAuthorHit(row, urls))
  return {
    ok: true,
    query: q,
    count: results.length,
    results,
    next_cursor: last ? writeCursor('authors', [last.identity_verified, last.pieces_count, last.slug]) : null,
  }
}

/** What the site has checked of a writer, and when. */
export interface Evidence {
  readonly name: string
  readonly profile: string
  /** Null where nobody noted when. */
  readonly identity: { readonly since: Date | null } | null
  readonly website: { readonly url: string; readonly checkedAt: Date | null } | null
}

/** Everybody for whom the site vouches in some way, by their address. */
export async function writersEvidence(
  { db, urls }: ReadContext,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ items: Evidence[]; next_cursor: string | null }> {
  const [after] = cursor === undefined ? [''] : readCursor<[string]>('evidence', cursor, isSlugPlace)
  const rows = await evidenceRows(db, after, limit + 1)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    items: page.map((row) => presentEvidence(row, urls)),
    next_cursor: last ? writeCursor('evidence', [last.slug]) : null,
  }
}

const presentEvidence = (row: EvidenceRow, urls: Urls): Evidence => ({
  name: row.name,
  profile: urls.profile(row.slug),
  identity: row.identity_verified ? { since: row.identity_verified_at } : null,
  website: row.website_verified && row.website ? { url: row.website, checkedAt: row.website_checked_at } : null,
})

const isSlugPlace = ([slug, ...rest]: readonly unknown[]): boolean =>
  typeof slug === 'string' && hasSlugShape(slug) && rest.length === 0

const isPlace = ([verified, count, slug, ...rest]: readonly unknown[]): boolean =>
  typeof verified === 'boolean' &&
  Number.isInteger(count) &&
  Math.abs(count as number) < 2 ** 31 &&
  typeof slug === 'string' &&
  hasSlugShape(slug) &&
  rest.length === 0
