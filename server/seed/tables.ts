import { searchTextOf, type WriterProfile } from '#features/authors/writers.ts'
import type { Rendering } from '#features/pieces/rendering.ts'
import { type Field, text, texts, time, uuid } from './binary.ts'
import type { CopyValue } from './copy.ts'

/**
 * What publishing leaves behind, as rows: the bulk twin of `app.desk_publish` and `app.show_author`.
 * seed/bulk.test.ts publishes the same pieces both ways and compares every table.
 */

export interface SeededAuthor extends Omit<WriterProfile, 'avatarUrl'> {
  readonly id: string
  readonly identityVerified: boolean
  readonly websiteVerified: boolean
  readonly joinedAt: Date
}

export interface SeededPiece {
  readonly id: string
  readonly writerId: string
  readonly slug: string
  readonly headline: string
  readonly sub: string | null
  readonly bodyMd: string
  readonly category: string
  readonly tags: readonly string[]
  readonly style: string
  readonly createdAt: Date
  readonly publishedAt: Date
  readonly rendering: Rendering
}

export type Draft = Omit<SeededPiece, 'slug' | 'publishedAt' | 'rendering'>

interface Table<Row> {
  readonly target: string
  readonly values: (row: Row) => readonly CopyValue[]
}

export const writersTable: Table<SeededAuthor> = {
  target:
    'app.writers (id, slug, name, bio, role, niche, location, website, socials, identity_verified_at, website_verified_at, search_text, joined_at)',
  values: (author) => [
    author.id,
    author.slug,
    author.name,
    author.bio,
    author.role,
    author.niche,
    author.location,
    author.website,
    author.socials,
    author.identityVerified ? author.joinedAt : null,
    author.websiteVerified ? author.joinedAt : null,
    searchTextOf(author),
    author.joinedAt,
  ],
}

const textColumns = {
  id: 'uuid',
  writer_id: 'uuid',
  headline: 'text',
  sub: 'text',
  body_md: 'text',
  category: 'text',
  tags: 'text[]',
  style: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

const textValues = (piece: Draft): CopyValue[] => [
  piece.id,
  piece.writerId,
  piece.headline,
  piece.sub,
  piece.bodyMd,
  piece.category,
  piece.tags,
  piece.style,
  piece.createdAt,
  piece.createdAt,
]

export const draftRows = { columns: textColumns, values: textValues }

export const approvedRows = {
  columns: { ...textColumns, editor_status: 'text', slug: 'text', first_published_at: 'timestamptz' },
  values: (piece: SeededPiece): CopyValue[] => [...textValues(piece), 'approved', piece.slug, piece.publishedAt],
}

export const publicPieceRows = {
  target:
    'pub.pieces (id, author_id, slug, headline, sub, summary, category, tags, kind, locale, external_url, published_at, modified_at, headline_folded, sub_folded)',
  fields: ({ rendering, ...piece }: SeededPiece): Field[] => [
    uuid(piece.id),
    uuid(piece.writerId),
    text(piece.slug),
    text(piece.headline),
    text(piece.sub),
    text(rendering.summary),
    text(piece.category),
    texts(piece.tags),
    text(piece.style),
    text('en'),
    null,
    time(piece.publishedAt),
    time(piece.publishedAt),
    text(rendering.headline_folded),
    text(rendering.sub_folded),
  ],
}

/** What refers to the rows above. */
export const publishedTables: readonly Table<SeededPiece>[] = [
  {
    target: 'pub.piece_contents (piece_id, author_id, html, text)',
    values: (piece) => [piece.id, piece.writerId, piece.rendering.html, piece.rendering.text],
  },
  {
    target: 'pub.piece_texts (piece_id, author_id, category, published_at, body)',
    values: (piece) => [piece.id, piece.writerId, piece.category, piece.publishedAt, piece.rendering.body_folded],
  },
]

export const auditTable: Table<SeededPiece> = {
  target: 'app.audit (at, act, piece_id, writer_id, revision, from_status, to_status)',
  values: (piece) => [piece.publishedAt, 'publish', piece.id, piece.writerId, 1, 'draft', 'approved'],
}

/** What the publishing function counts one by one. */
export const countPieces = `
  update pub.authors a set pieces_count = counted.pieces, last_published_at = counted.latest
    from (select author_id, count(*)::integer as pieces, max(published_at) as latest from pub.pieces group by author_id) counted
   where counted.author_id = a.id`
