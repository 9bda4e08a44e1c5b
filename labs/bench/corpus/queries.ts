import { categories } from '../../../server/features/pieces/schema.ts'
import { fold } from '../../../server/platform/text/fold.ts'
import { mistyped } from '../../../server/seed/non-words.ts'
import { writePiece } from '../../../server/seed/prose.ts'
import { type Random, randomFrom } from '../../../server/seed/random.ts'
import type { OracleQuery } from './oracle.ts'

/** Queries of each class per thousand: as people search, with more of what is hard. */
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

/** Enough pieces to distinguish a word in one of a thousand from one in a hundred. */
const sampleSize = 3_000

/** Queries about the first `pieces` pieces of a corpus, drawn by a seed. */
export function drawQueries(seed: number, corpusSeed: number, pieces: number, count: number): OracleQuery[] {
  const random = randomFrom(seed, 0x71756572)
  const draw = drawersOf(random, sampleOf(random, corpusSeed, pieces))
  const wheel = Object.entries(mix).flatMap(([name, share]) => Array.from({ length: share }, () => name as QueryClass))
  return Array.from({ length: count }, () => {
    const name = random.pick(wheel)
    const q = retry(draw[name])
    return {
      class: name,
      q: random.chance(0.1) ? q.charAt(0).toUpperCase() + q.slice(1) : q,
      ...(random.chance(0.2) && { category: random.pick(categories) }),
      limit: random.pick([20, 20, 20, 20, 20, 20, 20, 20, 1, 100]),
    }
  })
}

/** The longest query the service accepts. */
const maxLength = 200

function retry(draw: () => string | undefined): string {
  for (let tries = 0; tries < 20_000; tries += 1) {
    const q = draw()
    if (q?.isWellFormed() && fold(q) !== '' && q.length <= maxLength) return q
  }
  throw new Error('No question of a class could be drawn: the sample of pieces is too small.')
}

interface Sample {
  readonly texts: readonly string[]
  /** Not folded, for names. */
  readonly bodies: readonly string[]
  readonly foreign: readonly string[]
  /** Words in at least `least` and less than `most` of the pieces (shares). */
  between(least: number, most: number): readonly string[]
}

function sampleOf(random: Random, corpusSeed: number, pieces: number): Sample {
  const pieceSample = Array.from({ length: Math.min(sampleSize, pieces) }, () =>
    writePiece(corpusSeed, random.integer(pieces)),
  )
  const texts = pieceSample.map(({ headline, sub, text }) => {
    const choice = random.integer(100)
    return fold(choice < 4 ? headline : choice < 8 ? (sub ?? text) : text)
  })
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const word of new Set(text.match(/[a-z]{3,}/g))) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return {
    texts,
    bodies: pieceSample.map(({ text }) => text),
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
  /** A match of the pattern in some text, if it has any. */
  const match = (pattern: RegExp, texts: readonly string[] = sample.texts) => {
    const found = random.pick(texts).match(pattern)
    return found ? random.pick(found) : undefined
  }
  const randomWord = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(97 + random.integer(26))).join('')
  const wholeOrPart = (found: string | undefined, least: number) =>
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
      const text_ = words(3, 6)
      return [...text_.slice(1).reverse(), text_[0]!].join(' ')
    },
    'mistyped word': () => mistyped(word(), random),
    'absent word': () => (random.chance(0.5) ? randomWord(span(5, 9)) : word().slice(0, 4) + word().slice(-4)),
    name: () => match(/(?<=[\p{Ll},] )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?/gu, sample.bodies),
    number: () => match(/[£$€]?\d[\d.,:-]*\d%?/g),
    identifier: () =>
      wholeOrPart(match(/\b(?!\d{4}-)(?=[a-f-]*\d)[0-9a-f]{4,}[0-9a-f-]{6,}\b|inv-[\d-]+[0-9a-f]+/g), 5),
    address: () => wholeOrPart(match(/https:\/\/[^\s]+/g), 8),
    code: () => wholeOrPart(match(/(?<!\S)(?![“(]?https:|\d+%)\S*[\\_%=@#]\S*/g), 3),
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
    accents: () => wholeOrPart(match(/\p{L}*[^\P{L}\x00-\x7F\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]\p{L}*/gu), 2),
    'long, present': () => slice(text(), span(20, maxLength)).trim(),
    'long, absent': () => {
      const text_ = slice(text(), span(20, maxLength - 1)).trim()
      const at = span(1, text_.length - 1)
      return `${text_.slice(0, at)}${randomWord(1)}${text_.slice(at)}`
    },
    'across words': () => {
      const part = slice(text(), span(3, 8))
      return /\S \S/.test(part) ? part : undefined
    },
    'with spaces around': () => ` ${words(1, 3).join('  ')} `,
  }
}
