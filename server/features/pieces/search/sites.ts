import type { Category, MatchSite } from '../schema.ts'
import type { Narrowing } from './term.ts'

/**
 * The SQL of a site: walk the newest pieces, or look candidates up in an index. Either way `strpos` decides.
 *
 * All of it is written for one shape of plan: windows are read in the order of an index, candidates without any,
 * and whether a hit belongs to a better site is asked only of those that fill the page.
 */
export interface Site {
  readonly name: MatchSite
  /** Where its text is. */
  readonly texts: string
  readonly id: string
  readonly column: string
  /** True where the piece was found at a better site already. */
  readonly foundBefore: string
}

const heads = { texts: 'pub.pieces', id: 'id' } as const

export const sites: readonly Site[] = [
  { ...heads, name: 'headline', column: 'headline_folded', foundBefore: 'false' },
  {
    ...heads,
    name: 'standfirst',
    column: 'sub_folded',
    foundBefore: '(select strpos(p.headline_folded, $1) > 0 from pub.pieces p where p.id = hit.id)',
  },
  {
    name: 'body',
    texts: 'pub.piece_texts',
    id: 'piece_id',
    column: 'body',
    foundBefore:
      '(select strpos(p.headline_folded, $1) > 0 or strpos(p.sub_folded, $1) > 0 from pub.pieces p where p.id = hit.id)',
  },
]

export interface Span {
  readonly term: string
  readonly category: Category | undefined
  /** Only what is older than this. */
  readonly publishedAt: Date
  readonly id: string
  readonly need: number
}

export interface FoundRow {
  readonly id: string
  readonly published_at: Date
  /** False for the oldest piece of a window, which says how far it reached. */
  readonly hit: boolean
  readonly seen: number
}

/** The next `window` pieces, newest first. */
export function walk(site: Site, span: Span, window: number) {
  return {
    text: `
      with span as materialized (
        select ${site.id} as id, published_at, strpos(${site.column}, $1) > 0 as hit
          from ${site.texts}
         where ${older(site.id)} ${inCategory(span)}
         order by published_at desc, ${site.id} desc
         limit $5
      )
      (select id, published_at, true as hit, 0 as seen
         from (select * from span where span.hit order by published_at desc, id desc) hit
        where not coalesce(${site.foundBefore}, true)
        limit $4)
      union all
      (select id, published_at, false, (select count(*)::integer from span)
         from span order by published_at, id limit 1)`,
    values: valuesOf(span, window),
  }
}

/** All older pieces that an index names as candidates. */
export function lookUp(site: Site, span: Span, narrowing: Narrowing) {
  const keyedBody = site.name === 'body' && narrowing.by === 'keys'
  const candidates = keyedBody ? bodiesByKeys(span) : textsByIndex(site, span, narrowing)
  const confirmed = keyedBody
    ? '(select strpos(t.body, $1) > 0 from pub.piece_texts t where t.piece_id = hit.id) and'
    : ''
  return {
    text: `
      with candidates as materialized (${candidates})
      select id, published_at, true as hit, 0 as seen
        from (select * from candidates order by published_at desc, id desc) hit
       where ${confirmed} not coalesce(${site.foundBefore}, true)
       limit $4`,
    values: valuesOf(span, narrowing.value),
  }
}

/** The text is at hand where the index points, so it decides at once. */
function textsByIndex(site: Site, span: Span, { by }: Narrowing): string {
  const condition = by === 'keys' ? 'head_keys @> $5::integer[]' : `${site.column} like $5`
  return `
    select ${site.id} as id, published_at
      from ${site.texts}
     where ${condition} and strpos(${site.column}, $1) > 0 and ${older(site.id)} ${inCategory(span)}`
}

/** The keys are not where the bodies are: those are fetched newest first, and only until the page is full. */
function bodiesByKeys(span: Span): string {
  return `
    select id, published_at
      from pub.pieces
     where body_keys @> $5::integer[] and ${older('id')} ${inCategory(span)}`
}

const older = (id: string): string => `(published_at, ${id}) < ($2, $3)`

const inCategory = ({ category }: Span): string => (category ? 'and category = $6' : '')

const valuesOf = ({ term, publishedAt, id, need, category }: Span, fifth: unknown): unknown[] =>
  category ? [term, publishedAt, id, need, fifth, category] : [term, publishedAt, id, need, fifth]
