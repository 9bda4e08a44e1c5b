import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { type Random, randomFrom } from './random.ts'

/**
 * A bigram model of English: which word follows which, and how often. labs/bench/corpus/count.ts made english.json.br from real texts.
 *
 * A symbol is a number: first the classes, then the marks, then the words, most common first.
 */
export interface StoredModel {
  readonly words: string
  /** Of words drawn by class; the exponent of two times six. */
  readonly weights: readonly number[]
  readonly contexts: readonly number[]
  /** By context: the symbols that follow it, delta-coded, and their weights. */
  readonly successors: readonly (readonly (readonly number[])[])[]
  readonly accented: readonly string[]
  readonly scripts: readonly {
    readonly characters: string
    readonly weights: readonly number[]
    readonly pairs: string
    readonly pairWeights: readonly number[]
  }[]
}

export interface Model {
  /** By symbol: the word, the word after a space, and the word with a capital. */
  readonly words: readonly string[]
  readonly spaced: readonly string[]
  readonly capitals: readonly string[]
  /** By symbol: what follows it. */
  readonly after: PackedSamplers
  /** By class: its words. */
  readonly ofClass: readonly Sampler[]
  /** By topic and class: the words that a piece on the topic repeats, most frequent first. */
  readonly topics: readonly (readonly Uint32Array[])[]
  readonly accented: readonly (readonly string[])[]
  readonly scripts: readonly Script[]
}

interface Script {
  readonly characters: readonly string[]
  readonly all: Sampler
  /** By character: what follows it, if known. */
  readonly after: readonly (Sampler | undefined)[]
}

const topicCount = 640
/** Words of each class in a topic. */
const topicWords = 24

let loaded: Model | undefined

/** Loaded on first use: 0.2 seconds, once per thread. */
export function model(): Model {
  loaded ??= load()
  return loaded
}

function load(): Model {
  const packed = readFileSync(new URL('./english.json.br', import.meta.url))
  const stored = JSON.parse(brotliDecompressSync(packed).toString()) as StoredModel
  const words = [...classes, ...marks, ...stored.words.split(' ')]
  const first = classCount + marks.length
  const weightOf = (step: number) => 2 ** (step / 6)

  const byClass: number[][] = classes.map(() => [])
  const classByWord = words.map((word, symbol) => (symbol < first ? symbol : classOf(word)))
  for (let symbol = first; symbol < words.length; symbol += 1) {
    if (stored.weights[symbol - first]! > 0) byClass[classByWord[symbol]!]!.push(symbol)
  }
  const weights = (power: number) => (symbol: number) => weightOf(stored.weights[symbol - first]!) ** power
  const ofClass = byClass.map((symbols) => samplerOf(symbols, symbols.map(weights(1))))
  // Flattened weights: words of medium frequency distinguish topics, the most common ones belong to all.
  const flat = byClass.map((symbols) => samplerOf(symbols, symbols.map(weights(0.65))))

  const bySymbol: Sampler[] = []
  stored.successors.forEach(([differences, steps], index) => {
    let symbol = 0
    bySymbol[stored.contexts[index]!] = samplerOf(
      differences!.map((by) => (symbol += by)),
      steps!.map(weightOf),
    )
  })

  const topics = Array.from({ length: topicCount }, (_, topic) => {
    const random = randomFrom(0x746f7069, topic)
    return flat.map((sampler) =>
      sampler.items.length === 0
        ? new Uint32Array(0)
        : Uint32Array.from({ length: topicWords }, () => draw(sampler, random)),
    )
  })
  return {
    words,
    spaced: words.map((word) => ` ${word}`),
    capitals: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
    after: packSamplers(words.map((_, symbol) => bySymbol[symbol] ?? bySymbol[classByWord[symbol]!]!)),
    ofClass,
    topics,
    accented: stored.accented.map((list) => list.split(' ')),
    scripts: stored.scripts.map(scriptOf),
  }
}

function scriptOf({ characters, weights, pairs, pairWeights }: StoredModel['scripts'][number]): Script {
  const list = [...characters]
  const numberOf = new Map(list.map((one, index) => [one, index]))
  const known: { items: number[]; weights: number[] }[] = []
  const singles = [...pairs]
  for (let at = 0; at < pairWeights.length; at += 1) {
    const before = numberOf.get(singles[2 * at]!)!
    known[before] ??= { items: [], weights: [] }
    known[before].items.push(numberOf.get(singles[2 * at + 1]!)!)
    known[before].weights.push(2 ** (pairWeights[at]! / 4))
  }
  return {
    characters: list,
    all: samplerOf(
      list.map((_, index) => index),
      weights.map((step) => 2 ** (step / 4)),
    ),
    after: list.map((_, index) => known[index] && samplerOf(known[index].items, known[index].weights)),
  }
}

