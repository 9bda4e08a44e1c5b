import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type pg from 'pg'
import type { MatchSite } from '../../../server/features/pieces/schema.ts'
import { fold } from '../../../server/platform/text/fold.ts'
import { answersOf, type Query, recordsFrom } from '../corpus/oracle.ts'
import { drawQueries } from '../corpus/queries.ts'
import { kept } from './data-folder.ts'
import { asked, asOwner } from './site.ts'

/** A question nobody has seen, and what it must be answered. */
export interface Truth extends Query {
  /** In order; as many as the longest page and one more. */
  readonly places: readonly { readonly id: string; readonly site: MatchSite }[]
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

/** One pass over all texts, kept for the next time the same is asked of the same. */
export async function truthsOf(draw: Draw): Promise<Truth[]> {
  const { pieces, corpusSeed, seed, count } = draw
  const file = kept(`truth-${pieces}-${corpusSeed}-${seed}-${count}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const queries = drawQueries(seed, corpusSeed, pieces, count)
  const began = performance.now()
  const truths = await asOwner(pieces, async (client) => {
    await demandWhole(client, pieces)
    const longest = queries.map((query) => ({ ...query, limit: asked(longestPage) }))
    const answers = await answersOf(longest, recordsFrom(client))
    const all: Truth[] = []
    for (const [index, { ids, total }] of answers.entries()) {
      const query = queries[index]!
      all.push({ ...query, places: await sitesOf(client, fold(query.q), ids), total })
    }
    return all
  })
  writeFileSync(`${file}.part`, JSON.stringify(truths))
  renameSync(`${file}.part`, file)
  console.error(`the truth about ${count} questions: ${Math.round((performance.now() - began) / 1000)} s`)
  return truths
}

/** The pieces of the plan and no others. */
export async function demandWhole(client: pg.Client, pieces: number): Promise<void> {
  const { rows } = await client.query<{ count: string }>('select count(*) from pub.pieces')
  if (Number(rows[0]!.count) !== pieces) throw new Error(`The site has ${rows[0]!.count} pieces, not ${pieces}.`)
}

async function sitesOf(client: pg.Client, term: string, ids: readonly string[]): Promise<Truth['places']> {
  const { rows } = await client.query<{ id: string; site: MatchSite }>(
    `select id, case when strpos(headline_folded, $1) > 0 then 'headline'
                     when strpos(sub_folded, $1) > 0 then 'standfirst' else 'body' end as site
       from pub.pieces where id = any($2::uuid[])`,
    [term, ids],
  )
  const sites = new Map(rows.map(({ id, site }) => [id, site]))
  return ids.map((id) => ({ id, site: sites.get(id)! }))
}
