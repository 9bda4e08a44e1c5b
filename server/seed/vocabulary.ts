import type { NounForms, TopicSource, VerbForms } from './words/forms.ts'
import {
  adverbOf,
  doerOf,
  makesAdverb,
  makesNess,
  nessOf,
  nounForms,
  splitPhrases,
  splitWords,
  verbForms,
  withPrefix,
} from './words/forms.ts'
import * as lists from './words/lists.ts'
import { culture, life } from './words/topics/culture.ts'
import { civic, ideas, society } from './words/topics/public-life.ts'
import { building, leading, money } from './words/topics/work.ts'

export interface Topic {
  category: string
  tags: string[]
  pursuits: string[]
  matters: string[]
  crowds: string[]
  things: NounForms[]
  masses: string[]
  people: NounForms[]
  acts: VerbForms[]
  adjectives: string[]
}

/**
 * Words whose frequency falls as 1 / rank, listed words apart from derived ones: nearly all draws stay in the first few
 * kilobytes, and so in the CPU cache.
 */
export interface Table<T> {
  common: AliasTable<T>
  rare: AliasTable<T>
  /** The share of draws from the common words. */
  share: number
}

/** Words with their odds, drawn in constant time by Walker's alias method. */
interface AliasTable<T> {
  words: readonly T[]
  odds: Float64Array
  aliases: Uint32Array
}

type Vocabulary = ReturnType<typeof buildVocabulary>

let built: Vocabulary | undefined

/** Built on first use: about a tenth of a second, once per thread. */
export function vocabulary(): Vocabulary {
  built ??= buildVocabulary()
  return built
}

/**
 * About 5,600 listed words, and 81,000 forms with those derived from them, which fill the tail. Measured over the first
 * 2,000 pieces of seed 1 (1.56 million words; checked by prose.test.ts): log frequency falls with log rank by 1.10 from
 * rank 10 to 5,000; `the` is 6.1 % of all, `of` 2.9 %; 29,400 different words occur.
 */
function buildVocabulary() {
  const things = splitWords(lists.things).map(nounForms)
  const thoughts = splitWords(lists.ideas).map(nounForms)
  const people = splitWords(lists.people).map(nounForms)
  const masses = splitWords(lists.masses)
  const adjectives = splitWords(lists.adjectives)
  const acts = splitWords(lists.acts).map(verbForms)
  const short = things.map(({ one }) => one).filter((word) => word.length <= 6 && !word.includes(' '))

  return {
    things: tableOf(zip(thoughts, things), 90, 0.92, compounds(short), 120),
    masses: tableOf(masses, 40, 0.93, grownMasses(adjectives, people), 40),
    people: tableOf(people, 40, 0.93, grownPeople(acts, short), 40),
    spots: tableOf(splitWords(lists.spots).map(nounForms), 4),
    adjectives: tableOf(adjectives, 90, 0.93, grownAdjectives(adjectives, acts, short), 120),
    adverbs: tableOf(splitWords(lists.adverbs), 4, 0.6, adjectives.filter(makesAdverb).map(adverbOf), 30),
    acts: tableOf(acts, 60, 0.95, grownActs(acts), 80),
    effects: tableOf(splitWords(lists.effects).map(verbForms), 15),
    moves: tableOf(splitWords(lists.moves).map(verbForms), 15),
    given: splitWords(lists.givenNames),
    families: tableOf(splitWords(lists.familyNames), 40, 0.6, joined(lists.surnameStarts, lists.surnameEnds), 200),
    cities: tableOf(splitWords(lists.cities), 6),
    towns: tableOf(joined(lists.surnameStarts, lists.townEnds), 60),
    firms: tableOf(joined(lists.firmStarts, lists.firmEnds), 60),
    parts: short,
    topics: Object.entries(categories).map(([category, { share, topics }]) => ({
      share,
      topics: topics.map((source) => readTopic(category, source)),
    })),
  }
}

function readTopic(category: string, source: TopicSource): Topic {
  return {
    category,
    tags: splitWords(source.tags),
    pursuits: splitPhrases(source.pursuits),
    matters: splitPhrases(source.matters),
    crowds: splitPhrases(source.crowds),
    things: splitWords(source.things).map(nounForms),
    masses: splitWords(source.masses),
    people: splitWords(source.people).map(nounForms),
    acts: splitWords(source.acts).map(verbForms),
    adjectives: splitWords(source.adjectives),
  }
}

function compounds(starts: string[]): NounForms[] {
  const ends = splitWords(lists.compoundEnds).map(nounForms)
  const pairs = crossed(starts, ends, (start, end) => ({ start, end })).filter(({ start, end }) => start !== end.one)
  return pairs.map(({ start, end }) => ({ one: start + end.one, many: start + end.many }))
}