/** Classes of words, for successors that have no counted pair. Classified by suffix, which is right often enough. */
export const classes = ['~', '~s', '~ed', '~ing', '~ly', '~tion', '~er', '~al', '~Name', '#'] as const

export const classCount = classes.length
export const nameClass = classes.indexOf('~Name')
export const numberClass = classes.indexOf('#')

/** Punctuation marks, which are symbols of the model like words. */
export const marks: readonly string[] = ['.', ',', ';', ':', '?', '!', '—']

const suffixes: readonly [RegExp, number][] = [
  [/^[A-Z]/, nameClass],
  [/ly$/, 4],
  [/.ing$/, 3],
  [/.ed$/, 2],
  [/(?:ion|ment|ness|ity|ism|ance|ence|ship)$/, 5],
  [/(?:ous|ive|ful|less|able|ible|[^aeiou]al|ic|ary)$/, 7],
  [/[^s'iu]s$/, 1],
  [/.(?:er|or)$/, 6],
]

export function classOf(word: string): number {
  if (word === '#') return numberClass
  const mark = marks.indexOf(word)
  if (mark !== -1) return classCount + mark
  if (/^I(?:'|$)/.test(word)) return 0
  return suffixes.find(([suffix]) => suffix.test(word))?.[1] ?? 0
}

/** Weighted sampling in constant time: Walker's alias method. */
export interface Sampler {
  readonly items: Uint32Array
  readonly odds: Float64Array
  /** By index: the alternative, drawn with probability 1 - odds. */
  readonly aliases: Uint32Array
}

function samplerOf(items: ArrayLike<number>, weights: ArrayLike<number>): Sampler {
  const size = items.length
  const odds = new Float64Array(size)
  const aliasIndex = new Uint32Array(size)
  let total = 0
  for (let at = 0; at < size; at += 1) total += weights[at]!
  const poor: number[] = []
  const rich: number[] = []
  for (let at = 0; at < size; at += 1) {
    odds[at] = (weights[at]! * size) / total
    if (odds[at]! < 1) poor.push(at)
    else rich.push(at)
  }
  while (poor.length > 0 && rich.length > 0) {
    const low = poor.pop()!
    const high = rich.at(-1)!
    aliasIndex[low] = high
    odds[high]! -= 1 - odds[low]!
    if (odds[high]! < 1) poor.push(rich.pop()!)
  }
  for (const at of [...poor, ...rich]) odds[at] = 1
  return { items: Uint32Array.from(items), odds, aliases: aliasIndex.map((at) => items[at]!) }
}

export function draw({ items, odds, aliases }: Sampler, random: Random): number {
  const position = random.float() * items.length
  const at = Math.floor(position)
  return position - at < odds[at]! ? items[at]! : aliases[at]!
}

/** Many samplers in the same arrays: far fewer cache misses than thousands of small arrays. */
interface PackedSamplers extends Sampler {
  readonly starts: Uint32Array
  readonly sizes: Uint32Array
}

/** The same sampler may occur many times; it is stored once. */
function packSamplers(samplers: readonly Sampler[]): PackedSamplers {
  const different = [...new Set(samplers)]
  const total = different.reduce((sum, { items }) => sum + items.length, 0)
  const [items, odds, aliases] = [new Uint32Array(total), new Float64Array(total), new Uint32Array(total)]
  const startOf = new Map<Sampler, number>()
  let start = 0
  for (const sampler of different) {
    startOf.set(sampler, start)
    items.set(sampler.items, start)
    odds.set(sampler.odds, start)
    aliases.set(sampler.aliases, start)
    start += sampler.items.length
  }
  return {
    items,
    odds,
    aliases,
    starts: Uint32Array.from(samplers, (sampler) => startOf.get(sampler)!),
    sizes: Uint32Array.from(samplers, ({ items }) => items.length),
  }
}

export function drawFrom(
  { items, odds, aliases, starts, sizes }: PackedSamplers,
  index: number,
  random: Random,
): number {
  const position = random.float() * sizes[index]!
  const at = Math.floor(position)
  const slot = starts[index]! + at
  return position - at < odds[slot]! ? items[slot]! : aliases[slot]!
}
