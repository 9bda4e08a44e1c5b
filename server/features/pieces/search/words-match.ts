import { primaryLanguage } from '#platform/text/language.ts'
import { forEachWord, formsOf } from '#platform/text/word-forms.ts'
import { headerOf } from './words-keys.ts'
import type { Question, Term, WordTerm } from './words-query.ts'

/** What readers see of a piece, to be compared with a question. */
export interface PieceText {
  /** Folded, as are `sub` and `body`. */
  readonly headline: string
  readonly sub: string
  readonly author: string
  readonly tags: readonly string[]
  readonly locale: string
  /** Null if only the rest is to be compared. */
  readonly body: string | null
}

/** From and to, as offsets in a line. */
export type Span = readonly [from: number, to: number]

const inWord = /[\p{L}\p{N}]/u

interface Standing {
  /** The worst of the places (`places` in words-keys.ts) at which the terms are, each taken at its best. */
  readonly place: number
  /** Whether one of the words is in the headline. */
  readonly isInHeadline: boolean
}

/** Undefined if one of the terms is nowhere. */
export function placeOf({ terms }: Question, piece: PieceText): Standing | undefined {
  const language = primaryLanguage(piece.locale)
  const texts = [() => piece.headline, () => headerOf(piece), () => piece.body ?? '']
  let missing = terms
  let isInHeadline = false
  for (const [place, textOf] of texts.entries()) {
    const text = textOf()
    // A text as it stands is looked for where exact search does: not in names and tags.
    const found = foundIn(missing, text, place === 1 ? piece.sub : text, language)
    missing = missing.filter((term) => !found.has(term))
    if (place === 0) isInHeadline = [...found].some(({ kind }) => kind === 'word')
    if (missing.length === 0) return { place, isInHeadline }
  }
  return undefined
}

function foundIn(terms: readonly Term[], folded: string, asItStands: string, language: string): Set<Term> {
  const found = new Set<Term>()
  const words = terms.filter((term) => term.kind === 'word')
  forEachMatch(words, folded, language, (term) => {
    found.add(term)
    return found.size === words.length
  })
  for (const term of terms)
    if (term.kind === 'text' && !textSpans(term.text, term.isWhole, asItStands).next().done) found.add(term)
  return found
}

/** Algorithms that take something off the beginning of a word. */
const stripsBeginnings = new Set(['ar', 'ga'])
/** The first code unit of what a character is without its accent, by code unit; 0 if not asked yet. */
const bases = new Uint16Array(0x1_0000)

/** A word and its stem begin with the same character, so few words of a text need to be stemmed. */
function baseOf(unit: number): number {
  if (bases[unit] === 0) bases[unit] = formsOf(String.fromCharCode(unit), '').plain.charCodeAt(0) || unit
  return bases[unit]!
}

/** Ends when the callback returns true. */
function forEachMatch(
  terms: readonly WordTerm[],
  folded: string,
  language: string,
  onMatch: (term: WordTerm, from: number, to: number) => boolean,
): void {
  if (terms.length === 0) return
  const beginnings = [...new Set(terms.flatMap(({ forms }) => [...forms].map((form) => form.charCodeAt(0))))]
  const isAny = stripsBeginnings.has(language)
  forEachWord(folded, (from, to) => {
    if (!isAny && !beginnings.includes(baseOf(folded.charCodeAt(from)))) return false
    const { plain, stem } = formsOf(folded.slice(from, to), language)
    for (const term of terms)
      if ((term.forms.has(plain) || term.forms.has(stem)) && onMatch(term, from, to)) return true
    return false
  })
}

function* textSpans(text: string, isWhole: boolean, folded: string): Generator<Span> {
  for (let at = folded.indexOf(text); at !== -1; at = folded.indexOf(text, at + 1)) {
    const to = at + text.length
    const isInside = inWord.test(folded[at - 1] ?? '') || inWord.test(folded[to] ?? '')
    if (!isWhole || !isInside) yield [at, to]
  }
}

/** A text of a book's length repeats its words more often than anybody wants to see. */
const mostMatches = 2_000

/** The places of the terms of a question in a text, in order and without overlaps, with the term of each. */
export function matchesIn({ terms }: Question, folded: string, language: string): { term: Term; span: Span }[] {
  const words = terms.filter((term) => term.kind === 'word')
  const all: { term: Term; span: Span }[] = []
  forEachMatch(words, folded, language, (term, from, to) => {
    all.push({ term, span: [from, to] })
    return all.length === mostMatches
  })
  for (const term of terms) {
    if (term.kind !== 'text') continue
    for (const span of textSpans(term.text, term.isWhole, folded)) {
      if (all.length >= mostMatches) break
      all.push({ term, span })
    }
  }
  all.sort((a, b) => a.span[0] - b.span[0] || b.span[1] - a.span[1])
  let end = 0
  return all.filter(({ span: [from, to] }) => {
    if (from < end) return false
    end = to
    return true
  })
}

/** Characters within which terms are shown together. */
const windowLength = 160

/** The part of a text in which most of the terms stand together. */
export function bestSpan(question: Question, folded: string, language: string): Span | undefined {
  const matches = matchesIn(question, folded, language)
  let best: { span: Span; terms: number } | undefined
  for (const [at, { span }] of matches.entries()) {
    const inside = matches.slice(at, at + 50).filter((other) => other.span[1] <= span[0] + windowLength)
    const terms = new Set(inside.map(({ term }) => term)).size
    if (!best || terms > best.terms) best = { span: [span[0], inside.at(-1)?.span[1] ?? span[1]], terms }
    if (terms === question.terms.length) break
  }
  return best?.span
}
