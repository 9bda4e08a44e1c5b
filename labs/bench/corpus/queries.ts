import { fold } from '../../../server/platform/text/fold.ts'
import { type Random, randomFrom } from '../../../server/seed/random.ts'
import { categories } from '../../../server/seed/words/topics.ts'
import { mistyped } from './non-words.ts'
import type { Query } from './oracle.ts'
import { piece } from './piece.ts'

/** How many of a thousand questions are of each class: as people ask, and more of what is hard. */
const mix = {
  'very common word': 40,
  'common word': 80,
  'mid word': 110,
  'rare word': 90,
  'beginning of a word': 90,
  'part of a word': 70,
  'phrase that occurs': 110,
  'phrase that does not': 40,
  'mistyped word': 45,
  'absent word': 35,
  name: 50,
  number: 20,
  identifier: 20,
  address: 15,
  code: 20,
  'punctuation with letters': 25,
  '1 Latin character': 8,
  '2 Latin characters': 22,
  'CJK, 1 to 4 characters': 45,
  accents: 20,
  'long, present': 25,
  'long, absent': 15,
  'across words': 30,
  'with spaces around': 5,
} as const

export type QueryClass = keyof typeof mix

/** Pieces looked at: enough that a word of one in a thousand is told from one of one in a hundred. */
const sampled = 3_000

/**
 * Questions about the first `pieces` pieces of a corpus. The seed decides all: another one asks what nobody has seen.
 */
export function drawQueries(seed: number, corpusSeed: number, pieces: number, count: number): Query[] {
  const random = randomFrom(seed, 0x71756572)
  const draw = drawersOf(random, sampleOf(random, corpusSeed, pieces))
  const wheel = Object.entries(mix).flatMap(([name, share]) => Array.from({ length: share }, () => name as QueryClass))
  const names = Object.keys(categories)
  return Array.from({ length: count }, () => {
    const name = random.pick(wheel)
    const q = drawn(draw[name])
    return {
      class: name,
      q: random.chance(0.1) ? q.charAt(0).toUpperCase() + q.slice(1) : q,
      ...(random.chance(0.2) && { category: random.pick(names) }),
      limit: random.pick([20, 20, 20, 20, 20, 20, 20, 20, 1, 100]),
    }
  })
}

/** The longest term the service takes. */
const longest = 200

function drawn(draw: () => string | undefined): string {
  for (let tries = 0; tries < 20_000; tries += 1) {
    const q = draw()
    if (q?.isWellFormed() && fold(q) !== '' && q.length <= longest) return q
  }
  throw new Error('No question of a class could be drawn: the sample of pieces is too small.')
}

interface Sample {
  readonly texts: readonly string[]
  /** As they were written, for names. */
  readonly bodies: readonly string[]
  readonly foreign: readonly string[]
  /** Words of small letters, by the share of the pieces that have them. */
  between(least: number, most: number): readonly string[]
}

function sampleOf(random: Random, corpusSeed: number, pieces: number): Sample {
  const drawn = Array.from({ length: Math.min(sampled, pieces) }, () => piece(corpusSeed, random.integer(pieces)))
  const texts = drawn.map(({ headline, sub, body }) => {
    const place = random.integer(100)
    return fold(place < 4 ? headline : place < 8 ? (sub ?? body) : body)
  })
  const having = new Map<string, number>()
  for (const text of texts) {
    for (const word of new Set(text.match(/[a-z]{3,}/g))) having.set(word, (having.get(word) ?? 0) + 1)
  }
  const sorted = [...having].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return {
    texts,
    bodies: drawn.map(({ body }) => body),
    foreign: texts.filter((text) => cjk.test(text)),
    between: (least, most) =>
      sorted.filter(([, count]) => count >= least * texts.length && count < most * texts.length).map(([word]) => word),
  }
}

const cjk = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{4}/u