function grownMasses(adjectives: string[], people: NounForms[]): string[] {
  const states = adjectives.filter(makesNess).map(nessOf)
  return zip(
    states,
    people.filter(({ one }) => one.length < 9).map(({ one }) => `${one}ship`),
  )
}

function grownPeople(acts: VerbForms[], starts: string[]): NounForms[] {
  const trades = ['smith', 'wright', 'monger', 'hand', 'master']
  const doers = acts.map((verb) => nounForms(doerOf(verb)))
  return zip(
    doers,
    crossed(starts, trades, (start, trade) => nounForms(start + trade)),
  )
}

function grownAdjectives(adjectives: string[], acts: VerbForms[], starts: string[]): string[] {
  const plain = adjectives.filter((word) => !/^(un|in|im|ir|dis)|less$/.test(word))
  const ways = ['half-', 'well-', 'ill-', 'hand-', 'newly-', 'un', 'long-']
  const made = crossed(ways, acts, (way, verb) => way + verb.participle)
  const like = crossed(['less', 'like', '-shaped', '-sized', '-bound', '-wide'], starts, (end, start) => start + end)
  return zip(
    zip(
      plain.map((word) => `un${word}`),
      plain.map((word) => `over${word}`),
    ),
    zip(made, like),
  )
}

function grownActs(acts: VerbForms[]): VerbForms[] {
  const plain = acts.filter(({ base }) => !/^(un|re|over|out|mis|under|pre|de|dis)/.test(base))
  return crossed(['re', 'over', 'out', 'mis', 'under', 'pre'], plain, withPrefix)
}

function joined(starts: string, ends: string): string[] {
  return crossed(splitWords(starts), splitWords(ends), (start, end) => start + end)
}

/** Every pair, scattered, so that neighbours in rank share no half. */
function crossed<A, B, C>(left: readonly A[], right: readonly B[], join: (a: A, b: B) => C): C[] {
  const size = left.length * right.length
  let step = Math.floor(size * 0.618)
  while (divisor(step, size) !== 1) step++
  return Array.from({ length: size }, (_, i) => {
    const place = (i * step) % size
    return join(left[place % left.length] as A, right[Math.floor(place / left.length)] as B)
  })
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

/** Alternates between both, then the rest of the longer. */
function zip<T>(left: readonly T[], right: readonly T[]): T[] {
  const longer = Math.max(left.length, right.length)
  return Array.from({ length: longer }, (_, i) => [...left.slice(i, i + 1), ...right.slice(i, i + 1)]).flat()
}

/** In each list odds fall as 1 / (rank + flat); `rare` gets what `share` leaves. */
function tableOf<T>(words: readonly T[], flat: number, share = 1, rare = words, rareFlat = flat): Table<T> {
  return { common: aliasTableOf(words, flat), rare: aliasTableOf(rare, rareFlat), share }
}

function aliasTableOf<T>(words: readonly T[], flat: number): AliasTable<T> {
  return { words, ...buildAliases(words.map((_, rank) => 1 / (rank + flat))) }
}

function buildAliases(weights: readonly number[]): { odds: Float64Array; aliases: Uint32Array } {
  const size = weights.length
  const sum = weights.reduce((total, weight) => total + weight)
  const odds = Float64Array.from(weights, (weight) => (weight * size) / sum)
  const aliases = Uint32Array.from(weights, (_, i) => i)
  const small = [...odds.keys()].filter((i) => (odds[i] as number) < 1)
  const large = [...odds.keys()].filter((i) => (odds[i] as number) >= 1)
  for (let i = small.pop(); i !== undefined && large.length > 0; i = small.pop()) {
    const donor = large.at(-1) as number
    aliases[i] = donor
    odds[donor] = (odds[donor] as number) + (odds[i] as number) - 1
    if ((odds[donor] as number) < 1) small.push(large.pop() as number)
  }
  return { odds, aliases }
}

/** `place` is a random number below 1; one is enough, since the remainder of each choice makes the next. */
export function draw<T>({ common, rare, share }: Table<T>, place: number): T {
  return place < share ? drawFrom(common, place / share) : drawFrom(rare, (place - share) / (1 - share))
}

function drawFrom<T>({ words, odds, aliases }: AliasTable<T>, part: number): T {
  const place = part * words.length
  const slot = Math.floor(place)
  return words[place - slot < (odds[slot] as number) ? slot : (aliases[slot] as number)] as T
}

/** The topics of each category, and its share of pieces. */
export const categories = {
  building: { share: 20, topics: building },
  leading: { share: 14, topics: leading },
  culture: { share: 15, topics: culture },
  money: { share: 12, topics: money },
  life: { share: 14, topics: life },
  civic: { share: 8, topics: civic },
  ideas: { share: 9, topics: ideas },
  society: { share: 8, topics: society },
} as const
