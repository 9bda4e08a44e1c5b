import type pg from 'pg'

/** Makes jobs of this name that wait for another try due, and wakes the worker. */
export async function retryNow(admin: pg.Pool, name: string): Promise<void> {
  await admin.query(
    "update jobs.job set start_after = now() - interval '1 second' where name = $1 and state = 'retry'",
    [name],
  )
  // The channel that pg-boss listens on for a schema named "jobs".
  await admin.query("select pg_notify('pgboss_' || left(encode(sha224('jobs'), 'hex'), 24), $1)", [name])
}
