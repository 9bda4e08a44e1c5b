import { primaryLanguage } from '#platform/text/language.ts'

/** What a piece is about, as far as a list of words can say: the words that it uses more, and others less, and its tags. */

/** As search sees it: in lower case, on one line. */
export interface Subject {
  readonly headline: string
  readonly standfirst: string
  /** The beginning of the text. */
  readonly body: string
  readonly tags: readonly string[]
  readonly locale: string
}

/** How rare a word or tag is; 0 for one that every piece has. */
export type Rarity = (term: string) => number

const mostWords = 24
/** Longer ones are addresses and jokes, and would make the index large. */
const longestWord = 40

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Scripts without spaces are divided by the dictionaries of ICU; that takes twenty times as long. */
function wordsIn(text: string, locale: string): string[] {
  if (!unspaced.test(text))
    return (text.match(/\p{L}[\p{L}\p{M}\p{Nd}]{2,}/gu) ?? [])
      .filter((word) => word.length <= longestWord)
      .map(singular)
  const words = new Intl.Segmenter(primaryLanguage(locale), { granularity: 'word' }).segment(text)
  return [...words]
    .filter(({ segment, isWordLike }) => isWordLike && segment.length > 1 && segment.length <= longestWord)
    .map(({ segment }) => segment)
}

/** "kettles" and "kettle" are one word: the plural of English, French, Spanish and Portuguese. */
const singular = (word: string): string => (/[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word)

const tagTerm = (tag: string): string => `#${tag.toLowerCase()}`
export const isTag = (term: string): boolean => term.startsWith('#')

/** All of them once, for counting how many pieces have each. */
const allTerms = ({ headline, standfirst, body, tags, locale }: Subject): Set<string> =>
  new Set([...wordsIn(`${headline} ${standfirst} ${body}`, locale), ...tags.map(tagTerm)])

/** The tags, and the words with the most weight. A word of the headline counts three times, of the standfirst twice. */
export function termsOf({ headline, standfirst, body, tags, locale }: Subject, rarity: Rarity): string[] {
  const counts = new Map<string, number>()
  for (const [text, times] of [
    [headline, 3],
    [standfirst, 2],
    [body, 1],
  ] as const)
    for (const word of wordsIn(text, locale)) counts.set(word, (counts.get(word) ?? 0) + times)
  const weighed = [...counts]
    .map(([word, count]) => ({ word, weight: Math.log1p(count) * rarity(word) }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || (one.word < other.word ? -1 : 1))
  return [...new Set(tags.map(tagTerm)), ...weighed.slice(0, mostWords).map(({ word }) => word)]
}

/** From how many of the sample have each term. */
export function rarityIn(sample: readonly Subject[]): Rarity {
  const counts = new Map<string, number>()
  for (const subject of sample) for (const term of allTerms(subject)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return (term) => Math.log((sample.length + 1) / ((counts.get(term) ?? 0) + 1))
}
