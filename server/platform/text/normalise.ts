/**
 * The one meaning of clean text: NFC, and nothing a reader cannot see.
 *
 * Writers' text is stored as sent; this is applied when HTML, plain text and
 * search text are derived from it, and to what is searched for.
 */

/**
 * Zero-width space, word joiner, BOM, soft hyphen, fillers: invisible, and no part of a word.
 * Joiners (U+200C, U+200D), direction marks and variation selectors stay: scripts and emoji need them.
 */
const invisible =
  /\u034F|[\u00AD\u115F\u1160\u17B4\u17B5\u180E\u200B\u2060-\u2064\u206A-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]/gu

/** Controls but tab and line feed (CR is turned into LF before), and code points that are no characters. */
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFFE\uFFFF]/gu

/** Tag characters hide whole sentences from people. They are real only after a flag: 🏴 + tags + cancel. */
const tags = /(\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F})|[\u{E0000}-\u{E007F}]/gu

export function normalise(text: string): string {
  return withoutInvisible(text).normalize('NFC')
}

const withoutInvisible = (text: string): string =>
  text.toWellFormed().replace(/\r\n?/g, '\n').replace(controls, '').replace(tags, '$1').replace(invisible, '')

/** White space that is not yet a single space; a pattern of all white space would replace every space by itself. */
const notSingleSpace = / \s+|[^\S ]\s*/gu

/** As one line, for fields of one line and for searching: no bidi overrides either, and white space is one space. */
export function normaliseLine(text: string): string {
  return asLine(text).normalize('NFC')
}

const asLine = (text: string): string =>
  withoutInvisible(text.replace(/[\u202A-\u202E\u2066-\u2069]/gu, ''))
    .replace(notSingleSpace, ' ')
    .trim()

/** For storing: a few letters are two characters in NFC, and a line that was short enough must stay so. */
export function normaliseLineWithin(text: string, longest: number): string {
  const line = normaliseLine(text)
  return line.length > longest && [...line].length > longest ? asLine(text) : line
}

/** Letters, digits, signs; not the blank of Braille, which is a sign by name only. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--\u2800]/v

/** Whether a reader would see anything at all. */
export const hasVisible = (text: string): boolean => visible.test(withoutInvisible(text))

const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]|\p{Cs}/u

/** The first control character, or half of a pair, by name and by its place among the characters, counted from one. */
export function firstControl(text: string): { name: string; place: number } | undefined {
  const index = text.search(forbidden)
  if (index === -1) return undefined
  const name = `U+${text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}`
  return { name, place: [...text.slice(0, index)].length + 1 }
}
