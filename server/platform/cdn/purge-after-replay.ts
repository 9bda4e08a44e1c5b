import type { Database } from '../db/database.ts'
import { type Position, readPosition } from '../db/lsn.ts'
import type { Replicas } from '../db/replicas.ts'
import { createLru } from '../lru.ts'
import type { Purge } from './purge.ts'

/** Jobs whose position is remembered from one try to the next: those of ten minutes at 25 changes a second. */
const mostRemembered = 16_384

/**
 * Purges when every replica has what was changed, so that no cache is filled again with what was. Where one is late it is
 * purged at once all the same, and fails, to be purged again.
 */
export function purgeBehindReplicas(purge: Purge, db: Database, replicas: Replicas) {
  const positions = createLru<Position>(mostRemembered)
  return async (tags: readonly string[], { id, signal }: { readonly id: string; readonly signal: AbortSignal }) => {
    if (replicas.count === 0) return purge(tags, signal)
    const position = positions.get(id) ?? (await positionNow(db))
    const isEverywhere = await replicas.have(position)
    await purge(tags, signal)
    if (isEverywhere) return
    // The next try is about the same change, however much was written since.
    positions.set(id, position, 1)
    throw new Error('Purged, but a replica has not replayed the change yet: it will be purged again')
  }
}

async function positionNow(db: Database): Promise<Position> {
  const [row] = await db.run<{ position: string }>({ text: 'select pg_current_wal_flush_lsn() as position' })
  return readPosition(row!.position)!
}
