import { fold } from '../../../server/platform/text/fold.ts'
import type { Random } from '../../../server/seed/random.ts'
import { boilerplate, passage } from '../corpus/non-words.ts'
import { piece } from '../corpus/piece.ts'

/** Strings that may be dear to search for: where to begin, and how to go on from one. */
export interface Strings {
  readonly kinds: readonly Kind[]
  seed(kind: Kind): string
  mutate(q: string): string
}

const kinds = [
  'part of a text',
  'common parts in a chain',
  'rare pair, common string',
  'common words in any order',
  'one character again and again',
  'boilerplate with one letter changed',
  'CJK',
  'short',
] as const
export type Kind = (typeof kinds)[number]

/** The longest term the service takes. */
const longest = 200
const sampled = 1_000

export function stringsOf(random: Random, corpusSeed: number, pieces: number): Strings {
  const texts = Array.from({ length: Math.min(sampled, pieces) }, () => {
    const { headline, sub, body } = piece(corpusSeed, random.integer(pieces))
    return fold(`${random.integer(10) === 0 ? `${headline} ${sub}` : body}`)
  })
  const span = (least: number, most: number) => least + random.integer(most - least + 1)
  const windowOf = (text: string, length: number) => {
    const start = random.integer(Math.max(1, text.length - length))
    return text.slice(start, start + length)
  }
  const window = (length: number) => windowOf(random.pick(texts), length)
  const common = { 2: commonest(texts, 2), 4: commonest(texts, 4), 6: commonest(texts, 6) }
  const words = commonWords(texts)
  const rare = rarePairs(texts)
  const frequent = (list: readonly string[]) => list[Math.floor(list.length * random.float() ** 2)]!
  const letter = () => random.pick([...'etaoinshrdlu .,-']) as string

  /** Parts that are each common and follow each other by what they share, into something that need not occur at all. */
  function chain(length: number): string {
    const parts = common[random.pick([4, 6] as const)]
    let said = frequent(parts)
    while (said.length < length) {
      const end = said.slice(-(parts[0]!.length - 1))
      const next = parts.filter((part) => part.startsWith(end))
      if (next.length === 0) break
      said += frequent(next).at(-1)
    }
    return said
  }

  const seeds: Record<Kind, () => string> = {
    'part of a text': () => window(span(2, 40)),
    'common parts in a chain': () => chain(span(5, 40)),
    'rare pair, common string': () =>
      random.chance(0.5) ? random.pick(rare) + frequent(words) : frequent(words) + random.pick(rare),
    'common words in any order': () => Array.from({ length: span(2, 8) }, () => frequent(words)).join(' '),
    'one character again and again': () => letter().repeat(span(1, 60)),
    'boilerplate with one letter changed': () => replaced(fold(random.pick(boilerplate)), random, letter()),
    CJK: () => passage(random, random.integer(3), span(1, 8)),
    short: () => (random.chance(0.5) ? random.pick(rare) : frequent(common[random.pick([2, 4] as const)])),
  }

  const mutations: readonly ((q: string) => string)[] = [
    (q) => q + letter(),
    (q) => letter() + q,
    (q) => q.slice(0, -1),
    (q) => q.slice(1),
    (q) => replaced(q, random, letter()),
    (q) => q + frequent(common[random.pick([2, 4, 6] as const)]),
    (q) => `${q} ${frequent(words)}`,
    (q) => `${frequent(words)} ${q}`,
    (q) => windowOf(q, span(1, q.length)),
    (q) => random.pick(rare) + q,
    (q) => grown(q, texts, random),
    (q) => joined(q, texts, random),
    (q) => q + windowOf(q, span(1, q.length)),
    (q) => q + passage(random, random.integer(3), span(1, 2)),
  ]

  const usable = (q: string) => q.isWellFormed() && q.length <= longest && fold(q) !== ''
  const tried = (make: () => string): string => {
    for (let tries = 0; tries < 1_000; tries += 1) {
      const q = make()
      if (usable(q)) return q
    }
    throw new Error('No string could be made.')
  }
  return {
    kinds,
    seed: (kind) => tried(seeds[kind]),
    mutate: (q) => tried(() => random.pick(mutations)(q).slice(0, longest)),
  }
}

function replaced(q: string, random: Random, by: string): string {
  const at = random.integer(q.length)
  return q.slice(0, at) + by + q.slice(at + 1)
}

/** The window of a real text around it, moved or widened; itself where no sampled text has it. */
function grown(q: string, texts: readonly string[], random: Random): string {
  const text = holderOf(q, texts, random)
  if (text === undefined) return q
  const at = text.indexOf(q) + random.integer(9) - 4
  return text.slice(Math.max(at, 0), Math.max(at, 0) + q.length + random.integer(5) - 1)
}

/** Goes on as a text goes on that has its end: two windows that overlap. */
function joined(q: string, texts: readonly string[], random: Random): string {
  const end = q.slice(-3)
  const text = holderOf(end, texts, random)
  return text === undefined ? q : q + text.slice(text.indexOf(end) + 3).slice(0, 1 + random.integer(12))
}

function holderOf(part: string, texts: readonly string[], random: Random): string | undefined {
  const from = random.integer(texts.length)
  for (let at = 0; at < 200; at += 1) {
    const text = texts[(from + at) % texts.length]!
    if (text.includes(part)) return text
  }
  return undefined
}

/** By how many texts have them, the commonest first. */
function byTexts(texts: readonly string[], partsOf: (text: string) => Iterable<string>): [string, number][] {
  const having = new Map<string, number>()
  for (const text of texts) for (const part of new Set(partsOf(text))) having.set(part, (having.get(part) ?? 0) + 1)
  return [...having].sort((a, b) => b[1] - a[1])
}

function* partsOf(text: string, length: number): Generator<string> {
  for (let at = 0; at + length <= text.length; at += 1) yield text.slice(at, at + length)
}

const commonest = (texts: readonly string[], length: number): string[] =>
  byTexts(texts.slice(0, 300), (text) => partsOf(text, length))
    .slice(0, 2_000)
    .map(([part]) => part)

const commonWords = (texts: readonly string[]): string[] =>
  byTexts(texts, (text) => text.split(' '))
    .slice(0, 1_500)
    .map(([word]) => word)

const rarePairs = (texts: readonly string[]): string[] =>
  byTexts(texts, (text) => partsOf(text, 2))
    .filter(([pair, count]) => count < 5 && pair.isWellFormed())
    .map(([pair]) => pair)
