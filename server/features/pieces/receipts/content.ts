import { canonicalJson } from '#platform/canonical-json.ts'
import { hashOf } from '#platform/secret.ts'
import type { Piece } from '../schema.ts'

/**
 * What a receipt vouches for: the members of the API's Piece that its writer wrote. Names, portraits and addresses of
 * the author are not among them, since they change without a new edition.
 */
export const contentHash = (piece: Piece): string => hashOf(canonicalJson(contentOf(piece))).toString('hex')

const contentOf = (piece: Piece) => ({
  title: piece.title,
  summary: piece.summary,
  content_html: piece.content_html && withoutSite(piece.content_html, piece.id),
  content_text: piece.content_text,
  tags: piece.tags,
  category: piece.category,
  kind: piece.kind,
  external_url: piece.external_url ?? null,
})

/** Pictures of the site as paths: their addresses change with the site's own, and the piece with neither. */
const withoutSite = (html: string, pieceId: string): string =>
  html.replaceAll(`="${pieceId.replace(/\/p\/[^/]*$/, '')}/media/`, '="/media/')
