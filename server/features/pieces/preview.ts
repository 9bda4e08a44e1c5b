import type { Person, Writer } from '#features/accounts/sessions.ts'
import { presentAuthor } from '#features/authors/reads.ts'
import type { Author } from '#features/authors/schema.ts'
import type { ProfileColumns } from '#features/authors/writers.ts'
import type { DeskContext, ReadContext } from '#features/context.ts'
import type { Urls } from '#features/urls.ts'
import { message } from '#messages/message.ts'
import { hashOf, secretToken } from '#platform/crypto.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import type { Pictures } from '#platform/markdown/pictures.ts'
import type { LinkMade, Links, NewLink } from './desk-schema.ts'
import type { WrittenMeta } from './page-meta.ts'
import { type PublishedPiece, presentPublished, relatedPieces } from './public-lists.ts'
import type { CoAuthorColumns, PublicCover, TranslationColumns, WholePieceRow } from './queries.ts'
import type { Rendering } from './rendering/render-piece.ts'
import type { Renderer } from './rendering/renderer.ts'
import type { PieceListItem } from './schema.ts'

export interface PreviewContext extends DeskContext {
  readonly renderer: Pick<Renderer, 'render'>
}

/** A piece with everything its page shows. */
export interface PieceOnPage {
  readonly published: PublishedPiece
  readonly writer: Author
  readonly further: readonly PieceListItem[]
}

/** The same before publication. */
export interface PreviewedPiece extends PieceOnPage {
  /** On the page of a private link: which of its own addresses lead somewhere. Null at the desk. */
  readonly link: { readonly isPublic: boolean; readonly hasAuthorPage: boolean } | null
  /** The Markdown that it was made of. */
  readonly body: string
}

/** The result of `app.previewed`. */
interface Row extends ProfileColumns {
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
  readonly avatar_url: string | null
  readonly identity_verified: boolean
  readonly website_verified: boolean
  readonly socials: Record<string, string>
  readonly joined_at: Date
  readonly pictures: Pictures
}

/**
 * The piece as its page would show it, for anyone who has this token, with image URLs that the token opens. Rendering counts
 * against the writer's share of the threads, however many links there are and however many people open them.
 */
export async function previewedPiece(
  { db, urls, renderer }: PreviewContext,
  token: string,
  signal?: AbortSignal,
): Promise<PreviewedPiece> {
  const [row, { cover, meta, link, co_authors }, translations] = await Promise.all([
    rowOf(db, token),
    coverAndLink(db, token),
    translationsOf(db, token),
  ])
  const rendering = await renderer.render(row, { by: row.writer_id, signal })
  const inPreview: Urls = { ...urls, media: (hash) => previewMedia(urls, token, hash) }
  const published = presentPublished(
    { ...publishedRow(row, rendering, portraitIn(row, urls, inPreview)), cover, meta, co_authors, ...translations },
    inPreview,
  )
  const writer = presentAuthor(authorRow(row, portraitIn(row, urls, inPreview)), urls)
  // Related pieces are public, read through the desk's connections.
  const reads: ReadContext = { db, searchDb: db, searchBudget: 0, urls }
  return { published, writer, further: await relatedPieces(reads, published), link, body: row.body_md }
}

export const previewMedia = (urls: Urls, token: string, hash: string): string => `${urls.preview(token)}/media/${hash}`

type CoverAndLink = Pick<PreviewedPiece, 'link'> & {
  readonly cover: PublicCover | null
  readonly meta: WrittenMeta | null
  readonly co_authors: readonly CoAuthorColumns[] | null
}

/** One query, since each needs a connection. */
async function coverAndLink(db: Database, token: string): Promise<CoverAndLink> {
  const [found] = await db.run<CoverAndLink>({
    text: `select app.previewed_cover($1) as cover, app.previewed_meta($1) as meta,
                  app.preview_link_state($1) as link, app.previewed_co_authors($1) as co_authors`,
    values: [hashOf(token)],
  })
  return found!
}

/** The public pieces that its page would name as translations. */
async function translationsOf(
  db: Database,
  token: string,
): Promise<Pick<WholePieceRow, 'translation_of' | 'translations'>> {
  const rows = await db.run<Omit<TranslationColumns, 'is_earlier'>>({
    text: 'select * from app.previewed_translations($1)',
    values: [hashOf(token)],
  })
  if (rows.length === 0) return {}
  const original = rows.find(({ is_original }) => is_original)
  return { translation_of: original?.id ?? null, translations: rows.map((row) => ({ ...row, is_earlier: true })) }
}

async function rowOf(db: Database, token: string): Promise<Row> {
  const rows = /^[\w-]{43}$/.test(token)
    ? await db.run<Row>({ text: 'select * from app.previewed($1)', values: [hashOf(token)] })
    : []
  if (rows[0]) return rows[0]
  throw notFound(message('error.preview_expired'))
}

/** A portrait stored on this site may not be public yet. */
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
    arrived_at: null,
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

interface LinkRow {
  readonly id: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_seen_at: Date | null
}

/** The URL of this revision's page, for an iframe in the desk; valid for ten minutes. */
export async function newPreviewPage(tx: Transaction, person: Person, id: string, revision: number): Promise<string> {
  const { token, hash } = secretToken()
  await tx.query('select app.make_preview_page($1, $2, $3, $4)', [id, person.sessionHash, revision, hash])
  return `/desk/preview/${token}`
}

/** The picture that links to such a page will show. */
export const linkPictureOf = (page: string): string => `${page}/link.png`

export async function makeLink(
  { db, urls }: DeskContext,
  writer: Writer,
  id: string,
  { days }: NewLink,
): Promise<LinkMade> {
  requireUuid(id)
  const { token, hash } = secretToken()
  const [row] = await db.run<LinkRow>({
    text: 'select id, expires_at from app.make_preview_link($1, $2, $3, $4)',
    values: [id, writer.sessionHash, days, hash],
  })
  const link = { id: row!.id, url: urls.preview(token), expires_at: row!.expires_at.toISOString() }
  return { ok: true, link }
}

export async function listLinks({ db }: DeskContext, writer: Writer, id: string): Promise<Links> {
  requireUuid(id)
  const rows = await db.run<LinkRow>({
    text: 'select id, created_at, expires_at, last_seen_at from app.preview_links($1, $2)',
    values: [id, writer.sessionHash],
  })
  const links = rows.map(({ id, created_at, expires_at, last_seen_at }) => ({
    id,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    last_seen_at: last_seen_at?.toISOString() ?? null,
  }))
  return { ok: true, count: links.length, links }
}

export async function revokeLink({ db }: DeskContext, writer: Writer, id: string, link: string): Promise<void> {
  requireUuid(id)
  if (!isUuid(link)) throw notFound(message('error.preview_link_not_found'))
  await db.run({ text: 'select app.revoke_preview_link($1, $2, $3)', values: [id, writer.sessionHash, link] })
}

function requireUuid(id: string): void {
  if (!isUuid(id)) throw notFound(message('error.piece_not_found'))
}

/** Deletes expired previews. */
export async function sweepPreviews(db: Database): Promise<void> {
  await db.run({ text: 'select app.sweep_previews()' })
}
