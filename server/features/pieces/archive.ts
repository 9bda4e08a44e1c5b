import type { ReadContext } from '#features/context.ts'
import { statement } from '#platform/db/statement.ts'
import { cutPage, earliest, parseCursor } from './keyset.ts'
import { type Filter, recentRows } from './list-queries.ts'
import { presentListItem } from './present.ts'
import type { Page, PageOptions } from './public-lists.ts'
import type { PieceListItem } from './schema.ts'

/** Public pieces by the month of their publication, in UTC. */

/** Forty years. */
const maxMonths = 480
/** Counting takes as long as there are pieces, so a month with more is said to have this many and more. */
export const maxCounted = 500

export interface Month {
  /** `2026-11`. */
  readonly month: string
  /** At most `maxCounted`. */
  readonly pieces: number
}

/** From one month to the one before along the index by recency, however many pieces it has. */
const monthsWithPieces = statement.raw<{ months: number; counted: number }, Month>(
  'months_with_pieces',
  `with recursive found as (
     (select date_trunc('month', published_at at time zone 'UTC') as month, 1 as place
        from pub.pieces order by published_at desc, id desc limit 1)
     union all
     select earlier.month, found.place + 1 from found cross join lateral (
       select date_trunc('month', published_at at time zone 'UTC') as month from pub.pieces
        where published_at < found.month at time zone 'UTC' order by published_at desc, id desc limit 1) earlier
      where found.place < $1)
   select to_char(found.month, 'YYYY-MM') as month, counted.pieces
     from found cross join lateral (
       select count(*)::integer as pieces from (
         select from pub.pieces p where p.published_at >= found.month at time zone 'UTC'
            and p.published_at < (found.month + interval '1 month') at time zone 'UTC'
          order by p.published_at desc, p.id desc limit $2) first) counted
    order by found.place`,
  ['months', 'counted'],
)

type Around = { from: Date; to: Date }

const monthsAround = statement.raw<Around, { earlier: string | null; later: string | null }>(
  'months_around',
  `select (select to_char(published_at at time zone 'UTC', 'YYYY-MM') from pub.pieces where published_at < $1
            order by published_at desc, id desc limit 1) as earlier,
          (select to_char(published_at at time zone 'UTC', 'YYYY-MM') from pub.pieces where published_at >= $2
            order by published_at, id limit 1) as later`,
  ['from', 'to'],
)

/** For query plan tests. */
export const statements = { monthsWithPieces, monthsAround } as const

/** Newest first. */
export const archiveMonths = ({ db }: ReadContext): Promise<Month[]> =>
  db.query(monthsWithPieces, { months: maxMonths, counted: maxCounted })

/** Start (inclusive) and end (exclusive) of a month; undefined if the name is not one. */
export function spanOfMonth(month: string): Around | undefined {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (!year || !number) return undefined
  const start = (add: number) => new Date(Date.UTC(Number(year), Number(number) - 1 + add))
  return { from: start(0), to: start(1) }
}

/** The pieces of a month, newest first. */
export async function piecesOfMonth(
  { db, urls }: ReadContext,
  { from, to }: Around,
  { limit, cursor, language }: PageOptions & Pick<Filter, 'language'>,
): Promise<Page<PieceListItem>> {
  const { time: publishedAt, id } = parseCursor('archive', cursor, { time: to, id: earliest.id })
  const rows = await recentRows(db, { language, since: from }, { after: { publishedAt, id }, limit: limit + 1 })
  const { page, next_cursor } = cutPage('archive', rows, limit, (row) => row.published_at)
  return { items: page.map((row) => presentListItem(row, urls)), next_cursor }
}

/** The nearest months with pieces before and after. */
export async function neighboursOf({ db }: ReadContext, span: Around) {
  const [found] = await db.query(monthsAround, span)
  return found!
}
