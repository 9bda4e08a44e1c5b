import type { Category } from '../../../server/features/pieces/schema.ts'
import { matchSites } from '../../../server/features/pieces/schema.ts'
import { fold } from '../../../server/platform/text/fold.ts'
import { progress } from '../../../server/seed/progress.ts'
import { randomFrom } from '../../../server/seed/random.ts'
import { categories } from '../../../server/seed/words/topics.ts'
import { type Ask, asked, type Site } from './site.ts'
import { type Kind, stringsOf } from './strings.ts'

/** A search that somebody wrote who wants it to be dear. */
export interface Attack {
  readonly kind: Kind
  readonly q: string
  readonly category: Category | undefined
  readonly limit: number
  /** Where the page begins, as a cursor of anybody's making may say. */
  readonly after: { readonly site: string; readonly publishedAt: string } | undefined
  readonly buffers: number
  readonly milliseconds: number
  readonly hits: number
  readonly partial: boolean
  /** Searches tried until then. */
  readonly tried: number
}

interface Tried {
  readonly kind: Kind
  readonly ask: Ask
  readonly buffers: number
  readonly milliseconds: number
  readonly hits: number
  readonly partial: boolean
  readonly tried: number
}

/** Each kind climbs a hill of its own, with and without a cursor, so that one does not crowd out the others. */
const kept = 12
const printed = 20
const withCursor = 0.3

export async function adversary(
  site: Site,
  { pieces, corpusSeed, seed, minutes }: { pieces: number; corpusSeed: number; seed: number; minutes: number },
): Promise<Attack[]> {
  const random = randomFrom(seed, 0x61647665)
  const strings = stringsOf(random, corpusSeed, pieces)
  const names = Object.keys(categories) as Category[]
  const hillsOf = () => new Map<Kind, Tried[]>(strings.kinds.map((kind) => [kind, []]))
  const hills = { first: hillsOf(), later: hillsOf() }
  const bar = progress('Adversary')
  const until = performance.now() + minutes * 60_000
  let tried = 0
  let dearest = 0

  /** Any place of five years, at any site. */
  const place = () => ({
    site: random.pick(matchSites),
    publishedAt: new Date(Date.parse('2026-11-15') - Math.floor(random.float() * 5 * 365) * 86_400_000),
    id: random.uuid(),
  })
  const limit = () => asked(random.chance(0.8) ? 100 : random.pick([1, 20]))
  const category = () => (random.chance(0.4) ? random.pick(names) : undefined)

  function changed(ask: Ask): Ask {
    const chosen = random.integer(10)
    if (chosen === 0) return { ...ask, category: category() }
    if (chosen === 1 && ask.after) return { ...ask, after: place() }
    if (chosen === 2) return { ...ask, limit: limit() }
    const once = strings.mutate(ask.q)
    return { ...ask, q: random.chance(0.3) ? strings.mutate(once) : once }
  }

  async function weigh(kind: Kind, ask: Ask): Promise<Tried> {
    const began = performance.now()
    let milliseconds = 0
    const { result, buffers } = await site.counted(async () => {
      const answer = await site.find(ask)
      milliseconds = performance.now() - began
      return answer
    })
    return { kind, ask, buffers, milliseconds, hits: result.hits.length, partial: result.partial === true, tried }
  }

  while (performance.now() < until) {
    const kind = random.pick(strings.kinds)
    const page = random.chance(withCursor) ? 'later' : 'first'
    const hill = hills[page].get(kind)!
    const isNew = hill.length < kept / 2 || random.chance(0.2)
    const ask = isNew
      ? { q: strings.seed(kind), category: category(), limit: limit(), after: page === 'later' ? place() : undefined }
      : changed(hill[Math.floor(hill.length * random.float() ** 2)]!.ask)
    tried += 1
    const first = await weigh(kind, ask)
    const last = hill.length < kept ? -1 : hill.at(-1)!.buffers
    const same = hill.findIndex((one) => isSame(one.ask, ask))
    if (first.buffers > (hill[same]?.buffers ?? last)) {
      // Again: the first may have been counted while somebody else was about.
      const again = await weigh(kind, ask)
      if (same !== -1) hill.splice(same, 1)
      hill.push(again.buffers < first.buffers ? again : first)
      hill.sort((a, b) => b.buffers - a.buffers)
      hill.length = Math.min(hill.length, kept)
      dearest = Math.max(dearest, hill[0]!.buffers)
    }
    bar.step(1 - (until - performance.now()) / (minutes * 60_000), `${tried} tried, ${dearest} buffers`)
  }
  bar.done(`${tried} tried, ${dearest} buffers`)
  return [hills.first, hills.later].flatMap((these) =>
    [...these.values()]
      .flat()
      .sort((a, b) => b.buffers - a.buffers)
      .slice(0, printed)
      .map(attackOf),
  )
}

/** Of which the dearest is enough: they differ in spaces, in the length of the page, or in where in the years it is. */
const isSame = (a: Ask, b: Ask): boolean =>
  fold(a.q) === fold(b.q) && a.category === b.category && a.after?.site === b.after?.site

function attackOf({ ask: { q, category, limit, after }, ...weighed }: Tried): Attack {
  const place = after && { site: after.site, publishedAt: after.publishedAt.toISOString() }
  return { ...weighed, q, category, limit: limit - 1, after: place }
}
