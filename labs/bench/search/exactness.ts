import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type pg from 'pg'
import type { Category, MatchSite } from '../../../server/features/pieces/schema.ts'
import type { Hit } from '../../../server/features/pieces/search/snippet.ts'
import { fold } from '../../../server/platform/text/fold.ts'
import { progress } from '../../../server/seed/progress.ts'
import { answersOf, type OracleQuery, recordsFrom } from '../corpus/oracle.ts'
import { drawQueries } from '../corpus/queries.ts'
import { asOwner, dataFile, type Query, type Site, withNext } from './site.ts'

/** A query and its correct result. */
export interface Truth extends OracleQuery {
  /** In order; one more than the longest page has. */
  readonly matches: readonly { readonly id: string; readonly site: MatchSite }[]
  /** All pieces that match. */
  readonly total: number
}

export const longestPage = 100

export interface Draw {
  readonly pieces: number
  readonly corpusSeed: number
  readonly seed: number
  readonly count: number
}

/** One pass over all texts; cached on disk by the arguments. */
export async function truthsOf(draw: Draw): Promise<Truth[]> {
  const { pieces, corpusSeed, seed, count } = draw
  const file = dataFile(`truth-${pieces}-${corpusSeed}-${seed}-${count}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const queries = drawQueries(seed, corpusSeed, pieces, count)
  const began = performance.now()
  const truths = await asOwner(pieces, async (client) => {
    await assertUnchanged(client, pieces)
    const longest = queries.map((query) => ({ ...query, limit: withNext(longestPage) }))
    const answers = await answersOf(longest, recordsFrom(client))
    const all: Truth[] = []
    for (const [index, { ids, total }] of answers.entries()) {
      const query = queries[index]!
      all.push({ ...query, matches: await sitesOf(client, fold(query.q), ids), total })
    }
    return all
  })
  writeFileSync(`${file}.part`, JSON.stringify(truths))
  renameSync(`${file}.part`, file)
  console.error(`the truth about ${count} questions: ${Math.round((performance.now() - began) / 1000)} s`)
  return truths
}

/** The site must have the pieces of the plan and no others. */
export async function assertUnchanged(client: pg.Client, pieces: number): Promise<void> {
  const { rows } = await client.query<{ count: string }>('select count(*) from pub.pieces')
  if (Number(rows[0]!.count) !== pieces) throw new Error(`The site has ${rows[0]!.count} pieces, not ${pieces}.`)
}

async function sitesOf(client: pg.Client, term: string, ids: readonly string[]): Promise<Truth['matches']> {
  const { rows } = await client.query<{ id: string; site: MatchSite }>(
    `select id, case when strpos(headline_folded, $1) > 0 then 'headline'
                     when strpos(sub_folded, $1) > 0 then 'standfirst' else 'body' end as site
       from pub.pieces where id = any($2::uuid[])`,
    [term, ids],
  )
  const sites = new Map(rows.map(({ id, site }) => [id, site]))
  return ids.map((id) => ({ id, site: sites.get(id)! }))
}

export interface Exactness {
  readonly questions: number
  /** Each query is run for pages of several lengths, and for its second page. */
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
  /** What is wrong, at which position of the page. */
  readonly what: string
}

const limits = [1, 20, longestPage]

/** Compares every page with the truth: the same pieces, order and match sites, and none partial. */
export async function checkExactness({ find }: Site, truths: readonly Truth[]): Promise<Exactness> {
  const bar = progress('Exact')
  const differences: Difference[] = []
  const total = { searches: 0, hits: 0, partial: 0 }

  async function check(truth: Truth, page: string, query: Query, expected: Truth['matches']): Promise<readonly Hit[]> {
    const { hits, partial } = await find(query)
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
    const base = { q: truth.q, category: truth.category as Category | undefined }
    for (const limit of limits) {
      const query = { ...base, limit: withNext(limit) }
      const hits = await check(truth, `limit ${limit}`, query, truth.matches.slice(0, withNext(limit)))
      if (limit !== 20 || hits.length <= limit) continue
      const next = { ...query, after: hits[limit - 1] }
      await check(truth, 'second page', next, truth.matches.slice(limit, limit + withNext(limit)))
    }
    bar.step((index + 1) / truths.length, `${differences.length} differences`)
  }
  bar.done(`${differences.length} differences`)
  return { questions: truths.length, ...total, differences }
}

function differenceOf(hits: readonly Hit[], expected: Truth['matches'], term: string): string | undefined {
  const length = Math.max(hits.length, expected.length)
  for (let at = 0; at < length; at += 1) {
    const [hit, match] = [hits[at], expected[at]]
    if (!hit) return `lacks ${expected.length - at} from place ${at + 1}: ${match!.site} ${match!.id}`
    if (!match) return `has ${hits.length - at} more from place ${at + 1}: ${hit.site} ${hit.id}`
    if (hit.id !== match.id || hit.site !== match.site)
      return `place ${at + 1}: ${hit.site} ${hit.id}, not ${match.site} ${match.id}`
    if (hit.site === 'body' ? !fold(hit.snippet ?? '').includes(term) : hit.snippet !== null)
      return `place ${at + 1}: the snippet of ${hit.site} ${hit.id} is ${JSON.stringify(hit.snippet)}`
  }
  return undefined
}
