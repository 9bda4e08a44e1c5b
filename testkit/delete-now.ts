import assert from 'node:assert/strict'
import type pg from 'pg'
import { deleteDue } from '../server/features/offboarding/delete-account.ts'
import { Database } from '../server/platform/db/database.ts'
import { until } from './until.ts'

/** As if the seven days were over: the worker deletes an account whose owner has asked for it. */
export async function deleteNow(admin: pg.Pool, url: string, account: string): Promise<void> {
  const due = await admin.query('update app.accounts set delete_at = now() where id = $1 and delete_at > now()', [
    account,
  ])
  assert.equal(due.rowCount, 1, 'nobody asked for it')
  const worker = new Database({ url, role: 'svc_worker', name: 'worker', connections: 1, statementTimeout: 60_000 })
  try {
    // One that somebody is at work in is left for the next round.
    await until(async () => {
      await deleteDue(worker).catch((error: AggregateError) => error)
      return (await admin.query('select from app.accounts where id = $1', [account])).rowCount === 0
    }, 'the account is deleted')
  } finally {
    await worker.close()
  }
}
