import { isTime, isUuid, readCursor, writeCursor } from '#platform/cursor.ts'

/** Where a row stands in a list that is ordered by a time, and by id among equals. */
export interface Place {
  readonly time: Date
  readonly id: string
}

/** Before and after any there can be: a first page is the page after one of them. */
export const earliest: Place = { time: new Date(0), id: '00000000-0000-0000-0000-000000000000' }
export const latest: Place = { time: new Date('9999-12-31T00:00:00Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** The place a cursor of this list stands for, or where the list begins. */
export function placeOf(list: string, cursor: string | undefined, beginning: Place): Place {
  if (cursor === undefined) return beginning
  const [time, id] = readCursor<[number, string]>(
    list,
    cursor,
    (parts) => parts.length === 2 && isTime(parts[0]) && isUuid(parts[1]),
  )
  return { time: new Date(time), id }
}

/** One row more than the page takes was asked for: whether there is a next one. */
export function cutPage<Row extends { readonly id: string }>(
  list: string,
  rows: readonly Row[],
  limit: number,
  timeOf: (row: Row) => Date,
): { readonly page: readonly Row[]; readonly next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { page, next_cursor: last ? writeCursor(list, [timeOf(last).getTime(), last.id]) : null }
}
