import type pg from 'pg'
import type { Act } from './write-context.ts'

const position = `select pg_current_wal_flush_lsn() as position,
                         exists (select from pg_stat_get_wal_senders()) as replicated`

/** Where in the log the commit is, for whoever must not read from before it. */
export async function commitAndLook(client: pg.PoolClient): Promise<NonNullable<Act['committed']>> {
  const answers = await client.query(`commit; ${position}`)
  // As many as statements, which the types do not say.
  const [, { rows }] = answers as unknown as [unknown, pg.QueryResult<{ position: string; replicated: boolean }>]
  return { position: rows[0]!.position, at: performance.now(), isReplicated: rows[0]!.replicated }
}

/**
 * A commit that was not waited for to its end, by a time-out or by hand, is reported as done with this warning: it is kept
 * here, and lost if this server is. The name of the routine is the same in every language.
 */
export const isUnconfirmed = (notice: { routine?: string | undefined }): boolean =>
  notice.routine === 'SyncRepWaitForLSN'
