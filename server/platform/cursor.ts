import { invalid } from './errors.ts'

/**
 * The place where a page ended, as an opaque word: the sort key of its last row. A page after it costs what
 * the first one does, at any depth, and no row is seen twice when newer ones arrive.
 */
export type CursorPart = string | number | boolean

export function writeCursor(kind: string, parts: readonly CursorPart[]): string {
  return Buffer.from(JSON.stringify([kind, ...parts])).toString('base64url')
}

/** Refuses a cursor of another list, or one that was edited, as it would any wrong parameter. */
export function readCursor<Parts extends readonly CursorPart[]>(
  kind: string,
  cursor: string,
  isPlace: (parts: readonly unknown[]) => boolean,
): Parts {
  try {
    const [itsKind, ...parts] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    if (itsKind === kind && isPlace(parts)) return parts as unknown as Parts
  } catch {
    // Not JSON: refused below like any other.
  }
  throw invalid([{ pointer: '/cursor', code: 'unknown_cursor', detail: 'must be the next_cursor of this very list' }])
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuidShape.test(value)

/** Milliseconds that PostgreSQL can hold too. */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 8.64e15 / 100
