import { policy } from '#config/policy.ts'
import type { ReadContext } from '#features/context.ts'
import { looseLanguages } from '#features/pieces/languages.ts'
import { categories } from '#features/pieces/schema.ts'
import { statement } from '#platform/db/statement.ts'

/** How many places the limit for each author holds for: an author who publishes thirty pieces in a row must not fill them. */
export const topPlaces = 10
export const placesOfAuthor: number = policy.front_page_places_of_author
/** The newest pieces, of which each is somewhere on the page. */
export const newestCount = 25

/** How many of the newest pieces are searched for other authors: takes less than 1 ms, even if one author wrote them all. */
const scanned = 500
/** So many are enough for the first places, even if each pinned piece rules its author out. */
const spreadCount = topPlaces + 2 * policy.front_page_pins
/** Those at the top may all be of one section. */
const ofSection = 10
const ofTrending = 20
const newWriters = 4
const newWriterPeriod = '60 days'
const maxLanguages = 200

/** What the front page is asked for. `pins` and `note` are given for a preview, instead of those that are saved. */
export interface FrontPageQuery {
  readonly language?: string | undefined
  readonly pins?: readonly string[] | undefined
  readonly note?: string | null | undefined
}

type Parameters = {
  pins: readonly string[] | null
  note: string | null
  isPreview: boolean
  categories: readonly string[]
  language: string | undefined
}

type StateRow = { readonly list: number; readonly entries: string | null }
/** Numbers, since grouping by words would compare them as people sort. */
const lists = {
  pins: 1,
  newest: 2,
  spread: 3,
  sections: 4,
  trending: 5,
  authors: 6,
  writers: 7,
  languages: 8,
  note: 9,
} as const
type ListName = keyof typeof lists

const columns = 'p.id, p.author_id, p.category, p.published_at, p.modified_at, p.xmin as version'
const newestFirst = 'order by p.published_at desc, p.id desc'

/**
 * Everything that the page could show, as ids with the version of each row: one statement tells whether a page that was
 * drawn before is still right, and if not, what to draw. xmin and the date are as in `edition` (pieces/queries.ts).
 *
 * A section is a range of one category, so that only the index by category gives the order, however rare the category is;
 * and there is a limit wherever the planner would expect many rows.
 */
