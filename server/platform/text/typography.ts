/**
 * Punctuation as the language sets it: quotation marks, apostrophes, dashes and ellipses. Applied when a page is drawn,
 * so that what is stored, the API and receipts keep what was typed.
 */

/** Outer and inner quotation marks, after CLDR (common/main, delimiters). French and its like have spaces inside. */
const marks: Readonly<Record<string, string>> = {
  ar: '“”‘’',
  bg: '„“„“',
  cs: '„“‚‘',
  da: '“”‘’',
  de: '„“‚‘',
  'de-ch': '«»‹›',
  el: '«»“”',
  en: '“”‘’',
  es: '«»“”',
  et: '„“«»',
  fi: '””’’',
  fr: '«»“”',
  he: '””’’',
  hr: '„“‚‘',
  hu: '„”»«',
  is: '„“‚‘',
  it: '«»“”',
  ja: '「」『』',
  lt: '„“„“',
  nb: '«»‘’',
  nl: '“”‘’',
  pl: '„”«»',
  pt: '“”‘’',
  'pt-pt': '«»“”',
  ro: '„”«»',
  ru: '«»„“',
  sk: '„“‚‘',
  sl: '„“‚‘',
  sv: '””’’',
  tr: '“”‘’',
  uk: '«»„“',
  zh: '“”‘’',
}

const narrowSpace = '\u202f'

interface Marks {
  readonly open: readonly [outer: string, inner: string]
  readonly close: readonly [outer: string, inner: string]
  readonly isFrench: boolean
}

const known = new Map<string, Marks>()

/** For a language tag; other languages get English marks. */
function marksOf(locale: string): Marks {
  const [language = '', ...rest] = locale.toLowerCase().split('-')
  const name = [`${language}-${rest.at(-1)}`, language, 'en'].find((one) => one in marks)!
  const found = known.get(name)
  if (found) return found
  const [open = '', close = '', openInner = '', closeInner = ''] = [...marks[name]!]
  const isFrench = name === 'fr'
  const made: Marks = {
    open: [isFrench ? open + narrowSpace : open, openInner],
    close: [isFrench ? narrowSpace + close : close, closeInner],
    isFrench,
  }
  known.set(name, made)
  return made
}

const boundary = /[\s\p{Ps}\p{Pi}\p{Pd}/\u200b]/u
const wordCharacter = /[\p{L}\p{N}]/u

/** A sign that is set, in the place of what was typed. */
export type OnSign = (from: number, to: number, sign: string) => void

/**
 * Sets one run of text after another, and remembers what came before and which marks are open. `onSign` is called with
 * each place of its run where what is set differs from what was typed.
 */
function setter({ open, close, isFrench }: Marks, onSign?: OnSign) {
  let before = ''
  let depth = 0
  let singles = 0

  /** `after` is empty at the end of a run: before a tag, a mark that follows a boundary opens. */
  function quotation(after: string, isSingle: boolean, endsLater: boolean): string {
    const opens = (before === '' || boundary.test(before)) && !/\s/.test(after)
    if (isSingle) {
      // An apostrophe, unless it begins a word and another mark ends one later: 'tis, the '90s, rock 'n' roll.
      const isQuote = opens && endsLater && /^\p{L}/u.test(after)
      if (isQuote) {
        singles += 1
        return open[1]
      }
      if (singles > 0 && !wordCharacter.test(after)) {
        singles -= 1
        return close[1]
      }
      return '’'
    }
    if (opens) {
      depth += 1
      return open[(depth - 1) % 2]!
    }
    if (depth === 0) return close[0]
    depth -= 1
    return close[depth % 2]!
  }

  function run(text: string): string {
    if (!/:\/\/|www\./.test(text)) return words(text)
    let begin = 0
    return text
      .split(address)
      .map((part, at) => {
        const set = at % 2 === 0 ? words(part, begin) : exactly(part)
        begin += part.length
        return set
      })
      .join('')
  }

  function exactly(text: string): string {
    before = text.at(-1) ?? before
    return text
  }

  /** `begin` is where it is in its run. */
  function words(text: string, begin = 0): string {
    const lastSingle = lastClosingSingle(text)
    let set = ''
    for (let at = 0; at < text.length; at += 1) {
      const one = text[at]!
      const from = at
      const after = text[at + 1] ?? ''
      let written = one
      if (one === '"' || one === "'") written = quotation(after, one === "'", at + 2 < lastSingle)
      else if (one === '.' && after === '.' && text[at + 2] === '.' && text[at + 3] !== '.' && before !== '.') {
        written = '…'
        at += 2
      } else if (one === '-' && after === '-' && before !== '-') {
        let end = at + 2
        while (text[end] === '-') end += 1
        const length = end - at
        // `--help` is an option of a command.
        const isOption = (before === '' || /\s/.test(before)) && wordCharacter.test(text[end] ?? '')
        written = length > 3 || isOption ? '-'.repeat(length) : length === 2 ? '–' : '—'
        at = end - 1
      } else if (isFrench && one === ' ' && /[;:!?»]/.test(after)) written = narrowSpace
      set += written
      before = one
      if (onSign && (at > from || written !== one)) onSign(begin + from, begin + at + 1, written)
    }
    return set
  }

  return {
    run,
    /** A paragraph ends: marks left open in it are closed by nothing. */
    end() {
      before = ''
      depth = 0
      singles = 0
    },
  }
}

/** Addresses are exact. */
const address = /(\b(?:https?:\/\/|www\.)[^\s<>"“”]+)/i

/** Where the last mark is that could end a quotation; found once, since a text may consist of such marks. */
function lastClosingSingle(text: string): number {
  let at = text.lastIndexOf("'")
  while (at > 0 && (!/[\p{L}\p{N}.,!?…]/u.test(text[at - 1]!) || wordCharacter.test(text[at + 1] ?? '')))
    at = text.lastIndexOf("'", at - 1)
  return at
}

const canChange = /["']|\.\.\.|--| [;:!?»]/

/** A line of plain text: a title, a summary. */
export function typographic(text: string, locale: string): string {
  return canChange.test(text) ? setter(marksOf(locale)).run(text) : text
}

/** For text in runs, such as that between tags. */
export const setterFor = (locale: string, onSign: OnSign) => setter(marksOf(locale), onSign)

/** Elements whose text is exact. */
const exact = /^(?:code|pre|kbd|samp|var|math|script|style|textarea)$/
const inline = /^(?:a|abbr|b|bdi|bdo|cite|del|dfn|em|i|img|ins|mark|q|s|small|span|strong|sub|sup|time|u)$/

/** Sanitised markup, of which only text outside code changes. Tags and attributes stay byte for byte. */
export function typographicHtml(markup: string, locale: string): string {
  if (!canChange.test(markup)) return markup
  const text = setter(marksOf(locale))
  let skipping = ''
  return markup.replace(/<(\/?)([a-z0-9]+)[^>]*>|[^<]+/g, (part, slash: string, name: string | undefined) => {
    if (name === undefined) return skipping ? part : text.run(part)
    if (skipping) {
      if (slash && name === skipping) skipping = ''
      return part
    }
    if (exact.test(name) && !slash) {
      skipping = name
      // Code counts as a word: the mark after it closes.
      text.run('x')
    } else if (name === 'br') text.run(' ')
    else if (!inline.test(name)) text.end()
    return part
  })
}
