import { invalid } from './errors.ts'

/**
 * A keyset cursor: the sort key of a page's last row, as an opaque string. Every page costs as much as the first one,
 * at any depth, and no row appears twice when newer ones are added.
 */
export type CursorPart = string | number | boolean

export function writeCursor(kind: string, parts: readonly CursorPart[]): string {
  return Buffer.from(JSON.stringify([kind, ...parts])).toString('base64url')
}

/** Throws a validation error for a cursor of another list or an edited one. */
export function readCursor<Parts extends readonly CursorPart[]>(
  kind: string,
  cursor: string,
  isValid: (parts: readonly unknown[]) => boolean,
): Parts {
  try {
    const [actualKind, ...parts] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    if (actualKind === kind && isValid(parts)) return parts as unknown as Parts
  } catch {
    // Not JSON: rejected below.
  }
  throw invalid([{ pointer: '/cursor', code: 'unknown_cursor', detail: 'must be a next_cursor of this list' }])
}

/** Expects one row more than `limit`: if it is there, there is a next page, after the sort key of this one's last row. */
export function cutRows<Row>(
  kind: string,
  rows: readonly Row[],
  limit: number,
  partsOf: (last: Row) => readonly CursorPart[],
): { readonly page: readonly Row[]; readonly next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { page, next_cursor: last === undefined ? null : writeCursor(kind, partsOf(last)) }
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuidShape.test(value)

/** Within the range of PostgreSQL timestamps. */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 8.64e15 / 100
