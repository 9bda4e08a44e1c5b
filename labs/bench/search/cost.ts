import type { Category } from '../../../server/features/pieces/schema.ts'
import { progress } from '../../../server/seed/progress.ts'
import { median, type Percentiles, percentilesOf } from '../../../testkit/measure.ts'
import type { QueryClass } from '../corpus/queries.ts'
import { longestPage, type Truth } from './exactness.ts'
import { type Site, withNext } from './site.ts'

/** What the queries of one class, or all of them, cost at one limit. */
export interface ClassCost {
  readonly class: string
  readonly limit: number
  readonly queries: number
  readonly buffers: Percentiles
  readonly milliseconds: Percentiles
  readonly partial: number
}

export interface QueryCost {
  readonly class: string
  readonly q: string
  readonly category?: string | undefined
  readonly limit: number
  readonly buffers: number
  readonly milliseconds: number
  readonly partial: boolean
  /** All pieces that match. */
  readonly total: number
}

export interface Cost {
  readonly classes: readonly ClassCost[]
  readonly mostBuffers: readonly QueryCost[]
  readonly slowest: readonly QueryCost[]
  /** Queries that took a different number of buffers when repeated. */
  readonly unsteady: number
}

export const limits = [20, longestPage]
export const everything = 'all'
const rounds = 3

/** Runs each query once to warm up, then three times: the median of its milliseconds and of its buffers. */
export async function measureCost(site: Site, truths: readonly Truth[]): Promise<Cost> {
  const bar = progress('Cost')
  const all: QueryCost[] = []
  let unsteady = 0
  for (const [index, truth] of truths.entries()) {
    for (const limit of limits) {
      const { buffers, milliseconds, partial } = await measure(site, truth, limit)
      if (Math.max(...buffers) !== Math.min(...buffers)) unsteady += 1
      const { class: name, q, category, total } = truth
      const measured = { buffers: median(buffers), milliseconds: median(milliseconds), partial, total }
      all.push({ class: name, q, category, limit, ...measured })
    }
    bar.step((index + 1) / truths.length)
  }
  bar.done()
  const classes = [everything, ...new Set(truths.map((truth) => truth.class).sort())]
  return {
    classes: limits.flatMap((limit) => classes.map((name) => classCost(all, name, limit))),
    mostBuffers: limits.flatMap((limit) => most(all, limit, 'buffers')),
    slowest: limits.flatMap((limit) => most(all, limit, 'milliseconds')),
    unsteady,
  }
}

async function measure({ find, countBuffers }: Site, truth: Truth, limit: number) {
  const query = { q: truth.q, category: truth.category as Category | undefined, limit: withNext(limit) }
  await find(query)
  const buffers: number[] = []
  const milliseconds: number[] = []
  let partial = false
  for (let round = 0; round < rounds; round += 1) {
    const counted = await countBuffers(async () => {
      const began = performance.now()
      const answer = await find(query)
      milliseconds.push(performance.now() - began)
      return answer
    })
    buffers.push(counted.buffers)
    partial ||= counted.result.partial === true
  }
  return { buffers, milliseconds, partial }
}

function classCost(all: readonly QueryCost[], name: string, limit: number): ClassCost {
  const queries = all.filter((one) => one.limit === limit && (name === everything || one.class === name))
  return {
    class: name,
    limit,
    queries: queries.length,
    buffers: percentilesOf(queries.map((one) => one.buffers)),
    milliseconds: percentilesOf(queries.map((one) => one.milliseconds)),
    partial: queries.filter((one) => one.partial).length,
  }
}

const most = (all: readonly QueryCost[], limit: number, by: 'buffers' | 'milliseconds'): QueryCost[] =>
  all
    .filter((one) => one.limit === limit)
    .sort((a, b) => b[by] - a[by])
    .slice(0, 10)

/** What docs/performance.md shows of searches in a site of one size. */
export interface SearchResult {
  /** All queries together, at each limit. */
  readonly all: readonly (SearchFigures & { readonly limit: number })[]
  /** At limit 20. */
  readonly classes: readonly (SearchFigures & { readonly name: string })[]
}

export interface SearchFigures {
  readonly queries: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly buffersP50: number
  readonly buffersP99: number
  readonly buffersMax: number
  /** Share of the queries with partial results. */
  readonly partial: number
}

/** The classes as readers know them, in the order shown. */
const names: Readonly<Record<QueryClass, string>> = {
  'very common word': 'very common word',
  'common word': 'common word',
  'mid word': 'less common word',
  'rare word': 'rare word',
  'absent word': 'absent word',
  'mistyped word': 'mistyped word',
  'beginning of a word': 'beginning of a word',
  'part of a word': 'part of a word',
  'across words': 'across two words',
  'phrase that occurs': 'phrase that occurs',
  'phrase that does not': 'phrase, words rearranged',
  'long, present': 'long passage',
  'long, absent': 'long passage, a letter added',
  name: 'name',
  number: 'number',
  identifier: 'identifier',
  address: 'web address',
  code: 'code',
  'punctuation with letters': 'punctuation and letters',
  'with spaces around': 'spaces around and between',
  '1 Latin character': '1 character',
  '2 Latin characters': '2 Latin characters',
  'CJK, 1 to 4 characters': '1 to 4 characters of CJK',
  accents: 'accents and other scripts',
}

const [page] = limits

export function publishedCost({ classes }: Cost): SearchResult {
  const find = (name: string, limit = page) => classes.filter((one) => one.class === name && one.limit === limit)
  return {
    all: limits.flatMap((limit) => find(everything, limit).map((one) => ({ limit, ...publishedClass(one) }))),
    classes: Object.entries(names).flatMap(([key, name]) => find(key).map((one) => ({ name, ...publishedClass(one) }))),
  }
}

const publishedClass = ({ queries, milliseconds, buffers, partial }: ClassCost): SearchFigures => ({
  queries,
  p50: milliseconds.p50,
  p99: milliseconds.p99,
  buffersP50: buffers.p50,
  buffersP99: buffers.p99,
  buffersMax: buffers.max,
  partial: partial / queries,
})
