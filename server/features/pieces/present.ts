import type { Urls } from '#features/urls.ts'
import { picturesAt } from '#platform/markdown/pictures.ts'
import { languageTag } from '#platform/text/language.ts'
import type { DraftCover, DraftMeta } from './draft-schema.ts'
import type { StoredCover } from './normalize-input.ts'
import type { WrittenMeta } from './page-meta.ts'
import type { PieceRow, SeriesColumns, TranslationColumns, WholePieceRow } from './queries.ts'
import type { Piece, PieceHit, PieceListItem, Translation } from './schema.ts'
import type { Hit } from './search/snippet.ts'
import type { WordsHit } from './search/words-find.ts'

/** The Piece of REST, MCP tools, feeds and webhooks. Feeds leave out the translations and the series of each. */
export function presentPiece(row: WholePieceRow, urls: Urls): Piece {
  return {
    id: urls.pieceId(row.id),
    url: urls.piece(row.author_slug, row.slug),
    ...(row.external_url ? { external_url: row.external_url } : {}),
    title: row.headline,
    summary: row.summary,
    language: languageTag(row.locale),
    content_html: picturesAt(row.html, urls.media('')),
    content_text: row.text,
    date_published: row.published_at.toISOString(),
    date_modified: row.modified_at.toISOString(),
    tags: row.tags,
    category: row.category,
    kind: row.kind,
    ...presentCover(row, urls),
    authors: presentBylines(row, urls),
    ...(row.translations ? { translations: row.translations.map((one) => presentTranslation(one, urls)) } : {}),
    ...(row.series ? { series: presentSeries(row.author_slug, row.series, urls) } : {}),
  }
}

/** The writer first, whose address it has, then the co-authors who agreed. */
function presentBylines(row: PieceRow, urls: Urls) {
  const writer = {
    slug: row.author_slug,
    name: row.author_name,
    avatar: row.author_avatar,
    verified: row.author_verified,
  }
  return [writer, ...(row.co_authors ?? [])].map(({ name, slug, avatar, verified }) => ({
    name,
    slug,
    url: urls.profile(slug),
    avatar,
    identity_verified: verified,
  }))
}

/** `image` is JSON Feed's own member. */
function presentCover({ cover }: Pick<PieceRow, 'cover'>, urls: Urls): Pick<Piece, 'image' | 'cover'> {
  if (!cover) return {}
  const { hash, width, height, alt, caption, credit, x, y } = cover
  const url = urls.media(hash)
  return {
    image: url,
    cover: { url, width, height, alt, caption: caption ?? null, credit: credit ?? null, focus: { x, y } },
  }
}

/** Of a draft: its address is written as in Markdown. */
export const presentDraftCover = ({ hash, alt, caption, credit, x, y }: StoredCover): DraftCover => ({
  image: `/media/${hash}`,
  alt,
  caption: caption ?? null,
  credit: credit ?? null,
  focus: { x, y },
})

export const presentDraftMeta = ({ title, description, social_title, social_description }: WrittenMeta): DraftMeta => ({
  title: title ?? null,
  description: description ?? null,
  social_title: social_title ?? null,
  social_description: social_description ?? null,
})

const presentSeries = (author: string, { slug, title, position, count }: SeriesColumns, urls: Urls) => ({
  title,
  url: urls.series(author, slug),
  position,
  count,
})

export const presentTranslation = (row: TranslationColumns, urls: Urls): Translation => ({
  id: urls.pieceId(row.id),
  url: urls.piece(row.author_slug, row.slug),
  title: row.headline,
  language: languageTag(row.locale),
  is_original: row.is_original,
  authors: [{ slug: row.author_slug, name: row.author_name }, ...(row.co_authors ?? [])].map(({ name, slug }) => ({
    name,
    slug,
    url: urls.profile(slug),
  })),
})

export function presentListItem(row: PieceRow, urls: Urls): PieceListItem {
  return {
    id: urls.pieceId(row.id),
    url: urls.piece(row.author_slug, row.slug),
    title: row.headline,
    summary: row.summary,
    language: languageTag(row.locale),
    date_published: row.published_at.toISOString(),
    category: row.category,
    tags: row.tags,
    ...presentCover(row, urls),
    authors: presentBylines(row, urls),
  }
}

export function presentHit(row: PieceRow, hit: Hit | WordsHit, urls: Urls): PieceHit {
  return {
    ...presentListItem(row, urls),
    snippet: hit.snippet,
    match_site: hit.site,
    ...('isPart' in hit && hit.isPart ? { is_part: true } : {}),
  }
}
