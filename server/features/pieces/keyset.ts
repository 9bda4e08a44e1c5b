import { cutRows, isTime, isUuid, readCursor } from '#platform/cursor.ts'

/** Keyset pagination: the position of a row in a list ordered by a time, then by id. */
export interface KeysetCursor {
  readonly time: Date
  readonly id: string
}

/** Before and after any possible row: a first page is the page after one of them. */
export const earliest: KeysetCursor = { time: new Date(0), id: '00000000-0000-0000-0000-000000000000' }
export const latest: KeysetCursor = {
  time: new Date('9999-12-31T00:00:00Z'),
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
}

/** Decodes a cursor of this list; without a cursor, returns the start of the list. */
export function parseCursor(list: string, cursor: string | undefined, start: KeysetCursor): KeysetCursor {
  if (cursor === undefined) return start
  const [time, id] = readCursor<[number, string]>(
    list,
    cursor,
    (parts) => parts.length === 2 && isTime(parts[0]) && isUuid(parts[1]),
  )
  return { time: new Date(time), id }
}

/** Expects one row more than `limit`. */
export const cutPage = <Row extends { readonly id: string }>(
  list: string,
  rows: readonly Row[],
  limit: number,
  timeOf: (row: Row) => Date,
) => cutRows(list, rows, limit, (last) => [timeOf(last).getTime(), last.id])