const stateOf = (name: string, isOfLanguage: boolean) => {
  const only = (word: 'where' | 'and') => (isOfLanguage ? `${word} pub.language_of(p.locale) = $5` : '')
  return statement.raw<Parameters, StateRow>(
    name,
    `with newest as materialized (
       select ${columns} from pub.pieces p ${only('where')} ${newestFirst} limit ${newestCount + 1}
     ), crowd as materialized (
       select coalesce(sum(least(pieces, ${placesOfAuthor})), 0) < ${topPlaces + policy.front_page_pins} as is_crowded
         from (select count(*) as pieces from newest group by author_id) of_author
     ), listed as materialized (
       select ${lists.pins} as list, pinned.place, ${columns}
         from (select f.piece_id, f.place from pub.front_page_pins f where f.ends_at > now() and not $3::boolean
               union all
               select asked.id, asked.place from unnest($1::uuid[]) with ordinality asked(id, place)
               order by place limit ${policy.front_page_pins}) pinned
         join pub.pieces p on p.id = pinned.piece_id ${only('and')}
       union all
       select ${lists.newest}, row_number() over (${newestFirst}), p.* from newest p
       union all
       (select ${lists.spread}, row_number() over (${newestFirst}), ${columns.replace('p.xmin as version', 'p.version')}
         from (select p.*, row_number() over (partition by p.author_id ${newestFirst}) as of_author
                 from (select ${columns} from pub.pieces p ${only('where')} ${newestFirst}
                        limit (select case when is_crowded then ${scanned} else 0 end from crowd)) p) p
        where p.of_author <= ${placesOfAuthor} and (select is_crowded from crowd) ${newestFirst} limit ${spreadCount})
       union all
       select ${lists.sections}, section.place * 100 + row_number() over (partition by section.place ${newestFirst}), p.*
         from unnest($4::text[]) with ordinality section(category, place)
         cross join lateral (select ${columns} from pub.pieces p
                              where p.category between section.category and section.category ${only('and')}
                              order by p.category, p.published_at desc, p.id desc limit ${ofSection}) p
       union all
       (select ${lists.trending}, trend.place, ${columns} from pub.trending trend join pub.pieces p on p.id = trend.piece_id
         where trend.span = '7d' and trend.place <= 500 ${only('and')} order by trend.place limit ${ofTrending})
     ), writers as (
       select a.id, a.xmin, row_number() over (order by a.joined_at desc, a.slug) as place
         from (select a.id, a.slug, a.joined_at, a.xmin from pub.authors a
                where a.joined_at > now() - interval '${newWriterPeriod}' and a.pieces_count > 0 and ${!isOfLanguage}
                order by a.joined_at desc, a.slug limit ${newWriters}) a
     )
     select list, string_agg(concat_ws(':', id, author_id, category, version, date_part('epoch', modified_at)), ' '
                             order by place) as entries
       from listed group by list
     union all
     select ${lists.authors}, string_agg(concat_ws(':', a.id, a.xmin), ' ' order by a.id) from pub.authors a
      where a.id in (select author_id from listed)
     union all
     select ${lists.writers}, string_agg(concat_ws(':', id, xmin), ' ' order by place) from writers
     union all
     select ${lists.languages}, string_agg(language, ' ') from (${looseLanguages(String(maxLanguages))}) known
     union all
     select ${lists.note}, case when $3 then $2 else (select n.note from pub.front_page_note n where n.ends_at > now()) end`,
    ['pins', 'note', 'isPreview', 'categories', ...(isOfLanguage ? (['language'] as const) : [])],
  )
}

const anyLanguage = stateOf('front_page_state', false)
const oneLanguage = stateOf('front_page_state_of_language', true)

export interface Listed {
  readonly id: string
  readonly author: string
  readonly category: string
}

export interface FrontPageState {
  /** Changes whenever anything changes that the page could show. */
  readonly key: string
  /** Pinned pieces in their order. */
  readonly pins: readonly Listed[]
  /** One more than are on the page, if there are older ones. */
  readonly newest: readonly Listed[]
  /** The newest with few of each author, if those above are of too few authors; otherwise empty. */
  readonly spread: readonly Listed[]
  readonly sections: readonly Listed[]
  readonly trending: readonly Listed[]
  readonly writers: readonly string[]
  readonly languages: readonly string[]
  readonly note: string | null
}

/** The only statement of a page that has not changed; what it tells is read from it when it is asked for. */
export async function frontPageKey(
  { db }: Pick<ReadContext, 'db'>,
  { language, pins, note }: FrontPageQuery,
): Promise<{ readonly key: string; readonly read: () => FrontPageState }> {
  const rows = await db.query(language === undefined ? anyLanguage : oneLanguage, {
    pins: pins ?? null,
    note: note ?? null,
    isPreview: pins !== undefined,
    categories,
    language,
  })
  const key = rows.map(({ list, entries }) => `${list} ${entries}`).join('\n')
  return { key, read: () => readState(key, rows) }
}

function readState(key: string, rows: readonly StateRow[]): FrontPageState {
  const found = new Map(rows.map(({ list, entries }) => [list, entries]))
  const words = (list: ListName): string[] => found.get(lists[list])?.split(' ') ?? []
  const pieces = (list: ListName): Listed[] =>
    words(list).map((entry) => {
      const [id = '', author = '', category = ''] = entry.split(':')
      return { id, author, category }
    })
  return {
    key,
    pins: pieces('pins'),
    newest: pieces('newest'),
    spread: pieces('spread'),
    sections: pieces('sections'),
    trending: pieces('trending'),
    writers: words('writers').map((entry) => entry.split(':')[0]!),
    languages: words('languages'),
    note: found.get(lists.note) ?? null,
  }
}
