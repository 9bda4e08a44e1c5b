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
  /** Where its keys are; joined to the texts if that is elsewhere. */
  readonly keyed: string
  readonly keys: string
  /** True where the piece was found at a better site already. */
  readonly foundBefore: string
}

const heads = { texts: 'pub.pieces text', id: 'id', keyed: 'pub.pieces text', keys: 'text.head_keys' } as const

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
    texts: 'pub.piece_texts text',
    id: 'piece_id',
    column: 'body',
    keyed: 'pub.piece_keys keyed join pub.piece_texts text using (piece_id, author_id)',
    keys: 'keyed.keys',
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
         where ${older(site)} ${inCategory(span)}
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
  const [source, condition] =
    narrowing.by === 'keys'
      ? [site.keyed, `${site.keys} @> $5::integer[]`]
      : [site.texts, `text.${site.column} like $5`]
  return {
    text: `
      with candidates as materialized (
        select text.${site.id} as id, text.published_at
          from ${source}
         where ${condition} and strpos(text.${site.column}, $1) > 0 and ${older(site)} ${inCategory(span)}
      )
      select id, published_at, true as hit, 0 as seen
        from (select * from candidates order by published_at desc, id desc) hit
       where not coalesce(${site.foundBefore}, true)
       limit $4`,
    values: valuesOf(span, narrowing.value),
  }
}

const older = ({ id }: Site): string => `(text.published_at, text.${id}) < ($2, $3)`

const inCategory = ({ category }: Span): string => (category ? 'and text.category = $6' : '')

const valuesOf = ({ term, publishedAt, id, need, category }: Span, fifth: unknown): unknown[] =>
  category ? [term, publishedAt, id, need, fifth, category] : [term, publishedAt, id, need, fifth]
