import { type Category, categories, matchSites } from '../../../server/features/pieces/schema.ts'
import { fold } from '../../../server/platform/text/fold.ts'
import { boilerplate, passage } from '../../../server/seed/non-words.ts'
import { progress } from '../../../server/seed/progress.ts'
import { writePiece } from '../../../server/seed/prose.ts'
import { type Random, randomFrom } from '../../../server/seed/random.ts'
import { type Query, type Site, withNext } from './site.ts'

/** A query that was found to be expensive. */
export interface Attack {
  readonly kind: Kind
  readonly q: string
  readonly category: Category | undefined
  readonly limit: number
  /** Where the page starts: a client can forge any cursor. */
  readonly after: { readonly site: string; readonly publishedAt: string } | undefined
  readonly buffers: number
  readonly milliseconds: number
  readonly hits: number
  readonly partial: boolean
  /** Queries tried before. */
  readonly tried: number
}

interface Trial {
  readonly kind: Kind
  readonly query: Query
  readonly buffers: number
  readonly milliseconds: number
  readonly hits: number
  readonly partial: boolean
  readonly tried: number
}

/** Best queries of each kind, with and without a cursor: separate hills to climb, so that no kind crowds out another. */
const hillSize = 12
const printed = 20
const withCursor = 0.3

/** Searches for the most expensive queries by hill climbing. */
export async function adversary(
  site: Site,
  { pieces, corpusSeed, seed, minutes }: { pieces: number; corpusSeed: number; seed: number; minutes: number },
): Promise<Attack[]> {
  const random = randomFrom(seed, 0x61647665)
  const strings = stringsOf(random, corpusSeed, pieces)
  const hillsOf = () => new Map<Kind, Trial[]>(strings.kinds.map((kind) => [kind, []]))
  const hills = { first: hillsOf(), later: hillsOf() }
  const bar = progress('Adversary')
  const until = performance.now() + minutes * 60_000
  let tried = 0
  let mostBuffers = 0

  /** A cursor anywhere in five years. */
  const cursor = () => ({
    site: random.pick(matchSites),
    publishedAt: new Date(Date.parse('2026-11-15') - Math.floor(random.float() * 5 * 365) * 86_400_000),
    id: random.uuid(),
  })
  const limit = () => withNext(random.chance(0.8) ? 100 : random.pick([1, 20]))
  const category = () => (random.chance(0.4) ? random.pick(categories) : undefined)

  function mutate(query: Query): Query {
    const chosen = random.integer(10)
    if (chosen === 0) return { ...query, category: category() }
    if (chosen === 1 && query.after) return { ...query, after: cursor() }
    if (chosen === 2) return { ...query, limit: limit() }
    const once = strings.mutate(query.q)
    return { ...query, q: random.chance(0.3) ? strings.mutate(once) : once }
  }

  async function measure(kind: Kind, query: Query): Promise<Trial> {
    const began = performance.now()
    let milliseconds = 0
    const { result, buffers } = await site.countBuffers(async () => {
      const answer = await site.find(query)
      milliseconds = performance.now() - began
      return answer
    })
    return { kind, query, buffers, milliseconds, hits: result.hits.length, partial: result.partial === true, tried }
  }

  while (performance.now() < until) {
    const kind = random.pick(strings.kinds)
    const page = random.chance(withCursor) ? 'later' : 'first'
    const hill = hills[page].get(kind)!
    const isNew = hill.length < hillSize / 2 || random.chance(0.2)
    const query = isNew
      ? { q: strings.seed(kind), category: category(), limit: limit(), after: page === 'later' ? cursor() : undefined }
      : mutate(hill[Math.floor(hill.length * random.float() ** 2)]!.query)
    tried += 1
    const first = await measure(kind, query)
    const last = hill.length < hillSize ? -1 : hill.at(-1)!.buffers
    const same = hill.findIndex((one) => isSame(one.query, query))
    if (first.buffers > (hill[same]?.buffers ?? last)) {
      // Measured again: autovacuum may have been counted the first time.
      const again = await measure(kind, query)
      if (same !== -1) hill.splice(same, 1)
      hill.push(again.buffers < first.buffers ? again : first)
      hill.sort((a, b) => b.buffers - a.buffers)
      hill.length = Math.min(hill.length, hillSize)
      mostBuffers = Math.max(mostBuffers, hill[0]!.buffers)
    }
    bar.step(1 - (until - performance.now()) / (minutes * 60_000), `${tried} tried, ${mostBuffers} buffers`)
  }
  bar.done(`${tried} tried, ${mostBuffers} buffers`)
  return [hills.first, hills.later].flatMap((these) =>
    [...these.values()]
      .flat()
      .sort((a, b) => b.buffers - a.buffers)
      .slice(0, printed)
      .map(attackOf),
  )
}

/** Queries that differ only in white space, limit or the date of the cursor: one of them is enough. */
const isSame = (a: Query, b: Query): boolean =>
  fold(a.q) === fold(b.q) && a.category === b.category && a.after?.site === b.after?.site

function attackOf({ query: { q, category, limit, after }, ...measured }: Trial): Attack {
  const start = after && { site: after.site, publishedAt: after.publishedAt.toISOString() }
  return { ...measured, q, category, limit: limit - 1, after: start }
}

