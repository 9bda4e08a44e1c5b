import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { randomFrom } from '../../../server/seed/random.ts'
import { draw, type Urn, type Urns, urnOf, urnsOf } from './alias-sampler.ts'
import { classCount, classes, classOf, marks } from './classes.ts'

/** What count.ts counted. Symbols are the classes, then the marks, then the words, most common first. */
export interface Counted {
  readonly words: string
  /** Of words drawn by class, in sixths of a power of two. */
  readonly weights: readonly number[]
  readonly contexts: readonly number[]
  /** For each context the symbols that come after it, as differences, and their weights. */
  readonly successors: readonly (readonly (readonly number[])[])[]
  readonly accented: readonly string[]
  readonly scripts: readonly {
    readonly characters: string
    readonly weights: readonly number[]
    readonly pairs: string
    readonly pairWeights: readonly number[]
  }[]
}

export interface Tables {
  /** By symbol: the word, the word behind a space, and the word as a sentence begins with it. */
  readonly words: readonly string[]
  readonly spaced: readonly string[]
  readonly capitals: readonly string[]
  /** By symbol: what comes after it. */
  readonly after: Urns
  /** By class: the words of it. */
  readonly ofClass: readonly Urn[]
  /** By topic and class: the words a piece on the topic says again and again, the most said first. */
  readonly topics: readonly (readonly Uint32Array[])[]
  readonly accented: readonly (readonly string[])[]
  readonly scripts: readonly Script[]
}

export interface Script {
  readonly characters: readonly string[]
  readonly all: Urn
  /** By character: what comes after it, where that is known. */
  readonly after: readonly (Urn | undefined)[]
}

const topicCount = 640
/** Words of each class that belong to a topic. */
const topicWords = 60

let built: Tables | undefined

/** Built on first use and kept: 0.2 seconds, once per thread. */
export function tables(): Tables {
  built ??= build()
  return built
}

function build(): Tables {
  const packed = readFileSync(new URL('./english.json.br', import.meta.url))
  const counted = JSON.parse(brotliDecompressSync(packed).toString()) as Counted
  const words = [...classes, ...marks, ...counted.words.split(' ')]
  const first = classCount + marks.length
  const weightOf = (step: number) => 2 ** (step / 6)

  const members: number[][] = classes.map(() => [])
  const classByWord = words.map((word, symbol) => (symbol < first ? symbol : classOf(word)))
  for (let symbol = first; symbol < words.length; symbol += 1) {
    if (counted.weights[symbol - first]! > 0) members[classByWord[symbol]!]!.push(symbol)
  }
  const weights = (power: number) => (symbol: number) => weightOf(counted.weights[symbol - first]!) ** power
  const ofClass = members.map((symbols) => urnOf(symbols, symbols.map(weights(1))))
  // Subjects are told by words of the middle: the commonest belong to all of them.
  const flat = members.map((symbols) => urnOf(symbols, symbols.map(weights(0.65))))

  const own: Urn[] = []
  counted.successors.forEach(([differences, steps], index) => {
    let symbol = 0
    own[counted.contexts[index]!] = urnOf(
      differences!.map((by) => (symbol += by)),
      steps!.map(weightOf),
    )
  })

  const topics = Array.from({ length: topicCount }, (_, topic) => {
    const random = randomFrom(0x746f7069, topic)
    return flat.map((urn) =>
      urn.items.length === 0 ? new Uint32Array(0) : Uint32Array.from({ length: topicWords }, () => draw(urn, random)),
    )
  })
  return {
    words,
    spaced: words.map((word) => ` ${word}`),
    capitals: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
    after: urnsOf(words.map((_, symbol) => own[symbol] ?? own[classByWord[symbol]!]!)),
    ofClass,
    topics,
    accented: counted.accented.map((list) => list.split(' ')),
    scripts: counted.scripts.map(scriptOf),
  }
}

function scriptOf({ characters, weights, pairs, pairWeights }: Counted['scripts'][number]): Script {
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
    all: urnOf(
      list.map((_, index) => index),
      weights.map((step) => 2 ** (step / 4)),
    ),
    after: list.map((_, index) => known[index] && urnOf(known[index].items, known[index].weights)),
  }
}
