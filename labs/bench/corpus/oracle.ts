import type pg from 'pg'
import { fold } from '../../../server/platform/text/fold.ts'
import { pieceAt, type SitePlan } from '../../../server/seed/site-plan.ts'

/**
 * The correct results of searches, found without an index: one pass over all texts for all queries at once.
 *
 *   await answersOf(queries, recordsOf(plan))      pieces generated again
 *   await answersOf(queries, recordsFrom(client))  pieces of a database
 */
export interface OracleQuery {
  readonly class: string
  /** As typed; not folded. */
  readonly q: string
  readonly category?: string
  readonly limit: number
}

interface Answer {
  /** Headline matches first, then standfirst, then body, newest first within each; cut at the limit. */
  readonly ids: readonly string[]
  /** All pieces that match. */
  readonly total: number
}

interface Match {
  readonly id: string
  readonly publishedAt: number
}

interface PendingQuery {
  readonly query: OracleQuery
  readonly sites: readonly [Match[], Match[], Match[]]
  total: number
}

/** A piece as search sees it. */
export interface SearchRecord {
  readonly id: string
  readonly publishedAt: number
  readonly category: string
  readonly headlineFolded: string
  readonly subFolded: string
  readonly bodyFolded: string
}

/** The site that searches are measured in. */
export const searchedSite = (rng: number, pieces: number): SitePlan => ({
  authors: Math.ceil(pieces / 100),
  pieces,
  rng,
  until: new Date('2026-11-15T00:00:00Z'),
  unfiled: true,
})

/** Every piece of a site, newest first, generated again. */
export function* recordsOf(plan: SitePlan): Generator<SearchRecord> {
  for (let index = plan.pieces - 1; index >= 0; index -= 1) {
    const { id, publishedAt, category, rendering } = pieceAt(plan, index)
    yield {
      id,
      publishedAt: publishedAt.getTime(),
      category,
      headlineFolded: rendering.headline_folded,
      subFolded: rendering.sub_folded,
      bodyFolded: rendering.body_folded,
    }
  }
}

/** The records must come newest first: then pages are full early, and little is kept in memory. */
export async function answersOf(
  queries: readonly OracleQuery[],
  records: Iterable<SearchRecord> | AsyncIterable<SearchRecord>,
): Promise<Answer[]> {
  const pending: PendingQuery[] = queries.map((query) => ({ query, sites: [[], [], []], total: 0 }))
  const byTerm = new Map<string, PendingQuery[]>()
  for (const one of pending) {
    const term = fold(one.query.q)
    if (term === '') throw new Error('A question must hold something.')
    byTerm.set(term, [...(byTerm.get(term) ?? []), one])
  }
  const automaton = automatonOf([...byTerm.keys()])
  const pendingByTerm = [...byTerm.values()]
  const matched = new Uint8Array(pendingByTerm.length)
  let last = Number.POSITIVE_INFINITY
  for await (const record of records) {
    if (record.publishedAt > last) throw new Error('The records must come newest first.')
    last = record.publishedAt
    matched.fill(0)
    const texts = [record.headlineFolded, record.subFolded, record.bodyFolded]
    for (const [site, text] of texts.entries()) {
      const count = scan(automaton, text)
      for (let at = 0; at < count; at += 1) {
        const term = automaton.found[at]!
        if (matched[term] === 1) continue
        matched[term] = 1
        for (const one of pendingByTerm[term]!) addMatch(one, site, record)
      }
    }
  }
  return pending.map(({ query, sites, total }) => ({
    ids: sites
      .flatMap((matches) => matches.sort(newestFirst))
      .slice(0, query.limit)
      .map(({ id }) => id),
    total,
  }))
}

function addMatch(pending: PendingQuery, site: number, { id, publishedAt, category }: SearchRecord): void {
  const { query } = pending
  if (query.category !== undefined && query.category !== category) return
  pending.total += 1
  const matches = pending.sites[site]!
  // Beyond the limit only ties with the last one: their order is by id, in which records need not come.
  if (matches.length < query.limit || matches.at(-1)!.publishedAt === publishedAt) matches.push({ id, publishedAt })
}

/** As PostgreSQL orders a uuid: by its bytes, which equals the order of its text. */
const newestFirst = (a: Match, b: Match): number => b.publishedAt - a.publishedAt || (a.id < b.id ? 1 : -1)

