import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processRegistry } from '#features/metrics.ts'
import { testDatabase } from '../../../testkit/database.ts'
import { ServiceError } from '../errors.ts'
import { Database } from './database.ts'

const { url } = await testDatabase()

const failing = (code: string) => ({
  text: `do $$ begin raise exception 'as if' using errcode = '${code}'; end $$`,
})

test('what a database lacks for a moment, while it fails over or its disk is full, is told as 503', async () => {
  const db = new Database({ name: 'test', url, connections: 1, statementTimeout: 1000 })
  for (const [code, reason] of [
    ['53100', 'overloaded'],
    ['53300', 'overloaded'],
    ['55P03', 'overloaded'],
    ['25006', 'overloaded'],
    ['57P01', 'database_away'],
    ['57P03', 'database_away'],
  ])
    await assert.rejects(db.run(failing(code!)), { status: 503, reason }, code)
  await assert.rejects(db.run(failing('XX000')), (error) => !(error instanceof ServiceError))
  await db.close()
})

test('a database that nobody is at is away, one whose connections are all at work is busy', async () => {
  const nobody = new Database({
    name: 'test',
    url: 'postgres://127.0.0.1:1/none',
    connections: 1,
    statementTimeout: 1000,
  })
  await assert.rejects(nobody.run({ text: 'select 1' }), { status: 503, reason: 'database_away' })
  await nobody.close()

  const db = new Database({ name: 'test', url, connections: 1, statementTimeout: 10_000 })
  await db.transaction({}, async () => {
    await assert.rejects(db.run({ text: 'select 1' }), { status: 503, reason: 'overloaded' })
  })
  await db.close()
})

test('a connection that ends under a statement is the database being away, and the next statement finds it back', async () => {
  const db = new Database({ name: 'test', url, connections: 1, statementTimeout: 10_000 })
  const end = { text: 'select pg_terminate_backend(pg_backend_pid())' }
  await assert.rejects(db.run(end), { status: 503, reason: 'database_away' })
  assert.deepEqual(await db.run({ text: 'select 1 as one' }), [{ one: 1 }])
  await db.close()
})

test('statements are timed by what they are, waits for a connection are counted, and so is what fails', async () => {
  const name = 'measured'
  const db = new Database({ name, url, connections: 1, statementTimeout: 10_000 })
  const registry = processRegistry()
  const sum = async (metric: string, labels: object) => {
    const { values } = (await registry.getSingleMetric(metric)!.get()) as { values: Value[] }
    const wanted = Object.entries({ pool: name, ...labels })
    const fits = ({ metricName = metric, labels: found }: Value) =>
      !metricName.endsWith('_bucket') &&
      !metricName.endsWith('_sum') &&
      wanted.every(([key, value]) => found[key] === value)
    return values.filter(fits).reduce((all, { value }) => all + value, 0)
  }
  const statements = (statement: string) => sum('standfirst_database_seconds', { statement })
  await db.transaction({}, async (tx) => {
    await tx.query('select 1')
    await tx.query('select * from pg_catalog.pg_backend_pid()')
  })
  assert.deepEqual(
    await Promise.all(['begin', 'select', 'call', 'commit', 'rollback'].map(statements)),
    [1, 1, 1, 1, 0],
  )
  assert.equal(await sum('standfirst_database_wait_seconds', {}), 1, 'the one that was opened')
  await Promise.all([1, 2, 3].map(() => db.run({ text: 'select 1' })))
  assert.equal(await sum('standfirst_database_wait_seconds', {}), 3, 'of three at one connection two wait')
  const failures = (kind: string) => sum('standfirst_database_failures_total', { kind })
  assert.deepEqual(await Promise.all(['away', 'busy', 'crowded'].map(failures)), [0, 0, 0])
  await assert.rejects(db.run(failing('57P01')))
  await assert.rejects(db.run(failing('57014')))
  await assert.rejects(db.run(failing('XX000')))
  assert.deepEqual(await Promise.all(['away', 'busy', 'crowded'].map(failures)), [1, 1, 0])
  await db.close()
})

interface Value {
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}
