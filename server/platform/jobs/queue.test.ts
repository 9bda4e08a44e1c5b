import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { getMigrationPlans, getRollbackPlans, PgBoss } from 'pg-boss'
import { enqueue, type JobName, jobs } from '#features/jobs.ts'
import { migrate } from '#sql/migrate.ts'
import { attempt, noRow, through } from '../../../testkit/attacks.ts'
import { scratchDatabase, testDatabase, workerDatabase } from '../../../testkit/database.ts'
import { inTransaction } from '../../../testkit/factories.ts'
import { installQueue, waitingJobsIn } from './queue.ts'

const { url, admin } = await testDatabase()

async function rowsOf(name: string): Promise<Record<string, unknown>[]> {
  return (await admin.query('select * from jobs.job where name = $1', [name])).rows
}

async function connected(address: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: address })
  client.on('error', () => {})
  await client.connect()
  return client
}

test('a job is there when its transaction commits, and not when it is rolled back', async () => {
  const tags = ['pieces']
  await assert.rejects(
    inTransaction(admin, async (tx) => {
      await tx.query('set local role svc_desk')
      await enqueue(tx, 'cache.purge', { tags })
      throw new Error('on second thoughts')
    }),
    /second thoughts/,
  )
  assert.equal((await rowsOf('cache.purge')).length, 0)

  const id = await inTransaction(admin, async (tx) => {
    await tx.query('set local role svc_desk')
    return enqueue(tx, 'cache.purge', { tags })
  })
  const rows = await rowsOf('cache.purge')
  assert.deepEqual(
    rows.map((row) => [row['id'], row['data'], row['state']]),
    [[id, { tags }, 'created']],
  )
})

test('a job can be put off', async () => {
  const startAfter = new Date(Date.now() + 3_600_000)
  const id = await inTransaction(admin, (tx) => enqueue(tx, 'cache.purge', { tags: [] }, { startAfter }))
  const { rows } = await admin.query('select start_after from jobs.job where id = $1', [id])
  assert.deepEqual(rows, [{ start_after: startAfter }])
})

test('a job that runs alone is added once', async () => {
  const add = () => inTransaction(admin, (tx) => enqueue(tx, 'site.sweep', {}))
  assert.ok(await add())
  assert.equal(await add(), null)
  assert.equal((await rowsOf('site.sweep')).length, 1)
})

test('jobs.add makes the row that pg-boss itself would make', async () => {
  await admin.query('delete from jobs.job')
  const boss = new PgBoss({ connectionString: url, schema: 'jobs', migrate: false, supervise: false, schedule: false })
  after(() => boss.stop({ graceful: false }))
  await boss.start()
  for (const name of Object.keys(jobs.rules) as JobName[]) {
    await boss.send(name, { tags: ['pieces'] })
    const [theirs] = await rowsOf(name)
    await admin.query('delete from jobs.job')
    await admin.query('select jobs.add($1, \'{"tags":["pieces"]}\')', [name])
    const [ours] = await rowsOf(name)
    const differing = Object.keys(theirs!).filter((column) => String(theirs![column]) !== String(ours![column]))
    const moments = ['id', 'created_on', 'start_after', 'keep_until']
    assert.deepEqual(
      differing.filter((column) => !moments.includes(column)),
      [],
      name,
    )
    const kept = ({ keep_until, created_on }: Record<string, unknown>) => Number(keep_until) - Number(created_on)
    assert.equal(kept(ours!), kept(theirs!))
    await admin.query('delete from jobs.job')
  }
})

const attacks: readonly [string, string][] = [
  ['reads jobs', 'select data from jobs.job'],
  ['reads jobs, table by table', 'select data from jobs.job_common'],
  ['counts jobs', 'select count(*) from jobs.job'],
  ['deletes jobs', 'delete from jobs.job'],
  ['changes jobs', `update jobs.job set data = '{}'`],
  ['adds a job past the function', `insert into jobs.job (name, data) values ('mail', '{}')`],
  ['adds a finished job', `insert into jobs.job_common (name, state) values ('mail', 'completed')`],
  ['changes the rules', 'update jobs.queue set retry_limit = 0'],
  ['makes a queue', `select jobs.create_queue('mine', '{"policy":"standard"}')`],
  ['deletes a queue', `select jobs.delete_queue('mail')`],
  ['makes a schedule', `insert into jobs.schedule (name, cron) values ('site.sweep', '* * * * *')`],
  ['empties the queue', 'truncate jobs.job'],
  ['makes a table', 'create table jobs.mine ()'],
  ['asks where an account lives', `select jobs.address_of(gen_random_uuid())`],
]

for (const role of ['svc_desk', 'svc_api', 'svc_public', 'svc_desk itself', 'svc_api itself', 'svc_public itself']) {
  test(`${role} may do nothing with jobs, but the desk adds them`, async () => {
    const add = `select jobs.add('cache.purge', '{"tags":[]}')`
    assert.equal(await attempt(url, role, add, {}), role.startsWith('svc_desk') ? through : '42501')
    for (const [what, sql] of attacks) assert.equal(await attempt(url, role, sql, {}), '42501', what)
  })
}

