import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enqueue } from '#features/jobs.ts'
import { testDatabase } from '../../../testkit/database.ts'
import { inTransaction } from '../../../testkit/factories.ts'
import { Database } from '../db/database.ts'
import { waitingJobsIn } from './queue.ts'

const { url, admin } = await testDatabase()
const db = new Database({ name: 'test', url, role: 'svc_worker', connections: 1, statementTimeout: 5000 })

test('what is due counts from when it was ordered over all its tries; what is put off, at work or done does not', async () => {
  assert.deepEqual(await waitingJobsIn(db), [])
  const add = (startAfter?: Date) =>
    inTransaction(admin, (tx) => enqueue(tx, 'cache.purge', { tags: [] }, startAfter ? { startAfter } : {}))
  const [due, tried, atWork, done] = [await add(), await add(), await add(), await add()]
  await add(new Date('2100-01-01'))
  const set = (id: string | null, what: string) => admin.query(`update jobs.job set ${what} where id = $1`, [id])
  await set(due, `start_after = now() - interval '1 minute'`)
  await set(
    tried,
    `state = 'retry', created_on = now() - interval '1 hour', start_after = now() + interval '15 minutes'`,
  )
  await set(atWork, `state = 'active', created_on = now() - interval '1 day'`)
  await set(done, `state = 'completed', created_on = now() - interval '1 day'`)
  const [waiting, ...others] = await waitingJobsIn(db)
  assert.deepEqual(others, [])
  assert.deepEqual([waiting?.job, waiting?.count, Math.floor(waiting!.longest / 60)], ['cache.purge', 2, 60])
  await db.close()
})
