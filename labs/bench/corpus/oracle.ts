import type pg from 'pg'
import { fold } from '../../../server/platform/text/fold.ts'
import { automatonOf, scan } from './automaton.ts'
import type { SearchRecord } from './corpus-plan.ts'

/**
 * What a search must answer, found without any index: one pass over all texts for all questions at once.
 *
 *   await answersOf(queries, recordsOf(plan))      made again by number
 *   await answersOf(queries, recordsFrom(client))  read from a database
 */
export interface Query {
  readonly class: string
  /** As it is typed; folded before it is looked for. */
  readonly q: string
  readonly category?: string
  readonly limit: number
}

export interface Answer {
  /** Matches in the headline first, then in the standfirst, then in the body, each newest first; cut at the limit. */
  readonly ids: readonly string[]
  /** All pieces that match. */
  readonly total: number
}

interface Place {
  readonly id: string
  readonly publishedAt: number
}

interface Asked {
  readonly query: Query
  readonly sites: readonly [Place[], Place[], Place[]]
  total: number
}

/** The records must come newest first: then a page is full long before the texts end, and little is kept. */
export async function answersOf(
  queries: readonly Query[],
  records: Iterable<SearchRecord> | AsyncIterable<SearchRecord>,
): Promise<Answer[]> {
  const asked: Asked[] = queries.map((query) => ({ query, sites: [[], [], []], total: 0 }))
  const byTerm = new Map<string, Asked[]>()
  for (const one of asked) {
    const term = fold(one.query.q)
    if (term === '') throw new Error('A question must hold something.')
    byTerm.set(term, [...(byTerm.get(term) ?? []), one])
  }
  const automaton = automatonOf([...byTerm.keys()])
  const askedOf = [...byTerm.values()]
  const matched = new Uint8Array(askedOf.length)
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
        for (const one of askedOf[term]!) keep(one, site, record)
      }
    }
  }
  return asked.map(({ query, sites, total }) => ({
    ids: sites
      .flatMap((places) => places.sort(newestFirst))
      .slice(0, query.limit)
      .map(({ id }) => id),
    total,
  }))
}

function keep(one: Asked, site: number, { id, publishedAt, category }: SearchRecord): void {
  const { query } = one
  if (query.category !== undefined && query.category !== category) return
  one.total += 1
  const places = one.sites[site]!
  // Past the limit only what is as new as the last: of those the ids decide, and they come in any order.
  if (places.length < query.limit || places.at(-1)!.publishedAt === publishedAt) places.push({ id, publishedAt })
}

/** As PostgreSQL orders: a uuid by its bytes, which is by its letters. */
const newestFirst = (a: Place, b: Place): number => b.publishedAt - a.publishedAt || (a.id < b.id ? 1 : -1)

/** The public pieces of a database, newest first. */
export async function* recordsFrom(client: pg.ClientBase): AsyncGenerator<SearchRecord> {
  await client.query('begin isolation level repeatable read read only')
  try {
    // In the order of the index: sorting a million bodies would write them all to disk first.
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
