import sanitizeHtml from 'sanitize-html'

/** The inside of the first element of a class, where none of its kind is inside it. */
export const insideOf = (html: string, tag: string, name: string): string =>
  new RegExp(`<${tag}\\b[^>]*class="${name}"[^>]*>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? ''

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** The words alone, on one line. */
export const plainOf = (html: string): string =>
  sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} })
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => references[name]!)
    .replace(/\s+/g, ' ')
    .trim()