/** Strings that may be expensive to search for: seeds, and mutations of them. */
interface Strings {
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
type Kind = (typeof kinds)[number]

/** The longest query the service accepts. */
const maxLength = 200
const sampled = 1_000

function stringsOf(random: Random, corpusSeed: number, pieces: number): Strings {
  const texts = Array.from({ length: Math.min(sampled, pieces) }, () => {
    const { headline, sub, text } = writePiece(corpusSeed, random.integer(pieces))
    return fold(`${random.integer(10) === 0 ? `${headline} ${sub}` : text}`)
  })
  const span = (least: number, most: number) => least + random.integer(most - least + 1)
  const windowOf = (text: string, length: number) => {
    const start = random.integer(Math.max(1, text.length - length))
    return text.slice(start, start + length)
  }
  const window = (length: number) => windowOf(random.pick(texts), length)
  const common = { 2: mostCommon(texts, 2), 4: mostCommon(texts, 4), 6: mostCommon(texts, 6) }
  const words = commonWords(texts)
  const rare = rarePairs(texts)
  const frequent = (list: readonly string[]) => list[Math.floor(list.length * random.float() ** 2)]!
  const character = () => random.pick([...'etaoinshrdlu .,-']) as string

  /** Overlapping parts, each of them common; the whole need not occur anywhere. */
  function chain(length: number): string {
    const parts = common[random.pick([4, 6] as const)]
    let text = frequent(parts)
    while (text.length < length) {
      const end = text.slice(-(parts[0]!.length - 1))
      const next = parts.filter((part) => part.startsWith(end))
      if (next.length === 0) break
      text += frequent(next).at(-1)
    }
    return text
  }

  const seeds: Record<Kind, () => string> = {
    'part of a text': () => window(span(2, 40)),
    'common parts in a chain': () => chain(span(5, 40)),
    'rare pair, common string': () =>
      random.chance(0.5) ? random.pick(rare) + frequent(words) : frequent(words) + random.pick(rare),
    'common words in any order': () => Array.from({ length: span(2, 8) }, () => frequent(words)).join(' '),
    'one character again and again': () => character().repeat(span(1, 60)),
    'boilerplate with one letter changed': () => replaceOne(fold(random.pick(boilerplate)), random, character()),
    CJK: () => passage(random, random.integer(3), span(1, 8)),
    short: () => (random.chance(0.5) ? random.pick(rare) : frequent(common[random.pick([2, 4] as const)])),
  }

  const mutations: readonly ((q: string) => string)[] = [
    (q) => q + character(),
    (q) => character() + q,
    (q) => q.slice(0, -1),
    (q) => q.slice(1),
    (q) => replaceOne(q, random, character()),
    (q) => q + frequent(common[random.pick([2, 4, 6] as const)]),
    (q) => `${q} ${frequent(words)}`,
    (q) => `${frequent(words)} ${q}`,
    (q) => windowOf(q, span(1, q.length)),
    (q) => random.pick(rare) + q,
    (q) => moveWindow(q, texts, random),
    (q) => extend(q, texts, random),
    (q) => q + windowOf(q, span(1, q.length)),
    (q) => q + passage(random, random.integer(3), span(1, 2)),
  ]

  const usable = (q: string) => q.isWellFormed() && q.length <= maxLength && fold(q) !== ''
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
    mutate: (q) => tried(() => random.pick(mutations)(q).slice(0, maxLength)),
  }
}

function replaceOne(q: string, random: Random, by: string): string {
  const at = random.integer(q.length)
  return q.slice(0, at) + by + q.slice(at + 1)
}

/** Moves or widens the string within a real text; unchanged if no sampled text contains it. */
function moveWindow(q: string, texts: readonly string[], random: Random): string {
  const text = textWith(q, texts, random)
  if (text === undefined) return q
  const at = text.indexOf(q) + random.integer(9) - 4
  return text.slice(Math.max(at, 0), Math.max(at, 0) + q.length + random.integer(5) - 1)
}

/** Continues as a real text does that contains the end of the string. */
function extend(q: string, texts: readonly string[], random: Random): string {
  const end = q.slice(-3)
  const text = textWith(end, texts, random)
  return text === undefined ? q : q + text.slice(text.indexOf(end) + 3).slice(0, 1 + random.integer(12))
}

function textWith(part: string, texts: readonly string[], random: Random): string | undefined {
  const from = random.integer(texts.length)
  for (let at = 0; at < 200; at += 1) {
    const text = texts[(from + at) % texts.length]!
    if (text.includes(part)) return text
  }
  return undefined
}

/** Parts with the number of texts that contain them, most common first. */
function countTexts(texts: readonly string[], partsOf: (text: string) => Iterable<string>): [string, number][] {
  const counts = new Map<string, number>()
  for (const text of texts) for (const part of new Set(partsOf(text))) counts.set(part, (counts.get(part) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

function* partsOf(text: string, length: number): Generator<string> {
  for (let at = 0; at + length <= text.length; at += 1) yield text.slice(at, at + length)
}

const mostCommon = (texts: readonly string[], length: number): string[] =>
  countTexts(texts.slice(0, 300), (text) => partsOf(text, length))
    .slice(0, 2_000)
    .map(([part]) => part)

const commonWords = (texts: readonly string[]): string[] =>
  countTexts(texts, (text) => text.split(' '))
    .slice(0, 1_500)
    .map(([word]) => word)

const rarePairs = (texts: readonly string[]): string[] =>
  countTexts(texts, (text) => partsOf(text, 2))
    .filter(([pair, count]) => count < 5 && pair.isWellFormed())
    .map(([pair]) => pair)
