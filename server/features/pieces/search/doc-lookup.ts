import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { type Member, membersARow, readMember } from './docs.ts'
import type { Volume } from './index-snapshot.ts'

const rowsOf = statement.raw<{ volume: number; ordinals: readonly number[] }, { ordinal: number; places: Buffer }>(
  'search_members',
  'select ordinal, places from search.members where volume = $1 and ordinal = any($2::integer[])',
  ['volume', 'ordinals'],
)

/** Whom these numbers of a volume stand for. */
export async function membersOf(db: Database, volume: Volume, ordinals: Uint32Array): Promise<Member[]> {
  const starts = new Set(Array.from(ordinals, (ordinal) => ordinal - (ordinal % membersARow)))
  const found = await db.query(rowsOf, { volume: volume.id, ordinals: [...starts] })
  const rows = new Map(found.map(({ ordinal, places }) => [ordinal, places]))
  return Array.from(ordinals, (ordinal) => {
    const place = ordinal % membersARow
    return readMember(rows.get(ordinal - place)!, place)
  })
}

const rowOf = statement.raw<{ volume: number; publishedAt: Date }, { ordinal: number }>(
  'search_member_row',
  'select ordinal from search.members where volume = $1 and published_at > $2 order by published_at limit 1',
  ['volume', 'publishedAt'],
)

/** A number of a volume before which all stand for something newer than a place. */
export async function firstOlder(db: Database, volume: Volume, place: Member): Promise<number> {
  const [row] = await db.query(rowOf, { volume: volume.id, publishedAt: place.publishedAt })
  return row?.ordinal ?? 0
}
