import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { processRegistry } from '#features/metrics.ts'
import { testDatabase } from '../../../testkit/database.ts'
import { ServiceError } from '../errors.ts'
import { Database } from './database.ts'
import { ReadRouter, type ReadTarget } from './read-routing.ts'
import { readPosition } from './wal-position.ts'

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

/** Time passes only when a test says so. */
function clockOf({ mock }: TestContext): (milliseconds: number) => void {
  let now = 1_000
  mock.method(performance, 'now', () => now)
  mock.timers.enable({ apis: ['setTimeout'] })
  return (milliseconds) => {
    now += milliseconds
    mock.timers.tick(milliseconds)
  }
}

/** Its result, or that it is pending. */
async function outcomeOf(asked: Promise<ReadTarget>): Promise<ReadTarget | 'waiting'> {
  let outcome: ReadTarget | 'waiting' = 'waiting'
  void asked.then((place) => {
    outcome = place
  })
  await new Promise(setImmediate)
  return outcome
}

/** A fake primary and replica; a test sets what is known of them. */
function scene() {
  const changes = {
    needed: 100n,
    known: 100n,
    timeline: 1,
    isAway: false,
    isDoubtful: false,
    isSure: true,
    isSureOf: () => changes.isSure,
    keepSure: () => {},
  }
  const follower = {
    replayed: 100n,
    timeline: 1,
    isReachable: true,
    isDoubtful: false,
    hasten: () => {},
    doubt: () => {},
  }
  const freshness = new ReadRouter(changes, follower)
  return { changes, follower, freshness }
}

test('a replica that has everything is read at once', () => {
  const { freshness } = scene()
  assert.equal(freshness.place(), 'replica')
  assert.equal(freshness.place(100n), 'replica')
})

test('a replica that went further in a history that is over is not read, unless it is all there is', async (t) => {
  const pass = clockOf(t)
  const { changes, follower, freshness } = scene()
  changes.timeline = 2
  follower.replayed = 500n
  freshness.look()
  const asked = freshness.place()
  pass(100)
  assert.equal(await asked, 'primary')
  changes.isAway = true
  freshness.look()
  assert.equal(freshness.place(), 'replica')
})

test('a read waits for what was changed before it came, and not for what comes after', async (t) => {
  clockOf(t)
  const { changes, follower, freshness } = scene()
  changes.needed = 200n
  freshness.look()
  const asked = freshness.place()
  changes.needed = 300n
  follower.replayed = 200n
  freshness.look()
  assert.equal(await asked, 'replica')
  assert.notEqual(freshness.place(), 'replica')
})

test('a read waits while nobody knows what is needed, and then for that', async (t) => {
  clockOf(t)
  const { changes, follower, freshness } = scene()
  changes.isSure = false
  const asked = Promise.resolve(freshness.place())
  changes.isSure = true
  changes.needed = 200n
  freshness.look()
  assert.equal(await outcomeOf(asked), 'waiting')
  follower.replayed = 200n
  freshness.look()
  assert.equal(await asked, 'replica')
})

test('after a tenth of a second it asks the primary, and the next asks it at once, until the replica has come', async (t) => {
  const pass = clockOf(t)
  const { changes, follower, freshness } = scene()
  changes.needed = 200n
  freshness.look()
  const asked = Promise.resolve(freshness.place())
  pass(99)
  assert.equal(await outcomeOf(asked), 'waiting')
  pass(1)
  assert.equal(await asked, 'primary')
  pass(10)
  assert.equal(freshness.place(), 'primary')
  assert.equal(freshness.figures.behindSeconds, 0.11)
  follower.replayed = 200n
  freshness.look()
  assert.equal(freshness.place(), 'replica')
  assert.equal(freshness.figures.behindSeconds, 0)
})

test('a position far ahead of the log is nobody’s: it costs no wait, and does not make the replica late', async (t) => {
  const pass = clockOf(t)
  const { freshness } = scene()
  assert.equal(freshness.place(readPosition('FFFFFFFF/FFFFFFFF')), 'primary')
  const asked = freshness.place(101n)
  pass(100)
  assert.equal(await asked, 'primary')
  assert.equal(freshness.place(), 'replica')
})

test('without a replica the primary is read, without a primary the replica as it is', async (t) => {
  clockOf(t)
  const { changes, follower, freshness } = scene()
  changes.needed = 200n
  const asked = freshness.place()
  changes.isAway = true
  freshness.look()
  assert.equal(await asked, 'replica')
  assert.equal(freshness.place(), 'replica')
  follower.isReachable = false
  assert.equal(freshness.place(), 'primary')
})

test('a request is read at one place from its beginning to its end, unless that fails', () => {
  const { changes, freshness } = scene()
  freshness.reading('primary', () => {
    assert.equal(freshness.current, 'primary')
    freshness.move('replica')
    assert.equal(freshness.current, 'replica')
  })
  changes.needed = 200n
  freshness.reading('replica', () => assert.equal(freshness.current, 'replica'))
  assert.equal(freshness.current, 'primary')
})

test('a position is two numbers of eight hexadecimal digits at the most, and anything else is none', () => {
  assert.equal(readPosition('0/0'), 0n)
  assert.equal(readPosition('16/B374D848'), 0x16b374d848n)
  assert.equal(readPosition('1/0'), 1n << 32n)
  for (const text of [
    '',
    '/',
    '1/',
    '/1',
    '1/2/3',
    'g/0',
    '123456789/0',
    '0/123456789',
    ' 0/0',
    '0/0\n',
    '0/a',
    '-1/0',
  ])
    assert.equal(readPosition(text), undefined, text)
})