/** The public pieces of a database, newest first. */
export async function* recordsFrom(client: pg.ClientBase): AsyncGenerator<SearchRecord> {
  await client.query('begin isolation level repeatable read read only')
  try {
    // Forces an index scan: sorting a million bodies would write them all to disk first.
    await client.query(`set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_sort = off;
      set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0; set local jit = off`)
    await client.query(`
      declare texts no scroll cursor for
       select p.id, extract(epoch from p.published_at) * 1000 as at, p.category, p.headline_folded, p.sub_folded, t.body
         from pub.pieces p join pub.piece_texts t on t.piece_id = p.id
        order by p.published_at desc, p.id desc`)
    for (;;) {
      const { rows } = await client.query({ text: 'fetch 1000 from texts', rowMode: 'array' })
      if (rows.length === 0) return
      for (const [id, at, category, headlineFolded, subFolded, bodyFolded] of rows as string[][]) {
        yield {
          id: id!,
          publishedAt: Number(at),
          category: category!,
          headlineFolded: headlineFolded!,
          subFolded: subFolded!,
          bodyFolded: bodyFolded!,
        }
      }
    }
  } finally {
    await client.query('rollback')
  }
}

/**
 * An Aho-Corasick automaton over UTF-16 units, as `includes` compares them: finds which of many terms a text contains in
 * one pass.
 */
interface Automaton {
  /** By unit: its column. Units in no term share column 0, which leads back to the start. */
  readonly columns: Uint16Array
  /** By row and column: the next row. `lastColumn` has the output: 1 + the index of the term that ends here, or 0. */
  readonly next: Int32Array
  readonly lastColumn: number
  /** By output: that of the longest other term that is a suffix of this one, or 0. */
  readonly shorter: Int32Array
  /** By output: the scan that saw it last. */
  readonly seen: Uint32Array
  scans: number
  /** Indexes of the terms found by the last scan. */
  readonly found: Int32Array
}

/** The terms must be distinct, and none may be empty. */
function automatonOf(terms: readonly string[]): Automaton {
  const columns = new Uint16Array(65_536)
  let lastColumn = 1
  let maxRows = 1
  for (const term of terms) {
    maxRows += term.length
    for (let at = 0; at < term.length; at += 1) {
      const unit = term.charCodeAt(at)
      if (columns[unit] === 0) columns[unit] = lastColumn++
    }
  }
  const width = lastColumn + 1
  const next = new Int32Array(maxRows * width)
  let rows = width
  for (const [index, text] of terms.entries()) {
    let row = 0
    for (let at = 0; at < text.length; at += 1) {
      const cell = row + columns[text.charCodeAt(at)]!
      if (next[cell] === 0) {
        next[cell] = rows
        rows += width
      }
      row = next[cell]!
    }
    next[row + lastColumn] = index + 1
  }

  const shorter = new Int32Array(terms.length + 1)
  const fallback = new Int32Array(rows / width)
  const queue: number[] = [0]
  for (let head = 0; head < queue.length; head += 1) {
    const row = queue[head]!
    const suffix = fallback[row / width]!
    const output = next[row + lastColumn]!
    if (output === 0) next[row + lastColumn] = next[suffix + lastColumn]!
    else shorter[output] = row === 0 ? 0 : next[suffix + lastColumn]!
    for (let column = 1; column < lastColumn; column += 1) {
      const child = next[row + column]!
      const other = row === 0 ? 0 : next[suffix + column]!
      if (child === 0) next[row + column] = other
      else {
        fallback[child / width] = other
        queue.push(child)
      }
    }
  }
  return {
    columns,
    next: next.slice(0, rows),
    lastColumn,
    shorter,
    seen: new Uint32Array(terms.length + 1),
    scans: 0,
    found: new Int32Array(terms.length),
  }
}

/** Returns how many of the terms the text contains; `found` has which. */
function scan(automaton: Automaton, text: string): number {
  const { columns, next, lastColumn, shorter, seen, found } = automaton
  automaton.scans += 1
  const now = automaton.scans
  let count = 0
  let row = 0
  for (let at = 0; at < text.length; at += 1) {
    row = next[row + columns[text.charCodeAt(at)]!]!
    let output = next[row + lastColumn]!
    // One that was seen in this scan had its suffixes followed then.
    while (output !== 0 && seen[output] !== now) {
      seen[output] = now
      found[count] = output - 1
      count += 1
      output = shorter[output]!
    }
  }
  return count
}