test('the worker runs jobs, and makes or empties no table, reads no draft and no account', async () => {
  for (const sql of [
    'select data from jobs.job limit 0',
    `update jobs.job set data = '{}' where false`,
    `select jobs.add('cache.purge', '{"tags":[]}')`,
    'select jobs.address_of(gen_random_uuid())',
  ]) {
    assert.ok([through, noRow].includes(await attempt(url, 'svc_worker itself', sql, {})), sql)
  }
  for (const sql of [
    'create table jobs.mine ()',
    `select jobs.create_queue('mine', '{"policy":"standard","partition":true}')`,
    'truncate jobs.job',
    'update jobs.version set version = 0',
    `update jobs.schedule set cron = '* * * * *'`,
    'drop table jobs.job_common',
    'alter table jobs.job disable trigger all',
    `insert into jobs.schedule (name, cron) values ('site.sweep', '* * * * *')`,
    'select * from app.pieces',
    'select * from app.accounts',
    'select * from app.sessions',
    'insert into pub.pieces select * from pub.pieces',
    'update pub.pieces set headline = headline',
    'delete from pub.pieces',
  ]) {
    assert.equal(await attempt(url, 'svc_worker itself', sql, {}), '42501', sql)
  }
})

test('only jobs of the site can be added, and small ones', async () => {
  const add = (name: string, data: string) => attempt(url, 'svc_desk', `select jobs.add('${name}', '${data}')`, {})
  for (const name of ['dead', '__pgboss__send-it', 'no-such-job', ''])
    assert.equal(await add(name, '{}'), '22023', name)
  assert.equal(await add('cache.purge', `{"tags":["${'x'.repeat(9000)}"]}`), '54000')
})

test('everything in the schema belongs to svc_owner, and two functions act with its rights', async () => {
  const { rows } = await admin.query(
    `select relname as name, pg_get_userbyid(relowner) as owner from pg_class
      where relnamespace = 'jobs'::regnamespace and relowner <> 'svc_owner'::regrole
     union all
     select proname, pg_get_userbyid(proowner) from pg_proc
      where pronamespace = 'jobs'::regnamespace and (proowner <> 'svc_owner'::regrole or prosecdef) order by 1`,
  )
  assert.deepEqual(rows, [
    { name: 'add', owner: 'svc_owner' },
    { name: 'address_of', owner: 'svc_owner' },
  ])
})

test('migrating again brings the rules and the clock back to what the catalogue says', async () => {
  await admin.query(`update jobs.queue set retry_limit = 7, heartbeat_seconds = null where name = 'mail'`)
  await admin.query(`update jobs.schedule set cron = '0 0 1 1 *'`)
  await admin.query(`insert into jobs.schedule (name, cron) values ('cache.purge', '* * * * *')`)
  await admin.query('grant select on jobs.job to svc_api')
  await migrate(url)
  const { rows: rules } = await admin.query(`select retry_limit, heartbeat_seconds from jobs.queue where name = 'mail'`)
  assert.deepEqual(rules, [{ retry_limit: jobs.rules.mail.retries, heartbeat_seconds: 10 }])
  const { rows: clock } = await admin.query('select name as job, cron from jobs.schedule order by name collate "C"')
  assert.deepEqual(
    clock,
    jobs.schedules.toSorted((a, b) => (a.job < b.job ? -1 : 1)),
  )
  assert.equal(await attempt(url, 'svc_api', 'select from jobs.job', {}), '42501')
})

test('an older queue is upgraded in place, with the jobs in it', async () => {
  const { url: older, admin: owner } = await scratchDatabase()
  await migrate(older)
  const client = await connected(older)
  const newest = Number((await owner.query('select version from jobs.version')).rows[0].version)
  await owner.query(`select jobs.add('cache.purge', '{"tags":["old"]}')`)
  await client.query('set role svc_owner')
  for (let version = newest; version > newest - 8; version -= 1) {
    await client.query(getRollbackPlans('jobs', version))
  }
  await client.query('reset role')
  assert.match(getMigrationPlans('jobs', newest - 8), /COMMIT;.*CONCURRENTLY/s)
  await installQueue(client, jobs)
  await installQueue(client, jobs)
  await client.end()

  const boss = new PgBoss({ db: { executeSql: (text, values) => owner.query(text, values) }, schema: 'jobs' })
  const drift = await boss.detectSchemaDrift()
  assert.deepEqual({ ...drift, extraIndexes: [] }, { ...drift, ok: true, extraIndexes: [] })
  const { rows } = await owner.query('select version, (select count(*)::int from jobs.job) as jobs from jobs.version')
  assert.deepEqual(rows, [{ version: newest, jobs: 1 }])
})

test('what is due counts from when it was ordered over all its tries; what is put off, at work or done does not', async () => {
  const site = await testDatabase()
  const db = workerDatabase(site.url)
  assert.deepEqual(await waitingJobsIn(db), [])
  const add = (startAfter?: Date) =>
    inTransaction(site.admin, (tx) => enqueue(tx, 'cache.purge', { tags: [] }, startAfter ? { startAfter } : {}))
  const [due, tried, atWork, done] = [await add(), await add(), await add(), await add()]
  await add(new Date('2100-01-01'))
  const set = (id: string | null, what: string) => site.admin.query(`update jobs.job set ${what} where id = $1`, [id])
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
})
