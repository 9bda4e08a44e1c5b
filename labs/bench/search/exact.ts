import type { Category } from '../../../server/features/pieces/schema.ts'
import type { Hit } from '../../../server/features/pieces/search/hit.ts'
import { fold } from '../../../server/platform/text/fold.ts'
import { progress } from '../../../server/seed/progress.ts'
import { type Ask, asked, type Site } from './site.ts'
import { longestPage, type Truth } from './truth.ts'

export interface Exactness {
  readonly questions: number
  /** Each question is asked for pages of several lengths, and for its second page. */
  readonly searches: number
  readonly hits: number
  readonly partial: number
  readonly differences: readonly Difference[]
}

interface Difference {
  readonly class: string
  readonly q: string
  readonly category?: string
  readonly page: string
  /** What is wrong, at which place of the page. */
  readonly what: string
}

const limits = [1, 20, longestPage]

/** Every page against the truth: the same pieces in the same order at the same sites, none of them in part. */
export async function exactness({ find }: Site, truths: readonly Truth[]): Promise<Exactness> {
  const bar = progress('Exact')
  const differences: Difference[] = []
  const total = { searches: 0, hits: 0, partial: 0 }

  async function check(truth: Truth, page: string, ask: Ask, expected: Truth['places']): Promise<readonly Hit[]> {
    const { hits, partial } = await find(ask)
    total.searches += 1
    total.hits += hits.length
    const what = partial ? 'partial' : differenceOf(hits, expected, fold(truth.q))
    if (partial) total.partial += 1
    if (what === undefined) return hits
    const { class: name, q, category } = truth
    const difference = { class: name, q, ...(category && { category }), page, what }
    differences.push(difference)
    console.error(JSON.stringify(difference))
    return []
  }

  for (const [index, truth] of truths.entries()) {
    const question = { q: truth.q, category: truth.category as Category | undefined }
    for (const limit of limits) {
      const ask = { ...question, limit: asked(limit) }
      const hits = await check(truth, `limit ${limit}`, ask, truth.places.slice(0, asked(limit)))
      if (limit !== 20 || hits.length <= limit) continue
      const next = { ...ask, after: hits[limit - 1] }
      await check(truth, 'second page', next, truth.places.slice(limit, limit + asked(limit)))
    }
    bar.step((index + 1) / truths.length, `${differences.length} differences`)
  }
  bar.done(`${differences.length} differences`)
  return { questions: truths.length, ...total, differences }
}

function differenceOf(hits: readonly Hit[], expected: Truth['places'], term: string): string | undefined {
  const length = Math.max(hits.length, expected.length)
  for (let at = 0; at < length; at += 1) {
    const [hit, place] = [hits[at], expected[at]]
    if (!hit) return `lacks ${expected.length - at} from place ${at + 1}: ${place!.site} ${place!.id}`
    if (!place) return `has ${hits.length - at} more from place ${at + 1}: ${hit.site} ${hit.id}`
    if (hit.id !== place.id || hit.site !== place.site)
      return `place ${at + 1}: ${hit.site} ${hit.id}, not ${place.site} ${place.id}`
    if (hit.site === 'body' ? !fold(hit.snippet ?? '').includes(term) : hit.snippet !== null)
      return `place ${at + 1}: the snippet of ${hit.site} ${hit.id} is ${JSON.stringify(hit.snippet)}`
  }
  return undefined
}
