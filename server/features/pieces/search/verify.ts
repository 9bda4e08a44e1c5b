import type { Database } from '#platform/db/database.ts'
import type { Category, MatchSite } from '../schema.ts'
import { byRecency, type Doc } from './segment.ts'

/** A piece that matches, and the best field in which it does. Also the position of a search cursor. */
export interface Match extends Doc {
  readonly site: MatchSite
}

export interface TextFilter {
  /** Folded. */
  readonly term: string
  readonly category: Category | undefined
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

/** The same for candidates. Their bodies are likely to match, so these are read first, the better fields of the few after. */
const candidateQueries: { readonly [Site in MatchSite]: string } = {
  headline: `select p.id, p.published_at from pub.pieces p where p.id = any($2::uuid[]) and ${matchConditions.headline}`,
  standfirst: `select p.id, p.published_at from pub.pieces p where p.id = any($2::uuid[]) and ${matchConditions.standfirst}`,
  body: `select piece_id as id, published_at from pub.piece_texts t
    where piece_id = any($2::uuid[]) and strpos(body, $1) > 0
      and (select strpos(p.headline_folded, $1) = 0 and strpos(p.sub_folded, $1) = 0
             from pub.pieces p where p.id = t.piece_id)`,
}

/** Checks candidates against the live texts: the index alone never decides what is found. */
export async function verify(
  db: Database,
  site: MatchSite,
  { term, category }: TextFilter,
  candidates: readonly Doc[],
): Promise<Match[]> {
  if (candidates.length === 0) return []
  const ids = candidates.map(({ id }) => id)
  const rows = await db.run<MatchRow>(
    category
      ? { text: `${candidateQueries[site]} and category = $3`, values: [term, ids, category] }
      : { text: candidateQueries[site], values: [term, ids] },
  )
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
  { term, category }: TextFilter,
  start: Doc,
  count: number,
): Promise<{ matches: Match[]; reached: Doc | undefined }> {
  const values = [term, count, start.publishedAt, start.id]
  const rows = await db.run<MatchRow & { hit: boolean }>({
    text: `
      select p.id, p.published_at, ${matchConditions[site]} as hit
        from pub.pieces p
       where (p.published_at, p.id) < ($3, $4) ${category ? 'and p.category = $5' : ''}
       order by p.published_at desc, p.id desc
       limit $2`,
    values: category ? [...values, category] : values,
  })
  const seen = rows.map(({ id, published_at, hit }) => ({ site, id, publishedAt: published_at, hit }))
  return { matches: seen.filter(({ hit }) => hit), reached: rows.length < count ? undefined : seen.at(-1) }
}
