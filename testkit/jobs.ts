import assert from 'node:assert/strict'
import { after } from 'node:test'
import type pg from 'pg'
import { deleteDue } from '../server/features/offboarding/delete-account.ts'
import { expandFeedChanges } from '../server/features/websub/call-queue.ts'
import { startWorker, type Worker } from '../server/main/worker.ts'
import { Database } from '../server/platform/db/database.ts'
import type { Logger } from '../server/platform/observability/log.ts'
import { siteConfig } from './app.ts'
import { silentLog } from './log.ts'
import { until } from './waiting.ts'

/** The worker as shipped, stopped after the test file at the latest. */
export async function testWorker(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  log: Logger = silentLog(),
): Promise<Worker> {
  const worker = await startWorker(siteConfig(databaseUrl, env), log)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= worker.stop()
    return stopped
  }
  after(stop)
  return { ...worker, stop }
}

/** Deletes an account whose owner has requested it, as if the seven days were over. */
export async function deleteNow(admin: pg.Pool, url: string, account: string): Promise<void> {
  const due = await admin.query('update app.accounts set delete_at = now() where id = $1 and delete_at > now()', [
    account,
  ])
  assert.equal(due.rowCount, 1, 'nobody asked for it')
  const worker = new Database({ url, role: 'svc_worker', name: 'worker', connections: 1, statementTimeout: 60_000 })
  try {
    // An account that is in use is left for the next round.
    await until(async () => {
      await deleteDue(worker).catch((error: AggregateError) => error)
      return (await admin.query('select from app.accounts where id = $1', [account])).rowCount === 0
    }, 'the account is deleted')
    // Done within a second by every worker.
    while (await expandFeedChanges(worker));
  } finally {
    await worker.close()
  }
}

/** Makes jobs of this name that wait for another try due, and wakes the worker. */
export async function retryNow(admin: pg.Pool, name: string): Promise<void> {
  await admin.query(
    "update jobs.job set start_after = now() - interval '1 second' where name = $1 and state = 'retry'",
    [name],
  )
  // The channel that pg-boss listens on for a schema named "jobs".
  await admin.query("select pg_notify('pgboss_' || left(encode(sha224('jobs'), 'hex'), 24), $1)", [name])
}