function drawersOf(random: Random, sample: Sample): Record<QueryClass, () => string | undefined> {
  const [veryCommon, common, mid, rare] = [
    sample.between(0.5, 2),
    sample.between(0.1, 0.5),
    sample.between(0.01, 0.1),
    sample.between(0, 0.001),
  ]
  const text = () => random.pick(sample.texts)
  const span = (least: number, most: number) => least + random.integer(most - least + 1)
  const word = () => random.pick([common, mid, mid, rare][random.integer(4)]!)
  const slice = (from: string, length: number) => {
    const start = random.integer(Math.max(1, from.length - length))
    return from.slice(start, start + length)
  }
  const words = (least: number, most: number) => {
    const all = text().split(' ')
    const length = span(least, most)
    const start = random.integer(Math.max(1, all.length - length))
    return all.slice(start, start + length)
  }
  /** One of the matches in a piece that has any. */
  const match = (pattern: RegExp, texts: readonly string[] = sample.texts) => {
    const found = random.pick(texts).match(pattern)
    return found ? random.pick(found) : undefined
  }
  const letters = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(97 + random.integer(26))).join('')
  const ofPart = (found: string | undefined, least: number) =>
    found === undefined || random.chance(0.5) ? found : slice(found, span(Math.min(least, found.length), found.length))

  return {
    'very common word': () => random.pick(veryCommon),
    'common word': () => random.pick(common),
    'mid word': () => random.pick(mid),
    'rare word': () => random.pick(rare),
    'beginning of a word': () => {
      const one = word()
      return one.length > 3 ? one.slice(0, span(3, Math.min(7, one.length - 1))) : undefined
    },
    'part of a word': () => {
      const one = word().slice(1)
      return one.length > 3 ? slice(one, span(2, Math.min(8, one.length - 1))) : undefined
    },
    'phrase that occurs': () => words(2, 6).join(' '),
    'phrase that does not': () => {
      const said = words(3, 6)
      return [...said.slice(1).reverse(), said[0]!].join(' ')
    },
    'mistyped word': () => mistyped(word(), random),
    'absent word': () => (random.chance(0.5) ? letters(span(5, 9)) : word().slice(0, 4) + word().slice(-4)),
    name: () => match(/(?<=[\p{Ll},] )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?/gu, sample.bodies),
    number: () => match(/[£$€]?\d[\d.,:-]*\d%?/g),
    identifier: () => ofPart(match(/\b(?!\d{4}-)(?=[a-f-]*\d)[0-9a-f]{4,}[0-9a-f-]{6,}\b|inv-[\d-]+[0-9a-f]+/g), 5),
    address: () => ofPart(match(/https:\/\/[^\s]+/g), 8),
    code: () => ofPart(match(/(?<!\S)(?![“(]?https:|\d+%)\S*[\\_%=@#]\S*/g), 3),
    'punctuation with letters': () => match(/\p{L}{1,3}[^\p{L}\p{N} ]+ ?\p{L}{0,3}|[“(—] ?\p{L}{1,4}/gu),
    '1 Latin character': () => slice(text(), 1).trim() || undefined,
    '2 Latin characters': () => {
      const two = slice(text(), 2)
      return /^[!-~]{2}$/.test(two) ? two : undefined
    },
    'CJK, 1 to 4 characters': () => {
      const run = match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{4,}/gu, sample.foreign)
      return run && slice(run, span(1, 4))
    },
    accents: () => ofPart(match(/\p{L}*[^\P{L}\x00-\x7F\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]\p{L}*/gu), 2),
    'long, present': () => slice(text(), span(20, longest)).trim(),
    'long, absent': () => {
      const said = slice(text(), span(20, longest - 1)).trim()
      const at = span(1, said.length - 1)
      return `${said.slice(0, at)}${letters(1)}${said.slice(at)}`
    },
    'across words': () => {
      const part = slice(text(), span(3, 8))
      return /\S \S/.test(part) ? part : undefined
    },
    'with spaces around': () => ` ${words(1, 3).join('  ')} `,
  }
}
