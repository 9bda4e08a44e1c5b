import { presentAuthor } from '#features/authors/present.ts'
import type { Author } from '#features/authors/schema.ts'
import type { ReadContext } from '#platform/context.ts'
import type { Database } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import type { Pictures } from '#platform/markdown/pictures.ts'
import { hashOf } from '#platform/secret.ts'
import type { Urls } from '#platform/urls.ts'
import { furtherPieces, type PublishedPiece, presentPublished } from './public-lists.ts'
import type { PublishingContext } from './publish.ts'
import type { Rendering } from './rendering.ts'
import type { PieceListItem } from './schema.ts'

/** A piece with all that its page shows. */
export interface PieceOnPage {
  readonly published: PublishedPiece
  readonly writer: Author
  readonly further: readonly PieceListItem[]
}

/** What `app.previewed` answers. */
interface Row {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly body_md: string
  readonly category: string
  readonly tags: string[]
  readonly style: string
  readonly locale: string
  readonly external_url: string | null
  readonly piece_slug: string | null
  readonly first_published_at: Date | null
  readonly writer_id: string
  readonly writer_slug: string
  readonly name: string
  readonly bio: string | null
  readonly role: string | null
  readonly niche: string | null
  readonly location: string | null
  readonly avatar_url: string | null
  readonly website: string | null
  readonly identity_verified: boolean
  readonly website_verified: boolean
  readonly socials: Record<string, string>
  readonly joined_at: Date
  readonly pictures: Pictures
}

/**
 * The piece as its page would show it, for whoever holds this token; with its pictures where the token opens them. It is
 * rendered at the cost of its writer: however many links there are, and however many people open them, that is one share.
 */
export async function previewedPiece(
  { db, urls, renderer }: PublishingContext,
  token: string,
  signal?: AbortSignal,
): Promise<PieceOnPage> {
  const row = await rowOf(db, token)
  const rendering = await renderer.render(row, { by: row.writer_id, signal })
  const inPreview: Urls = { ...urls, media: (hash) => `${urls.preview(token)}/media/${hash}` }
  const published = presentPublished(publishedRow(row, rendering, portraitIn(row, urls, inPreview)), inPreview)
  const writer = presentAuthor(authorRow(row, portraitIn(row, urls, inPreview)), urls)
  // Of what is public, through the desk's own connections.
  const reads: ReadContext = { db, searchDb: db, searchBudget: 0, urls }
  return { published, writer, further: await furtherPieces(reads, published) }
}

async function rowOf(db: Database, token: string): Promise<Row> {
  const rows = /^[\w-]{43}$/.test(token)
    ? await db.run<Row>({ text: 'select * from app.previewed($1)', values: [hashOf(token)] })
    : []
  if (rows[0]) return rows[0]
  throw notFound('This preview has ended, or never was. Ask whoever sent it for a new link.')
}

/** A portrait of the site may not be public yet. */
function portraitIn({ avatar_url }: Row, urls: Urls, inPreview: Urls): string | null {
  const own = urls.media('')
  return avatar_url?.startsWith(own) ? inPreview.media(avatar_url.slice(own.length)) : avatar_url
}

function publishedRow(row: Row, rendering: Rendering, avatar: string | null) {
  const now = new Date()
  return {
    id: row.id,
    author_id: row.writer_id,
    slug: row.piece_slug ?? rendering.slug,
    headline: row.headline,
    sub: row.sub,
    summary: rendering.summary,
    category: row.category,
    tags: row.tags,
    kind: row.style,
    locale: row.locale,
    external_url: row.external_url,
    published_at: row.first_published_at ?? now,
    modified_at: now,
    html: rendering.html,
    text: rendering.text,
    author_slug: row.writer_slug,
    author_name: row.name,
    author_avatar: avatar,
    author_verified: row.identity_verified,
  }
}

function authorRow(row: Row, avatar_url: string | null) {
  const { name, bio, role, niche, location, website, identity_verified, website_verified, socials, joined_at } = row
  return {
    id: row.writer_id,
    slug: row.writer_slug,
    ...{ name, bio, role, niche, location, website, identity_verified, website_verified, socials, joined_at },
    avatar_url,
    search_text: '',
    pieces_count: 0,
    last_published_at: null,
    website_checked_at: null,
    identity_verified_at: null,
  }
}
