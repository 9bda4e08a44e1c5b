import type { Filing, Queries } from './indexer-lock.ts'

/**
 * In a transaction: every public piece waits to be filed, and what was filed is thrown away. Searches are partial until
 * that is done.
 */
export async function beginAnew(client: Queries): Promise<void> {
  await client.query(`insert into search.waiting (piece_id, published_at, since)
    select piece_id, published_at, clock_timestamp() from pub.piece_texts on conflict do nothing`)
  await client.query("update search.volumes set state = 'retired', retired_at = now() where state <> 'retired'")
  await client.query('delete from search.changes')
  // Restored from a backup, which has nothing of this schema.
  await client.query('insert into search.lease default values on conflict do nothing')
}

/**
 * Volumes know changes by the numbers of transactions, which every cluster counts for itself. A dump that was loaded
 * into a younger cluster names some that are still to come there: a piece that is deleted then would stay in its volume.
 */
export async function beginAnewIfMoved(filing: Filing): Promise<boolean> {
  const { rows } = await filing.query<{ moved: boolean }>(`
    select exists (select from search.volumes
                    where state <> 'retired'
                      and pg_snapshot_xmax(as_of) > pg_snapshot_xmax(pg_current_snapshot())) as moved`)
  if (rows[0]!.moved) await filing.write(beginAnew)
  return rows[0]!.moved
}
