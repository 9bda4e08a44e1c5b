import { isTime, isUuid, readCursor } from '#platform/cursor.ts'
import type { DeskOrder } from './desk-schema.ts'

/** The orders of a writer's list. Pieces with the same key are in the order of their last change, then of their ids. */

/** What the orders need of a row. */
interface OrderedRow {
  readonly id: string
  readonly headline: string
  readonly updated_at: Date
  readonly first_published_at: Date | null
  readonly reads: number
  readonly schedule: { readonly at: string } | null
}

/** `scheduled` is the order of those that are. */
type ListOrder = DeskOrder | 'scheduled'

type Key = string | number

interface Order {
  /** The SQL of the key, and how a cursor's key becomes the same type. */
  readonly key: string
  readonly fromCursor: (parameter: string) => string
  readonly direction: 'asc' | 'desc'
  readonly keyOf: (row: OrderedRow) => Key
  readonly isKey: (part: unknown) => boolean
}

const times = {
  fromCursor: (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`,
  direction: 'desc',
  isKey: isTime,
} as const

const orders: Readonly<Record<ListOrder, Order>> = {
  changed: { ...times, key: 'p.updated_at', keyOf: (row) => row.updated_at.getTime() },
  /** What was never public comes last. */
  published: {
    ...times,
    key: `coalesce(p.first_published_at, 'epoch')`,
    keyOf: (row) => row.first_published_at?.getTime() ?? 0,
  },
  scheduled: {
    ...times,
    key: 's.publish_at',
    direction: 'asc',
    keyOf: (row) => Date.parse(row.schedule!.at),
  },
  reads: {
    key: 'coalesce(r.reads, 0)',
    fromCursor: (parameter) => `${parameter}::bigint`,
    direction: 'desc',
    keyOf: (row) => row.reads,
    isKey: (part) => Number.isSafeInteger(part) && Number(part) >= 0,
  },
  headline: {
    key: 'p.headline collate "und-x-icu"',
    fromCursor: (parameter) => `${parameter}::text`,
    direction: 'asc',
    keyOf: (row) => row.headline,
    isKey: (part) => typeof part === 'string' && part.length <= 400 && !part.includes('\0') && part.isWellFormed(),
  },
}

type Cursor = readonly [key: Key, updatedAt: number, id: string]

/** The name of the list in its cursors: one of another order is refused. */
const cursorKind = (sort: ListOrder): string => `desk-${sort}`

/** The SQL of an order, whose three parameters begin at number `at`, and their values: null for the first page. */
export function deskOrder(sort: ListOrder, cursor: string | undefined, at: number) {
  const { key, fromCursor, direction, keyOf, isKey } = orders[sort]
  const after =
    cursor === undefined
      ? [null, null, null]
      : readCursor<Cursor>(
          cursorKind(sort),
          cursor,
          (parts) => parts.length === 3 && isKey(parts[0]) && isTime(parts[1]) && isUuid(parts[2]),
        )
  const start = `(${fromCursor(`$${at}`)}, ${times.fromCursor(`$${at + 1}`)}, $${at + 2}::uuid)`
  return {
    condition: `($${at + 2}::uuid is null or (${key}, p.updated_at, p.id) ${direction === 'asc' ? '>' : '<'} ${start})`,
    orderBy: `${key} ${direction}, p.updated_at ${direction}, p.id ${direction}`,
    values: after,
    cursorKind: cursorKind(sort),
    partsOf: (row: OrderedRow): Cursor => [keyOf(row), row.updated_at.getTime(), row.id],
  }
}
