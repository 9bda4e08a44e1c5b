import type { Filing } from './indexer-lock.ts'

/** Longer than any search: one that began with a volume reads it to the end. */
const grace = '1 minute'
const rowsAtOnce = 5_000

/** Throws away some of what no search needs any more; undefined where there is nothing. */
export async function clearVolumes(filing: Filing): Promise<true | undefined> {
  const { rows } = await filing.query<{ id: number }>(
    `select id from search.volumes
      where state = 'retired' and retired_at < now() - interval '${grace}' order by id limit 1`,
  )
  const [volume] = rows
  if (!volume) return clearChanges(filing)
  const { writing } = filing
  const { rowCount } = await writing.query(
    `delete from search.pages where (volume, key, part) in
       (select volume, key, part from search.pages where volume = $1 order by key, part limit $2)`,
    [volume.id, rowsAtOnce],
  )
  if (rowCount === 0) {
    await writing.query('delete from search.members where volume = $1', [volume.id])
    await writing.query('delete from search.volumes where id = $1', [volume.id])
  }
  return true
}

/** Changes that every volume knows. */
async function clearChanges({ writing }: Filing): Promise<true | undefined> {
  const { rowCount } = await writing.query(
    `delete from search.changes c
      where (c.piece_id, c.by) in (
        select piece_id, by from search.changes
         where not exists (select from search.volumes v
                            where v.state <> 'retired' and not pg_visible_in_snapshot(by, v.as_of))
         limit $1)`,
    [rowsAtOnce],
  )
  return rowCount ? true : undefined
}
