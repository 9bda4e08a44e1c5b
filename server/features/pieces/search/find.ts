import { type Database, isCancelled } from '#platform/db/database.ts'
import { newest } from '../queries.ts'
import type { Category } from '../schema.ts'
import { snippets } from './excerpt.ts'
import type { Hit, Place } from './hit.ts'
import { cheapest, type Planner } from './plan.ts'
import { currentSample, type Sample } from './sample.ts'
import { type FoundRow, lookUp, type Site, type Span, sites, walk } from './sites.ts'
import { type Term, termOf } from './term.ts'

export interface Question {
  readonly q: string
  readonly category?: Category | undefined
  readonly limit: number
  readonly after?: Place | undefined
  /** Milliseconds it may take. `statement_timeout` of its connections stands behind it. */
  readonly budget: number
}

export interface Answer {
  readonly hits: readonly Hit[]
  readonly partial?: true
}

/**
 * Public pieces that contain `q`: headline matches, then standfirst, then body, newest first within each.
 *
 * Site after site, until the page is full: a look at the newest pieces tells how dense the term is; from there
 * either the walk goes on, in wider windows, or an index names the candidates, whichever should be cheaper.
 * When the budget is spent the answer is what was found so far, in order, and says that it is partial.
 */
export async function findPieces(db: Database, question: Question, planner: Planner = cheapest): Promise<Answer> {
  const sample = currentSample(db)
  const term = termOf(question.q)
  const deadline = performance.now() + question.budget
  const found: Place[] = []
  let complete = true

  const from = question.after ? sites.findIndex(({ name }) => name === question.after?.site) : 0
  for (const site of sites.slice(from)) {
    const start = site.name === question.after?.site ? question.after : newest
    const need = question.limit - found.length
    const scan = await scanSite(db, site, { term, sample, start, need, category: question.category, deadline, planner })
    found.push(...scan.places)
    complete = scan.complete
    if (found.length >= question.limit || !complete) break
  }

  try {
    const hits = await snippets(db, term.folded, found)
    return complete ? { hits } : { hits, partial: true }
  } catch (error) {
    if (!isCancelled(error)) throw error
    return { hits: found.map((place) => ({ ...place, snippet: null })), partial: true }
  }
}

interface Scan {
  readonly term: Term
  readonly sample: Sample
  readonly start: { readonly publishedAt: Date; readonly id: string }
  readonly need: number
  readonly category: Category | undefined
  readonly deadline: number
  readonly planner: Planner
}

interface Scanned {
  readonly places: readonly Place[]
  readonly complete: boolean
}

async function scanSite(db: Database, site: Site, scan: Scan): Promise<Scanned> {
  const places: Place[] = []
  const { term, sample, category, need, deadline, planner } = scan
  let span: Span = { ...scan.start, term: term.folded, category, need }
  let seen = 0
  let window = planner.firstWindow

  const add = (rows: readonly FoundRow[]) => {
    const hits = rows.filter((row) => row.hit).sort(newestFirst)
    places.push(...hits.map((row) => ({ site: site.name, publishedAt: row.published_at, id: row.id })))
  }

  try {
    while (performance.now() < deadline) {
      const rows = await db.run<FoundRow>(walk(site, span, window))
      add(rows)
      const reached = rows.find((row) => !row.hit)
      const exhausted = !reached || reached.seen < window
      if (places.length >= need || exhausted) return { places, complete: true }

      seen += reached.seen
      span = { ...span, publishedAt: reached.published_at, id: reached.id, need: need - places.length }
      const left = deadline - performance.now()
      const plan = planner.next({ site: site.name, term, sample, category, need, seen, found: places.length, left })
      if ('lookUp' in plan) {
        add(await db.run<FoundRow>(lookUp(site, span, plan.lookUp)))
        return { places, complete: true }
      }
      window = plan.walk
    }
  } catch (error) {
    if (!isCancelled(error)) throw error
  }
  return { places, complete: false }
}

const newestFirst = (a: FoundRow, b: FoundRow): number =>
  b.published_at.getTime() - a.published_at.getTime() || (a.id < b.id ? 1 : -1)
