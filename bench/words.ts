import type pg from 'pg'
import { fold } from '../server/platform/text/fold.ts'
import { type Random, randomFrom } from '../server/seed/random.ts'

/** A sample of the house's own texts, and how many of them have each word: what questions are drawn from. */
export interface Corpus {
  readonly bodies: readonly string[]
  readonly wordsByShare: readonly { readonly word: string; readonly share: number }[]
}

const sampled = 2_000

export async function drawCorpus(client: pg.ClientBase, random: Random): Promise<Corpus> {
  const { rows } = await client.query<{ text: string }>(
    `select text from pub.piece_contents
      tablesample system ((select least(100, 300.0 * $1 / greatest(reltuples, 1)) from pg_class where oid = 'pub.piece_contents'::regclass))
      repeatable ($2) limit $1`,
    [sampled, random.integer(1_000_000)],
  )
  const bodies = rows.map(({ text }) => fold(text))
  const having = new Map<string, number>()
  for (const body of bodies) {
    for (const word of new Set(body.match(/\p{L}{3,}/gu))) having.set(word, (having.get(word) ?? 0) + 1)
  }
  const wordsByShare = [...having].map(([word, count]) => ({ word, share: count / bodies.length }))
  return { bodies, wordsByShare: wordsByShare.sort((a, b) => b.share - a.share || (a.word < b.word ? -1 : 1)) }
}

export interface Ask {
  readonly q: string
  readonly category?: 'life' | 'money' | 'building' | 'ideas'
  readonly limit: number
}

export interface QueryClass {
  readonly name: string
  /** Whether the 50 ms bar at 100 thousand pieces is for it. */
  readonly barred: boolean
  readonly asks: readonly Ask[]
}

const categories = ['life', 'money', 'building', 'ideas'] as const

/** Questions of every kind, drawn from the corpus by a number nobody tuned for. */
export function drawClasses(corpus: Corpus, rng: number, count: number): QueryClass[] {
  const random = randomFrom(rng, 77)
  const body = () => random.pick(corpus.bodies)
  const between = (least: number, most: number) => {
    const words = corpus.wordsByShare.filter(
      ({ share, word }) => share >= least && share < most && /^[a-z]+$/.test(word),
    )
    return () => random.pick(words).word
  }
  const mid = between(0.01, 0.1)
  const phrase = () => {
    const words = body().split(' ')
    const length = 2 + random.integer(4)
    const start = random.integer(Math.max(words.length - length, 1))
    return words.slice(start, start + length).join(' ')
  }
  const substring = (least: number, most: number) => () => {
    const text = [...body()]
    const length = least + random.integer(most - least + 1)
    const start = random.integer(Math.max(text.length - length, 1))
    return text
      .slice(start, start + length)
      .join('')
      .trim()
  }
  const asks = (
    draw: () => string,
    keep: (q: string) => boolean,
    extra: (q: string) => Partial<Ask> = () => ({}),
  ): Ask[] => {
    const found: Ask[] = []
    for (let tries = 0; found.length < count && tries < 200_000; tries += 1) {
      const q = draw()
      if (keep(q)) found.push({ q, limit: 20, ...extra(q) })
    }
    return found
  }
  const any = (q: string) => q.length > 0
  const cjkBodies = corpus.bodies.filter((text) => /\p{Script=Han}{2}/u.test(text))
  const cjkPair = () =>
    random.pick([...random.pick(cjkBodies).matchAll(/(?=(\p{Script=Han}\p{Script=Han}))/gu)].map(([, pair]) => pair!))
  const commonParts = () => {
    const [a, b] = [between(0.1, 1)(), between(0.1, 1)()]
    return a.slice(-3) + b.slice(0, 3 + random.integer(2))
  }
  const letters = (length: number) => () =>
    Array.from({ length }, () => String.fromCharCode(97 + random.integer(26))).join('')
  const inCategory = () => ({ category: random.pick(categories) })

  return [
    { name: 'very common word', barred: true, asks: asks(between(0.5, 2), any) },
    { name: 'common word', barred: true, asks: asks(between(0.1, 0.5), any) },
    { name: 'mid word', barred: true, asks: asks(mid, any) },
    { name: 'phrase that occurs', barred: true, asks: asks(phrase, (q) => q.includes(' ')) },
    { name: 'CJK pair', barred: true, asks: asks(cjkPair, any) },
    { name: '20 characters or more', barred: true, asks: asks(substring(20, 60), (q) => [...q].length >= 20) },
    { name: 'rare word', barred: false, asks: asks(between(0, 0.001), any) },
    { name: 'rare, of common trigrams', barred: false, asks: asks(commonParts, (q) => q.length >= 5) },
    { name: 'absent word', barred: false, asks: asks(letters(7), any) },
    { name: 'part of a word', barred: false, asks: asks(substring(4, 6), (q) => /^\p{L}+$/u.test(q) && q.length >= 4) },
    { name: '1 Latin letter', barred: false, asks: asks(letters(1), any) },
    { name: '2 Latin letters', barred: false, asks: asks(letters(2), any) },
    {
      name: 'punctuation',
      barred: false,
      asks: asks(substring(1, 3), (q) => /^[^\p{L}\p{N}]|[^\p{L}\p{N} ].*$/u.test(q) && q.length > 0),
    },
    { name: 'mid word, category', barred: false, asks: asks(mid, any, inCategory) },
    { name: 'phrase, category', barred: false, asks: asks(phrase, (q) => q.includes(' '), inCategory) },
    { name: 'mid word, limit 100', barred: false, asks: asks(mid, any, () => ({ limit: 100 })) },
    {
      name: 'phrase, limit 100',
      barred: false,
      asks: asks(
        phrase,
        (q) => q.includes(' '),
        () => ({ limit: 100 }),
      ),
    },
  ]
}
