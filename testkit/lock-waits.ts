import type pg from 'pg'
import { until } from './until.ts'

/** Until some connection of this database waits for a lock on this table, or on one of its rows. */
export async function waitingFor(admin: pg.Pool, table: string): Promise<void> {
  await until(async () => {
    const { rowCount } = await admin.query(
      `select from pg_stat_activity a
        where a.datname = current_database() and a.wait_event_type = 'Lock'
          and exists (select from pg_locks l where l.pid = a.pid and l.relation = $1::regclass)`,
      [table],
    )
    return rowCount
  }, `something waits for ${table}`)
}
