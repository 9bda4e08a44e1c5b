import type { Piece } from './schema.ts'

/** What readers get of a piece's text, on its page, in feeds and in emails. */

/**
 * For programs that show many pieces in one window: links to the text's own headings and notes go to its page. All other
 * addresses are absolute, and `<` only begins tags.
 */
export const portableHtml = ({ content_html, url }: Piece): string =>
  (content_html ?? '').replaceAll('<a href="#', () => `<a href="${url}#`)

/** The headline is the h1: if the text contains an h1, all its headings move down a level. */
export const demoteHeadings = (rendered: string): string =>
  rendered.includes('<h1')
    ? rendered.replace(/<(\/?)h([1-5])\b/g, (_, end, rank) => `<${end}h${Number(rank) + 1}`)
    : rendered

/** Characters read per minute: about 220 words, or 500 characters in scripts without spaces. */
const charactersPerMinute = 1_300
const ideographsPerMinute = 500

export const isIdeographic = /^(?:zh|ja|yue|wuu)\b/i

export const readingMinutes = (text: string, locale: string): number =>
  Math.max(1, Math.round(text.length / (isIdeographic.test(locale) ? ideographsPerMinute : charactersPerMinute)))
