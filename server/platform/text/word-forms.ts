import { newStemmer, type Stemmer } from 'snowball-stemmers'
import { withoutAccents } from './slug.ts'

/**
 * Words as a search by words compares them: without accents, and by their stems. Stems are stored as hashes in indexes, so
 * what these functions return must not change unless everything is indexed again.
 */

/** Scripts that put no spaces between words, or, like Korean, attach particles to them. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Bopomofo}ー'
const inWord = new RegExp(`[[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]`, 'v')
const unspacedRun = new RegExp(`[${unspaced}]+`, 'gv')

/** By code unit: 1 inside a word, 2 not, 0 not asked yet. Texts of many kilobytes are scanned for every search. */
const classes = new Uint8Array(0x1_0000)

function isInWord(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  // Half of a character outside the first plane.
  if (unit >= 0xd800 && unit < 0xe000) {
    const start = unit >= 0xdc00 ? at - 1 : at
    return start >= 0 && inWord.test(String.fromCodePoint(text.codePointAt(start)!))
  }
  if (classes[unit] === 0) classes[unit] = inWord.test(String.fromCharCode(unit)) ? 1 : 2
  return classes[unit] === 1
}

const isApostrophe = (text: string, at: number): boolean => text[at] === "'" || text[at] === '’'

/**
 * Calls back with the start and end of each word of a folded text. A single character at an apostrophe is none: "tea's" is
 * about tea, and "l'eau" about eau. Ends when the callback returns true.
 */
export function forEachWord(folded: string, onWord: (from: number, to: number) => boolean): void {
  for (let at = 0; at < folded.length; at += 1) {
    if (!isInWord(folded, at)) continue
    const from = at
    while (at < folded.length && isInWord(folded, at)) at += 1
    const isClitic = at - from === 1 && (isApostrophe(folded, from - 1) || isApostrophe(folded, at))
    if (!isClitic && onWord(from, at)) return
  }
}

export function wordsIn(folded: string): string[] {
  const words: string[] = []
  forEachWord(folded, (from, to) => {
    words.push(folded.slice(from, to))
    return false
  })
  return words
}

/** Runs of characters of scripts without spaces. */
export const unspacedIn = (folded: string): string[] => folded.match(unspacedRun) ?? []

const algorithms: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
}

/** Whether words of this language have stems. */
export const hasStems = (language: string): boolean => Object.hasOwn(algorithms, language)

const stemmers = new Map<string, Stemmer>()

function stemmerOf(language: string): Stemmer | undefined {
  if (!hasStems(language)) return undefined
  const algorithm = algorithms[language]!
  const made = stemmers.get(algorithm) ?? newStemmer(algorithm)
  stemmers.set(algorithm, made)
  return made
}

/** A longer word is no word of any language, and its stem would only cost time. */
const longestStemmed = 40

export interface Forms {
  /** Without accents. */
  readonly plain: string
  /** Its stem, without accents; the same as `plain` where there is none. */
  readonly stem: string
}

/** Stemming takes some 30 microseconds, and a text repeats its words. Forgotten all at once, which is rare. */
const mostRemembered = 50_000
const remembered = new Map<string, Map<string, Forms>>()

/** Of a folded word in a language as `primaryLanguage` names it. */
export function formsOf(folded: string, language: string): Forms {
  const of = hasStems(language) ? language : ''
  const known = remembered.get(of) ?? new Map<string, Forms>()
  remembered.set(of, known)
  const forms = known.get(folded)
  if (forms) return forms
  if (known.size >= mostRemembered) known.clear()
  const made = makeForms(folded, of)
  known.set(folded, made)
  return made
}

function makeForms(folded: string, language: string): Forms {
  const plain = withoutAccents(folded)
  const stemmer = folded.length <= longestStemmed ? stemmerOf(language) : undefined
  const stem = stemmer ? withoutAccents(stemmer.stem(folded)) : plain
  return { plain, stem: stem || plain }
}
