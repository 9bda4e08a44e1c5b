import sanitizeHtml from 'sanitize-html'
import { normaliseLine, shortened } from '#platform/text/normalise.ts'
import { startTags } from '#platform/text/start-tags.ts'

/** What a page says about itself, for the card of a link to it. Text of others: escape it wherever it is shown. */
export interface PageMetadata {
  readonly title: string
  /** The name of its site. */
  readonly site: string | null
  /** The address of its picture. */
  readonly picture: string | null
}

/** The database refuses more than one character more, which the ellipsis is. */
const maxTitle = 199
const maxSite = 79

/** Names of meta tags by preference: Open Graph, then Twitter's. */
const names = {
  title: ['og:title', 'twitter:title'],
  site: ['og:site_name'],
  picture: ['og:image:secure_url', 'og:image:url', 'og:image', 'twitter:image', 'twitter:image:src'],
}

/** Null for a page without a title. */
export function readMetadata(page: string, address: URL): PageMetadata | null {
  const meta = new Map<string, string>()
  let heading = ''
  for (const { name, attributes, text } of startTags(page)) {
    if (name === 'body' && heading !== '') break
    if (name === 'title' && heading === '') heading = decoded(text)
    if (name !== 'meta') continue
    const key = (attributes.get('property') ?? attributes.get('name') ?? '').trim().toLowerCase()
    const content = attributes.get('content')
    if (content !== undefined && !meta.has(key)) meta.set(key, content)
  }
  const first = (keys: readonly string[]): string =>
    keys.map((key) => decoded(meta.get(key) ?? '')).find((text) => text !== '') ?? ''
  const title = first(names.title) || heading
  if (title === '') return null
  const picture = first(names.picture)
  return {
    title: shortened(title, maxTitle),
    site: shortened(first(names.site), maxSite) || null,
    picture: picture !== '' && URL.canParse(picture, address.href) ? new URL(picture, address).href : null,
  }
}

const marks: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** As one line of text, every character reference resolved. */
const decoded = (text: string): string =>
  normaliseLine(
    sanitizeHtml(text.slice(0, 2_000), { allowedTags: [], allowedAttributes: {} }).replace(
      /&(?:amp|lt|gt|quot);/g,
      (one) => marks[one]!,
    ),
  )

/** By the charset of the response or, within the first kilobyte as in browsers, of the page; UTF-8 otherwise. */
export function decodePage(bytes: Buffer, contentType: string): string {
  const inside = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})/i.exec(bytes.toString('latin1', 0, 1_024))?.[1]
  const charset = /charset\s*=\s*"?([\w-]{1,40})/i.exec(contentType)?.[1] ?? inside ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
