import { fold } from '#platform/text/fold.ts'
import { forEachWord, formsOf, hasStems, unspacedIn, wordsIn } from '#platform/text/word-forms.ts'

/** A word to be found in any form: itself without accents, or its stem in one of the site's languages. */
export interface WordTerm {
  readonly kind: 'word'
  /** Folded, as it was typed. */
  readonly word: string
  readonly forms: ReadonlySet<string>
}

/** A text to be found as it stands, folded: a phrase in quotation marks, a run of Chinese, the beginning of a word. */
export interface TextTerm {
  readonly kind: 'text'
  readonly text: string
  /** Whether it must not begin or end inside a word. */
  readonly isWhole: boolean
}

export type Term = WordTerm | TextTerm

export interface Question {
  readonly terms: readonly Term[]
  /** Words that the terms imply, to find candidates by: those of phrases. */
  readonly implied: readonly WordTerm[]
}

/** More are left out: they cost time, and hardly anything has all of them. */
const mostTerms = 12
const mostLanguages = 8

const quoted = /["“”„«»「」『』]([^"“”„«»「」『』]+)["“”„«»「」『』]/gu

/** `languages` are those of the site, or the one that was asked for: words are found by their stems in each. */
export function parseQuestion(q: string, languages: readonly string[]): Question {
  const stemmed = languages.filter(hasStems).slice(0, mostLanguages)
  const phrases: string[] = []
  const rest = fold(q).replace(quoted, (_, phrase: string) => {
    if (hasWords(phrase)) phrases.push(phrase.trim())
    return ' '
  })
  const terms = new Map<string, Term>()
  for (const text of phrases) terms.set(`"${text}`, { kind: 'text', text, isWhole: true })
  for (const word of wordsIn(rest)) terms.set(word, wordTerm(word, stemmed))
  for (const text of unspacedIn(rest)) terms.set(`"${text}`, { kind: 'text', text, isWhole: false })
  const implied = phrases.flatMap((phrase) => wordsIn(phrase).map((word) => wordTerm(word, [])))
  // Without any word, such as "%": what exact search finds.
  if (terms.size === 0) return { terms: [{ kind: 'text', text: fold(q), isWhole: false }], implied }
  return { terms: [...terms.values()].slice(0, mostTerms), implied: implied.slice(0, mostTerms) }
}

const hasWords = (phrase: string): boolean => wordsIn(phrase).length > 0 || unspacedIn(phrase).length > 0

const wordTerm = (word: string, languages: readonly string[]): WordTerm => ({
  kind: 'word',
  word,
  forms: new Set([formsOf(word, '').plain, ...languages.map((language) => formsOf(word, language).stem)]),
})

/** The same question with the last word found as part of others; undefined if it ends with no word. */
export function withPart({ terms, implied }: Question): Question | undefined {
  const last = terms.findLastIndex(({ kind }) => kind === 'word')
  if (last === -1) return undefined
  const { word } = terms[last] as WordTerm
  return { terms: terms.with(last, { kind: 'text', text: word, isWhole: false }), implied }
}

/** The question as text with one word replaced, for people to read. */
export function withWord(q: string, { word }: WordTerm, better: string): string {
  const folded = fold(q)
  // Folding keeps the length of what the schema has normalised already.
  const line = folded.length === q.length ? q : folded
  let replaced = line
  forEachWord(folded, (from, to) => {
    if (folded.slice(from, to) !== word) return false
    replaced = line.slice(0, from) + better + line.slice(to)
    return true
  })
  return replaced
}
