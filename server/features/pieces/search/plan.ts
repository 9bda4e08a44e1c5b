import type { Category, MatchSite } from '../schema.ts'
import type { Sample } from './sample.ts'
import { type Narrowing, narrowingsOf, type Term } from './term.ts'

/** What is known of a scan when it must decide how to go on. */
interface Progress {
  readonly site: MatchSite
  readonly term: Term
  readonly sample: Sample
  readonly category: Category | undefined
  readonly need: number
  readonly seen: number
  readonly found: number
  /** Milliseconds left of the budget. */
  readonly left: number
}

/** How a scan begins and goes on. Search has one of its own; its tests try every way. */
export interface Planner {
  readonly firstWindow: number
  next(progress: Progress): Plan
}

type Plan = { readonly walk: number } | { readonly lookUp: Narrowing }

const firstWindow = 400

/**
 * Milliseconds a row, measured warm on 4 kB bodies with 2 cores. They choose a plan, never a result.
 * A walk's cost depends on the term: `strpos` skips ahead by its length.
 */
const costs = {
  headline: { walk: () => 0.001, candidate: 0.004, key: 0.004, mostRows: 50_000 },
  standfirst: { walk: () => 0.001, candidate: 0.006, key: 0.004, mostRows: 50_000 },
  body: { walk: (length: number) => 0.003 + 0.024 / length, candidate: 0.02, key: 0.009, mostRows: 6_000 },
} as const

const lookUpStart = 2
const categoryShare = 1 / 8

export const cheapest: Planner = { firstWindow, next: cheapestPlan }

/** Goes on by whatever should be cheaper: a wider window, or the candidates of an index if they fit the time left. */
function cheapestPlan(progress: Progress): Plan {
  const cost = costs[progress.site]
  const byWalk = rowsToGo(progress) * cost.walk(progress.term.characters.length)
  const [best] = narrowingsOf(progress.term, progress.site, progress.sample)
    .map((narrowing) => ({
      narrowing,
      cost:
        lookUpStart + narrowing.share * progress.sample.pieces * (narrowing.by === 'keys' ? cost.key : cost.candidate),
    }))
    .sort((a, b) => a.cost - b.cost)
  if (best && best.cost <= byWalk && best.cost <= progress.left) return { lookUp: best.narrowing }
  return { walk: nextWindow(progress) }
}

/** Rows the walk must still see to fill the page, as far as the ones seen can tell. */
function rowsToGo({ sample, category, seen, found, need }: Progress): number {
  const left = Math.max(sample.pieces * (category ? categoryShare : 1) - seen, 0)
  // One find may be luck: half of one is not counted on.
  return found === 0 ? left : Math.min(left, ((need - found) * seen) / (found - 0.5))
}

/** Wide enough to fill the page if matches stay as dense, and never longer than a few tens of milliseconds. */
function nextWindow(progress: Progress): number {
  const enough = progress.found === 0 ? 4 * progress.seen : Math.ceil(1.3 * rowsToGo(progress))
  return Math.min(Math.max(enough, firstWindow, Math.ceil(progress.seen / 2)), costs[progress.site].mostRows)
}
