import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../../testkit/database.ts'
import { addCorpus } from '../../../../testkit/search-corpus.ts'
import { drawPieces, readIndex } from '../../../../testkit/search-index.ts'
import { until } from '../../../../testkit/until.ts'
import { openFiling } from './indexer-lock.ts'
import { keepFiled } from './supervisor.ts'

/** The thread in which a worker files: with the rights of svc_worker, and whatever becomes of the database. */

const { url, admin } = await testDatabase()
const { client } = await openFiling({ url })
after(() => client.end())

function startKeeping() {
  const steps: string[] = []
  const troubles: string[] = []
  const keeper = keepFiled(
    { url, role: 'svc_worker' },
    {
      onStep: ({ step }) => void steps.push(step),
      onTrouble: (trouble) => void troubles.push((trouble as Error).message),
    },
    100,
  )
  after(() => keeper.stop())
  return { ...keeper, steps, troubles }
}

let drawn = 0
/** More than wait for others. */
async function publishSome(): Promise<void> {
  drawn += 1
  await addCorpus(client, drawPieces(80, drawn), drawn)
}
const allIsFiled = async () => {
  const { waiting, filed } = await readIndex(admin)
  return waiting.length === 0 && new Set(filed).size === 80 * drawn
}
const filingConnections = `from pg_stat_activity
  where datname = current_database() and application_name = 'standfirst filing' and pid <> $1`
const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
const own = [rows[0]!.pid]

test('what is published is filed, one line for each step, and by one of two threads', async () => {
  await publishSome()
  const [one, other] = [startKeeping(), startKeeping()]
  await until(allIsFiled)
  await until(() => one.steps.length + other.steps.length === 2)
  assert.deepEqual(
    [one.steps, other.steps].sort((a, b) => b.length - a.length),
    [['learned', 'filed'], []],
  )
  assert.deepEqual([...one.troubles, ...other.troubles], [])
  await Promise.all([one.stop(), other.stop()])
})

test('filing goes on by itself after its connection was lost', async () => {
  const keeper = startKeeping()
  await until(async () => ((await admin.query(`select ${filingConnections}`, own)).rowCount ?? 0) > 0)
  await admin.query(`select pg_terminate_backend(pid) ${filingConnections}`, own)
  await publishSome()
  await until(allIsFiled)
  assert.notEqual(keeper.troubles.length, 0)
  await keeper.stop()
})

test('it stops while its step still waits, and what was cut off is filed later', async () => {
  await publishSome()
  await client.query('begin')
  await client.query('lock table search.pages in share mode')
  const keeper = startKeeping()
  await until(async () => {
    const { rowCount } = await admin.query(`select ${filingConnections} and wait_event_type = 'Lock'`, own)
    return (rowCount ?? 0) > 0
  })
  // The lock is held until it has stopped, so the step could not end.
  await keeper.stop()
  await client.query('rollback')
  assert.equal((await readIndex(admin)).waiting.length, 80)
  await admin.query("update search.lease set until = '-infinity'")
  startKeeping()
  await until(allIsFiled)
})
