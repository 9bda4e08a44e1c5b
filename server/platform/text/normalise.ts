/**
 * Text normalisation: NFC, without invisible characters.
 *
 * Users' text is stored as sent; this is applied when HTML, plain text and search text are derived from it, and to
 * search queries.
 */

/**
 * Zero-width space, word joiner, BOM, soft hyphen, fillers: invisible and not part of a word. Joiners (U+200C, U+200D),
 * direction marks and variation selectors stay: scripts and emoji need them.
 */
const invisible =
  /\u034F|[\u00AD\u115F\u1160\u17B4\u17B5\u180E\u200B\u2060-\u2064\u206A-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]/gu

/** Control characters except tab and line feed (CR has become LF), and noncharacters. */
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFFE\uFFFF]/gu

/** Tag characters can hide whole sentences. They are valid only after a flag: 🏴 + tags + cancel. */
const tags = /(\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F})|[\u{E0000}-\u{E007F}]/gu

export function normalise(text: string): string {
  return withoutInvisible(text).normalize('NFC')
}

const withoutInvisible = (text: string): string =>
  text.toWellFormed().replace(/\r\n?/g, '\n').replace(controls, '').replace(tags, '$1').replace(invisible, '')

/** White space that is not a single space; matching all white space would replace every space by itself. */
const notSingleSpace = / \s+|[^\S ]\s*/gu

/**
 * As one line, for single-line fields and for search: also without bidi overrides, and with white space as single
 * spaces.
 */
export function normaliseLine(text: string): string {
  return plainLine.test(text) ? text : asLine(text).normalize('NFC')
}

/** Most lines are ASCII with single spaces, and stay as they are. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/

const asLine = (text: string): string =>
  withoutInvisible(text.replace(/[\u202A-\u202E\u2066-\u2069]/gu, ''))
    .replace(notSingleSpace, ' ')
    .trim()

/** For storage: a few characters become two in NFC, and a line within its limit must stay within it. */
export function normaliseLineWithin(text: string, longest: number): string {
  const line = normaliseLine(text)
  return line.length > longest && [...line].length > longest ? asLine(text) : line
}

/** Letters, digits, punctuation and symbols; not the Braille blank, which is a symbol in name only. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--\u2800]/v

/** Whether anything is visible. */
export const hasVisible = (text: string): boolean => visible.test(withoutInvisible(text))

const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]|\p{Cs}/u

/** The first control character or lone surrogate, with its position among the characters, from one. */
export function firstControl(text: string): { name: string; place: number } | undefined {
  const index = text.search(forbidden)
  if (index === -1) return undefined
  const name = `U+${text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}`
  return { name, place: [...text.slice(0, index)].length + 1 }
}

/** Length in code points. A loop, since spreading 1.3 MB takes 20 ms. */
export function lengthOf(text: string): number {
  let pairs = 0
  for (let at = 0; at < text.length; at++) if (text.codePointAt(at)! > 0xffff) pairs++
  return text.length - pairs
}

/** At most `longest` characters, cut after a whole word and with an ellipsis. */
export function shortened(text: string, longest: number): string {
  const characters = [...text.slice(0, 2 * longest + 2)]
  if (characters.length <= longest) return text
  const cut = characters.slice(0, longest).join('')
  const word = characters[longest] === ' ' ? cut.length : cut.lastIndexOf(' ')
  return `${cut.slice(0, word > cut.length / 2 ? word : cut.length).trimEnd()}…`
}

const longest = 2048

/** The normalised URL, or undefined: http or https, no user name, limited length. */
export function webAddress(text: string): string | undefined {
  if (text.length > longest || !URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && href.length <= longest ? href : undefined
}
