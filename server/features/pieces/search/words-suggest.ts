import type { Database } from '#platform/db/database.ts'
import { filterKey } from '#platform/ngram-index/terms.ts'
import { formsOf } from '#platform/text/word-forms.ts'
import { readIndexSnapshot } from './index-snapshot.ts'
import { fields, readPostings, type Segment } from './segment.ts'
import { partTier, type WordsHit, type WordsQuery, WordsSearch } from './words-find.ts'
import { anywhereKey, wordsNear } from './words-lexicon.ts'
import { parseQuestion, type Question, type WordTerm, withWord } from './words-query.ts'

export interface AskedWords extends WordsQuery {
  readonly q: string
  /** Those of the site, or the one that the search is limited to. */
  readonly languages: readonly string[]
  /** The position is one in the results of the correction. */
  readonly isCorrected?: boolean | undefined
  /** Milliseconds it may take. */
  readonly budget: number
}

export interface WordsResult {
  readonly hits: readonly WordsHit[]
  readonly partial?: true
  /** The question without a slip, if that finds more. */
  readonly didYouMean?: string
  /** The hits are those of `didYouMean`, since the question itself finds nothing. */
  readonly isCorrected?: true
}

/** With fewer, a question may be misspelt. */
const few = 3

/** What a question finds, or, where that is nothing, what it would find without a slip in one word. */
export async function findByWords(db: Database, asked: AskedWords): Promise<WordsResult> {
  const deadline = performance.now() + asked.budget
  const question = parseQuestion(asked.q, asked.languages)
  const search = new WordsSearch(db, asked, question, deadline)
  if (!asked.isCorrected) await search.run()
  const { positions, isComplete } = search
  const mayBeMisspelt = asked.after === undefined && positions.filter(({ tier }) => tier < partTier).length < few
  const better =
    isComplete && (asked.isCorrected || mayBeMisspelt)
      ? await corrected(db, { ...asked, after: undefined }, question, positions.length, deadline)
      : undefined
  if (!better) return resultOf(search)
  if (positions.length > 0) return { ...(await resultOf(search)), didYouMean: better.q }
  const page = asked.after ? await searchFor(db, better.q, asked, deadline) : better.search
  return { ...(await resultOf(page)), didYouMean: better.q, isCorrected: true }
}

/** For what may be meant: only whole words. */
const searchFor = (db: Database, q: string, asked: AskedWords, deadline: number): Promise<WordsSearch> =>
  new WordsSearch(db, { ...asked, wholeWords: true }, parseQuestion(q, asked.languages), deadline).run()

async function resultOf(search: WordsSearch): Promise<WordsResult> {
  const hits = await search.hits()
  return search.isComplete ? { hits } : { hits, partial: true }
}

/** Words that are looked at in place of one, and those that are tried. */
const mostNear = 12
const mostTried = 4
const mostWords = 3
/** In place of a word that is found, only one that is much more common. */
const muchMore = 10

interface Correction {
  readonly q: string
  readonly search: WordsSearch
}

/** The word that fewest pieces have is the first to be doubted. */
async function corrected(
  db: Database,
  asked: AskedWords,
  { terms }: Question,
  found: number,
  deadline: number,
): Promise<Correction | undefined> {
  const segments = (await readIndexSnapshot(db)).segments
    .filter(({ hasWords }) => hasWords)
    .sort((a, b) => b.docCount - a.docCount)
    .slice(0, 4)
  const words = terms.filter((term) => term.kind === 'word')
  const counts = await piecesWith(
    db,
    segments,
    words.map((term) => formsOf(term.word, '').plain),
  )
  const doubted = words
    .map((term, at) => ({ term, count: counts[at]! }))
    .sort((a, b) => a.count - b.count)
    .slice(0, mostWords)
  for (const { term, count } of doubted) {
    if (performance.now() > deadline) return undefined
    const least = found > 0 ? Math.max(count * muchMore, few) : 1
    const better = await tried(db, asked, term, segments, least, deadline)
    if (better && better.search.positions.length > found) return better
  }
  return undefined
}

/** The most common words near this one, each tried with the rest of the question: the best place wins. */
async function tried(
  db: Database,
  asked: AskedWords,
  term: WordTerm,
  segments: readonly Segment[],
  least: number,
  deadline: number,
): Promise<Correction | undefined> {
  const { plain } = formsOf(term.word, '')
  const near = (await wordsNear(db, plain)).sort((a, b) => likeness(plain, b) - likeness(plain, a)).slice(0, mostNear)
  const counts = await piecesWith(db, segments, near)
  const common = near
    .map((word, at) => ({ word, count: counts[at]! }))
    .filter(({ count }) => count >= least)
    .sort((a, b) => b.count - a.count)
    .slice(0, mostTried)
  const [only, ...others] = common.map(({ word }) => withWord(asked.q, term, word))
  if (only === undefined) return undefined
  const best = others.length === 0 ? only : await bestOf(db, asked, [only, ...others], deadline)
  return best === undefined ? undefined : { q: best, search: await searchFor(db, best, asked, deadline) }
}

/** The question whose first result stands at the best place; of several, the first. */
async function bestOf(
  db: Database,
  asked: AskedWords,
  questions: readonly string[],
  deadline: number,
): Promise<string | undefined> {
  let best: string | undefined
  let bestTier = partTier
  for (const q of questions) {
    const [first] = (await searchFor(db, q, { ...asked, limit: 1 }, deadline)).positions
    if (!first || first.tier >= bestTier) continue
    best = q
    bestTier = first.tier
    if (bestTier === 0) break
  }
  return best
}

/** The first character is seldom wrong, and characters are swapped or doubled more often than replaced. */
const likeness = (typed: string, word: string): number =>
  (typed[0] === word[0] ? 2 : 0) + ([...typed].sort().join() === [...word].sort().join() ? 1 : 0)

/** How many pieces have each word, about. */
async function piecesWith(db: Database, segments: readonly Segment[], words: readonly string[]): Promise<number[]> {
  const ids = words.flatMap((word) =>
    segments.map(({ id }) => ({ segment: id, key: filterKey(fields.length, anywhereKey(word)) })),
  )
  const lists = await readPostings(db, ids)
  return words.map((_, at) =>
    lists
      .slice(at * segments.length, (at + 1) * segments.length)
      .reduce((sum, list) => sum + ('ordinals' in list ? list.ordinals.length : list.parts * postingsPerPart), 0),
  )
}

/** Of a list that is split. */
const postingsPerPart = 6_000
