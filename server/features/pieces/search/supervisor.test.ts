import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../../testkit/database.ts'
import { addCorpus, makePieces, readIndex } from '../../../../testkit/search.ts'
import { until } from '../../../../testkit/waiting.ts'
import { openIndexerConnection } from './indexer-lock.ts'
import { superviseIndexer } from './supervisor.ts'

/** The indexer's thread in a worker: with the role svc_worker, and through failures of the database. */

const { url, admin } = await testDatabase()
const { client } = await openIndexerConnection({ url })
after(() => client.end())

function start() {
  const steps: string[] = []
  const errors: string[] = []
  const supervisor = superviseIndexer(
    { url, role: 'svc_worker' },
    {
      onStep: ({ step }) => void steps.push(step),
      onError: (error) => void errors.push((error as Error).message),
    },
    100,
  )
  after(() => supervisor.stop())
  return { ...supervisor, steps, errors }
}

let batches = 0
/** More than the minimum batch, so that they are indexed at once. */
async function publishSome(): Promise<void> {
  batches += 1
  await addCorpus(client, makePieces(80, batches), batches)
}
const allIndexed = async () => {
  const { waiting, indexed } = await readIndex(admin)
  return waiting.length === 0 && new Set(indexed).size === 80 * batches
}
const indexerConnections = `from pg_stat_activity
  where datname = current_database() and application_name = 'standfirst indexer' and pid <> $1`
const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
const own = [rows[0]!.pid]

test('what is published is indexed, each step is reported, and by one of two threads', async () => {
  await publishSome()
  const [one, other] = [start(), start()]
  await until(allIndexed)
  await until(() => one.steps.length + other.steps.length === 2)
  assert.deepEqual(
    [one.steps, other.steps].sort((a, b) => b.length - a.length),
    [['trained', 'indexed'], []],
  )
  assert.deepEqual([...one.errors, ...other.errors], [])
  await Promise.all([one.stop(), other.stop()])
})

test('indexing goes on by itself after its connection was lost', async () => {
  const supervisor = start()
  await until(async () => ((await admin.query(`select ${indexerConnections}`, own)).rowCount ?? 0) > 0)
  await admin.query(`select pg_terminate_backend(pid) ${indexerConnections}`, own)
  await publishSome()
  await until(allIndexed)
  assert.notEqual(supervisor.errors.length, 0)
  await supervisor.stop()
})

test('it stops while its step still waits, and what was cut off is indexed later', async () => {
  await publishSome()
  await client.query('begin')
  await client.query('lock table search.pages in share mode')
  const supervisor = start()
  await until(async () => {
    const { rowCount } = await admin.query(`select ${indexerConnections} and wait_event_type = 'Lock'`, own)
    return (rowCount ?? 0) > 0
  })
  // The lock is held until it has stopped, so the step could not end.
  await supervisor.stop()
  await client.query('rollback')
  assert.equal((await readIndex(admin)).waiting.length, 80)
  await admin.query("update search.lease set until = '-infinity'")
  start()
  await until(allIndexed)
})
