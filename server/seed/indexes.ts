import type pg from 'pg'

export interface Index {
  readonly name: string
  readonly definition: string
}

/**
 * Indexes that can wait until the rows are there: building one at the end takes minutes where keeping it up to
 * date row by row takes hours. Those of constraints stay.
 */
export async function dropIndexes(client: pg.ClientBase): Promise<Index[]> {
  const { rows } = await client.query<Index>(`
    select format('%I.%I', n.nspname, c.relname) as name, pg_get_indexdef(c.oid) as definition
      from pg_index i
      join pg_class c on c.oid = i.indexrelid
      join pg_class t on t.oid = i.indrelid
      join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('pub', 'app') and t.relname in ('authors', 'pieces', 'piece_texts', 'audit')
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
     order by c.relname`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows
}

export async function createIndex(client: pg.ClientBase, { definition }: Index, memory: string): Promise<void> {
  await client.query(`set maintenance_work_mem = '${memory}'`)
  await client.query(definition)
}

/** How far PostgreSQL is with an index that another connection builds, from 0 to 1. */
export async function indexProgress(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ share: number | null }>(`
    select case when blocks_total > 0 then blocks_done::float8 / blocks_total end as share
      from pg_stat_progress_create_index where datname = current_database() limit 1`)
  return rows[0]?.share ?? undefined
}

const loaded = ['app.pieces', 'app.audit', 'pub.pieces', 'pub.piece_contents', 'pub.piece_texts']

/** Off while rows stream in, since it would read each table again and again; on, and done at once, when they are there. */
export async function setAutovacuum(client: pg.ClientBase, on: boolean): Promise<void> {
  const change = on ? 'reset (autovacuum_enabled)' : 'set (autovacuum_enabled = false)'
  for (const table of loaded) await client.query(`alter table ${table} ${change}`)
}
