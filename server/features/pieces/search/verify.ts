import type { Database } from '#platform/db/database.ts'
import type { MatchSite } from '../schema.ts'
import { byRecency, type Doc, type SearchFilter } from './segment.ts'

/** A piece that matches, and the best field in which it does. Also the position of a search cursor. */
export interface Match extends Doc {
  readonly site: MatchSite
}

export interface TextFilter extends SearchFilter {
  /** Folded. */
  readonly term: string
}

interface MatchRow {
  readonly id: string
  readonly published_at: Date
}

/** Whether a piece has the term in this field and in no better one. The body is read only if the others lack the term. */
const matchConditions: { readonly [Site in MatchSite]: string } = {
  headline: 'strpos(p.headline_folded, $1) > 0',
  standfirst: 'strpos(p.headline_folded, $1) = 0 and strpos(p.sub_folded, $1) > 0',
  body: `strpos(p.headline_folded, $1) = 0 and strpos(p.sub_folded, $1) = 0
    and strpos((select t.body from pub.piece_texts t where t.piece_id = p.id), $1) > 0`,
}

/** What is asked of the row `p` besides, with its parameters from `$first` on. */
function filterConditions({ category, language }: SearchFilter, first: number) {
  const conditions: string[] = []
  const values: string[] = []
  for (const [column, value] of [
    ['p.category', category],
    ['pub.language_of(p.locale)', language],
  ] as const) {
    if (value === undefined) continue
    conditions.push(`and ${column} = $${first + values.length}`)
    values.push(value)
  }
  return { conditions: conditions.join(' '), values }
}

/** The same for candidates. Their bodies are likely to match, so these are read first, the better fields of the few after. */
const candidateQueries: { readonly [Site in MatchSite]: (conditions: string) => string } = {
  headline: (conditions) =>
    `select p.id, p.published_at from pub.pieces p where p.id = any($2::uuid[]) and ${matchConditions.headline} ${conditions}`,
  standfirst: (conditions) =>
    `select p.id, p.published_at from pub.pieces p where p.id = any($2::uuid[]) and ${matchConditions.standfirst} ${conditions}`,
  body: (conditions) => `select piece_id as id, published_at from pub.piece_texts t
    where piece_id = any($2::uuid[]) and strpos(body, $1) > 0
      and (select strpos(p.headline_folded, $1) = 0 and strpos(p.sub_folded, $1) = 0 ${conditions}
             from pub.pieces p where p.id = t.piece_id)`,
}

/** Checks candidates against the live texts: the index alone never decides what is found. */
export async function verify(
  db: Database,
  site: MatchSite,
  filter: TextFilter,
  candidates: readonly Doc[],
): Promise<Match[]> {
  if (candidates.length === 0) return []
  const ids = candidates.map(({ id }) => id)
  const { conditions, values } = filterConditions(filter, 3)
  const text = candidateQueries[site](conditions)
  const rows = await db.run<MatchRow>({ text, values: [filter.term, ids, ...values] })
  // A piece published again since is found at its new date, not at the one in this segment.
  const indexedAt = new Map(candidates.map(({ id, publishedAt }) => [id, publishedAt.getTime()]))
  return rows
    .map(({ id, published_at }) => ({ site, id, publishedAt: published_at }))
    .filter(({ id, publishedAt }) => indexedAt.get(id) === publishedAt.getTime())
    .sort(byRecency)
}

/** Scans the `count` newest pieces older than `start`, without the index. `reached` is undefined if there are no more. */
export async function scan(
  db: Database,
  site: MatchSite,
  filter: TextFilter,
  start: Doc,
  count: number,
): Promise<{ matches: Match[]; reached: Doc | undefined }> {
  const { conditions, values } = filterConditions(filter, 5)
  const rows = await db.run<MatchRow & { hit: boolean }>({
    text: `
      select p.id, p.published_at, ${matchConditions[site]} as hit
        from pub.pieces p
       where (p.published_at, p.id) < ($3, $4) ${conditions}
       order by p.published_at desc, p.id desc
       limit $2`,
    values: [filter.term, count, start.publishedAt, start.id, ...values],
  })
  const seen = rows.map(({ id, published_at, hit }) => ({ site, id, publishedAt: published_at, hit }))
  return { matches: seen.filter(({ hit }) => hit), reached: rows.length < count ? undefined : seen.at(-1) }
}
