import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { enqueue, jobs } from '../../server/features/jobs.ts'
import { startCli } from '../../testkit/cli.ts'
import { scratchDatabase, testDatabase } from '../../testkit/database.ts'
import { inTransaction } from '../../testkit/factories.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

/** Workers as processes: killed, stopped, and started in environments where they cannot work. */

const { url, admin } = await testDatabase()
const mailbox = await startMailbox()

const start = (args: string[], env: Record<string, string> = {}) =>
  startCli(
    {
      DATABASE_URL: url,
      SMTP_URL: mailbox.url,
      BASE_URL: 'https://site.test',
      AUTH_SECRET: 'a-secret-of-tests-that-everybody-knows',
      SECRETS_KEY: 'a-secret-of-tests-that-everybody-knows',
      PORT: '0',
      SHUTDOWN_DELAY: '0',
      ...env,
    },
    ...args,
  )

async function addEmails(all: readonly string[]): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.accounts (email) select unnest($1::text[])
     on conflict (email) do update set email = excluded.email returning id`,
    [all],
  )
  return inTransaction(admin, async (tx) => {
    const ids: string[] = []
    for (const { id: account } of rows)
      ids.push((await enqueue(tx, 'mail', { to: { account }, template: 'already-have-account', params: {} }))!)
    return ids
  })
}
const addEmail = async (to: string): Promise<string> => (await addEmails([to]))[0]!

const underWay = (id: string) =>
  until(
    async () => (await admin.query(`select from jobs.job where id = $1 and state = 'active'`, [id])).rowCount,
    'the job is under way',
  )

test('a job of a worker that is killed is taken by another once its heartbeat is too old', async () => {
  const first = start(['worker'])
  await first.says('working')
  mailbox.refuse('silence')
  const to = 'killed@writers.test'
  const id = await addEmail(to)
  await underWay(id)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  mailbox.refuse(undefined)
  await admin.query("update jobs.job set heartbeat_on = now() - interval '1 minute' where id = $1", [id])

  const second = start(['worker'])
  const message = await mailbox.waitForEmail(to)
  assert.equal(message.headers.get('message-id'), `<${id}@site.test>`)
  assert.equal(mailbox.emails().filter((one) => one.to.includes(to)).length, 1)
  second.child.kill('SIGTERM')
  const [code] = await once(second.child, 'exit')
  assert.equal(code, 0)
})

/** Whether a queue of this database has a LISTEN connection. */
const isListening = async () => {
  const { rowCount } = await admin.query(
    `select from pg_stat_activity
      where datname = current_database() and application_name = 'standfirst jobs' and query ~* 'listen'`,
  )
  return Boolean(rowCount)
}

for (const args of [['worker'], ['serve', '--worker']]) {
  test(`${args.join(' ')}, told to stop, finishes what is under way and ends well`, async () => {
    const { child, lines, says } = start(args)
    await says(args[0] === 'serve' ? 'listening' : 'working')
    mailbox.refuse('silence')
    // As many as it sends at once, so that it cannot take another.
    const all = Array.from({ length: jobs.rules.mail.atOnce }, (_, at) => `${args.length}-${at}@writers.test`)
    const ids = await addEmails(all)
    for (const id of ids) await underWay(id)
    assert.equal(await isListening(), true)
    child.kill('SIGTERM')
    // The first step of stopping a queue; after it no more jobs are taken.
    await until(async () => !(await isListening()), 'it no longer listens for jobs')
    const late = await addEmail('late@writers.test')
    mailbox.refuse(undefined)
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
    for (const [at, id] of ids.entries()) {
      assert.ok(
        lines.some((line) => line.event === 'job_done' && line.id === id),
        JSON.stringify(lines),
      )
      assert.equal((await mailbox.waitForEmail(all[at]!)).headers.get('message-id'), `<${id}@site.test>`)
    }
    assert.equal(lines.at(-1)?.event, 'stopped')
    assert.equal(lines.filter(({ id: other }) => other === late).length, 0, 'it took another job')
    const { rows } = await admin.query('select state from jobs.job where id = $1', [late])
    assert.deepEqual(rows, [{ state: 'created' }])
    await admin.query('delete from jobs.job')
  })
}

test('serve --worker counts its jobs with its answers, and serve alone runs none', async () => {
  const alone = start(['serve'])
  await alone.says('listening')
  const id = await addEmail('counted@writers.test')
  // A process that runs jobs opens connections of that name before it listens, and finishes its jobs before it ends.
  const workers =
    "select from pg_stat_activity where datname = current_database() and application_name = 'standfirst jobs'"
  assert.equal((await admin.query(workers)).rowCount, 0)
  alone.child.kill('SIGTERM')
  await once(alone.child, 'exit')
  assert.deepEqual(
    alone.lines.filter(({ event }) => /^(working|job_)/.test(event)),
    [],
  )
  assert.equal((await admin.query('select from jobs.job where id = $1 and started_on is null', [id])).rowCount, 1)

  const adminPort = await freePort()
  const both = start(['serve', '--worker'], { ADMIN_PORT: String(adminPort) })
  await both.says('listening')
  await mailbox.waitForEmail('counted@writers.test')
  await both.says('job_done')
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  assert.match(metrics, /standfirst_job_seconds_count\{job="mail",outcome="done"\} 1/)
  both.child.kill('SIGTERM')
})

test('a worker may hold the worker’s credential alone', async () => {
  const own = new URL(url)
  own.username = 'svc_worker'
  const { child, says } = start(['worker'], { DATABASE_URL: '', WORKER_DATABASE_URL: own.href })
  await says('working')
  await addEmail('alone@writers.test')
  await mailbox.waitForEmail('alone@writers.test')
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})

test('where jobs cannot run, the operator is told in a sentence', async () => {
  const { url: empty } = await scratchDatabase()
  const wrong: [string[], Record<string, string>, RegExp][] = [
    [['worker'], { DATABASE_URL: empty }, /standfirst migrate/],
    [['serve', '--worker'], { DATABASE_URL: empty }, /standfirst migrate/],
    [['worker'], { DATABASE_URL: '', PUBLIC_DATABASE_URL: url }, /WORKER_DATABASE_URL or DATABASE_URL/],
    [['worker'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, /Can’t connect to the database/],
    [
      ['serve', '--worker'],
      {
        NODE_ENV: 'production',
        SMTP_URL: '',
        AUTH_SECRET: 'a-secret-of-tests-that-everybody-knows',
        SECRETS_KEY: 'a-secret-of-tests-that-everybody-knows',
      },
      /SMTP_URL is required in production/,
    ],
  ]
  await Promise.all(
    wrong.map(async ([args, env, words]) => {
      const { child, errors } = start(args, env)
      const [code] = await once(child, 'close')
      assert.equal(code, 1, args.join(' '))
      assert.match(errors.join(''), words)
      assert.doesNotMatch(errors.join(''), /\n\s+at /)
    }),
  )
})
