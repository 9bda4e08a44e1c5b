import type { Database } from '#platform/db/database.ts'
import type { Category, MatchSite } from '../schema.ts'
import { byRecency, type Member } from './docs.ts'
import type { Place } from './hit.ts'

/** The texts decide: which of these pieces have the term at a site, and at no better one. */
export interface Asked {
  readonly term: string
  readonly category: Category | undefined
}

interface FoundRow {
  readonly id: string
  readonly published_at: Date
}

/** Whether a piece has the term at a site and at no better one: a body is read only where the others do not have it. */
const hits: { readonly [Site in MatchSite]: string } = {
  headline: 'strpos(p.headline_folded, $1) > 0',
  standfirst: 'strpos(p.headline_folded, $1) = 0 and strpos(p.sub_folded, $1) > 0',
  body: `strpos(p.headline_folded, $1) = 0 and strpos(p.sub_folded, $1) = 0
    and strpos((select t.body from pub.piece_texts t where t.piece_id = p.id), $1) > 0`,
}

/** Of bodies that are likely to have the term, those are asked first, and the better sites of the few that do. */
const conditions: { readonly [Site in MatchSite]: string } = {
  headline: `select p.id, p.published_at from pub.pieces p where p.id = any($2::uuid[]) and ${hits.headline}`,
  standfirst: `select p.id, p.published_at from pub.pieces p where p.id = any($2::uuid[]) and ${hits.standfirst}`,
  body: `select piece_id as id, published_at from pub.piece_texts t
    where piece_id = any($2::uuid[]) and strpos(body, $1) > 0
      and (select strpos(p.headline_folded, $1) = 0 and strpos(p.sub_folded, $1) = 0
             from pub.pieces p where p.id = t.piece_id)`,
}

export async function confirm(
  db: Database,
  site: MatchSite,
  { term, category }: Asked,
  members: readonly Member[],
): Promise<Place[]> {
  if (members.length === 0) return []
  const ids = members.map(({ id }) => id)
  const rows = await db.run<FoundRow>(
    category
      ? { text: `${conditions[site]} and category = $3`, values: [term, ids, category] }
      : { text: conditions[site], values: [term, ids] },
  )
  const filedAt = new Map(members.map(({ id, publishedAt }) => [id, publishedAt.getTime()]))
  return rows
    .map(({ id, published_at }) => ({ site, id, publishedAt: published_at }))
    .filter(({ id, publishedAt }) => filedAt.get(id) === publishedAt.getTime())
    .sort(byRecency)
}

/** The same of the newest pieces after a place, and how far that went; undefined where there are no more. */
export async function lookThrough(
  db: Database,
  site: MatchSite,
  { term, category }: Asked,
  start: Member,
  count: number,
): Promise<{ places: Place[]; reached: Member | undefined }> {
  const values = [term, count, start.publishedAt, start.id]
  const rows = await db.run<FoundRow & { hit: boolean }>({
    text: `
      select p.id, p.published_at, ${hits[site]} as hit
        from pub.pieces p
       where (p.published_at, p.id) < ($3, $4) ${category ? 'and p.category = $5' : ''}
       order by p.published_at desc, p.id desc
       limit $2`,
    values: category ? [...values, category] : values,
  })
  const seen = rows.map(({ id, published_at, hit }) => ({ site, id, publishedAt: published_at, hit }))
  return { places: seen.filter(({ hit }) => hit), reached: rows.length < count ? undefined : seen.at(-1) }
}
