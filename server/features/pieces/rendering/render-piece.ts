import type { Pictures } from '#platform/markdown/pictures.ts'
import { renderMarkdown } from '#platform/markdown/render.ts'
import { fold } from '#platform/text/fold.ts'
import { normaliseLine, shortened } from '#platform/text/normalise.ts'
import { slugInAnyScript } from '#platform/text/slug.ts'

/** Everything derived from a revision when it is published; the columns of the SQL type `app.rendering`. */
export interface Rendering {
  readonly slug: string
  readonly summary: string
  readonly html: string
  readonly text: string
  readonly headline_folded: string
  readonly sub_folded: string
  readonly body_folded: string
}

export interface Manuscript {
  readonly headline: string
  readonly sub: string | null
  readonly body_md: string
  /** Images of this site that it may show: those of its writer. */
  readonly pictures?: Pictures
}

const longestSlug = 80
/** The last part of an address, of a headline or of what its writer typed; `fallback` if nothing of it can be in one. */
export const pieceSlug = (text: string, fallback = ''): string => slugInAnyScript(text, longestSlug, fallback)

const summaryLength = 200

export function renderPiece({ headline, sub, body_md, pictures }: Manuscript): Rendering {
  return deriveRendering(headline, sub, renderMarkdown(body_md, pictures))
}

export function deriveRendering(
  headline: string,
  sub: string | null,
  { html, text, excerpt = text }: { html: string; text: string; excerpt?: string },
): Rendering {
  return {
    slug: pieceSlug(headline, 'piece'),
    // Of a piece that is only pictures, their descriptions.
    summary: sub || shortened(normaliseLine(excerpt) || normaliseLine(text), summaryLength),
    html,
    text,
    headline_folded: fold(headline),
    sub_folded: fold(sub ?? ''),
    body_folded: fold(text),
  }
}
