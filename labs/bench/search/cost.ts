import type { Category } from '../../../server/features/pieces/schema.ts'
import { progress } from '../../../server/seed/progress.ts'
import { median } from '../../../testkit/percentile.ts'
import { type Figures, figuresOf } from './figures.ts'
import { asked, type Site } from './site.ts'
import { longestPage, type Truth } from './truth.ts'

/** What questions of one class, or all, cost at one limit. */
export interface ClassCost {
  readonly class: string
  readonly limit: number
  readonly queries: number
  readonly buffers: Figures
  readonly milliseconds: Figures
  readonly partial: number
}

export interface Asked {
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
  readonly dearest: readonly Asked[]
  readonly slowest: readonly Asked[]
  /** Questions that took another number of buffers when asked again. */
  readonly unsteady: number
}

export const limits = [20, longestPage]
export const everything = 'all'
const rounds = 3

/** Each question once to warm, then three times: the median of its milliseconds and of its buffers. */
export async function cost(site: Site, truths: readonly Truth[]): Promise<Cost> {
  const bar = progress('Cost')
  const all: Asked[] = []
  let unsteady = 0
  for (const [index, truth] of truths.entries()) {
    for (const limit of limits) {
      const { buffers, milliseconds, partial } = await measure(site, truth, limit)
      if (Math.max(...buffers) !== Math.min(...buffers)) unsteady += 1
      const { class: name, q, category, total } = truth
      const taken = { buffers: median(buffers), milliseconds: median(milliseconds), partial, total }
      all.push({ class: name, q, category, limit, ...taken })
    }
    bar.step((index + 1) / truths.length)
  }
  bar.done()
  const classes = [everything, ...new Set(truths.map((truth) => truth.class).sort())]
  return {
    classes: limits.flatMap((limit) => classes.map((name) => classCost(all, name, limit))),
    dearest: limits.flatMap((limit) => most(all, limit, 'buffers')),
    slowest: limits.flatMap((limit) => most(all, limit, 'milliseconds')),
    unsteady,
  }
}

async function measure({ find, counted }: Site, truth: Truth, limit: number) {
  const ask = { q: truth.q, category: truth.category as Category | undefined, limit: asked(limit) }
  await find(ask)
  const buffers: number[] = []
  const milliseconds: number[] = []
  let partial = false
  for (let round = 0; round < rounds; round += 1) {
    const taken = await counted(async () => {
      const began = performance.now()
      const answer = await find(ask)
      milliseconds.push(performance.now() - began)
      return answer
    })
    buffers.push(taken.buffers)
    partial ||= taken.result.partial === true
  }
  return { buffers, milliseconds, partial }
}

function classCost(all: readonly Asked[], name: string, limit: number): ClassCost {
  const these = all.filter((one) => one.limit === limit && (name === everything || one.class === name))
  return {
    class: name,
    limit,
    queries: these.length,
    buffers: figuresOf(these.map((one) => one.buffers)),
    milliseconds: figuresOf(these.map((one) => one.milliseconds)),
    partial: these.filter((one) => one.partial).length,
  }
}

const most = (all: readonly Asked[], limit: number, by: 'buffers' | 'milliseconds'): Asked[] =>
  all
    .filter((one) => one.limit === limit)
    .sort((a, b) => b[by] - a[by])
    .slice(0, 10)
