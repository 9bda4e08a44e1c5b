import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type pg from 'pg'
import { ConfigError } from '../../server/config/config.ts'
import { enqueue, type JobName, type Jobs, readPayload } from '../../server/features/jobs.ts'
import { startWorker } from '../../server/main/worker.ts'
import type { Logger } from '../../server/platform/observability/log.ts'
import { siteConfig } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { inTransaction, makeWriter } from '../../testkit/factories.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { startPurgeReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'

/** Jobs run by the real worker with PostgreSQL, SMTP and a cache that receives purges. */

const { url, admin } = await testDatabase()
const mailbox = await startMailbox()
const cache = await startPurgeReceiver()

interface Line {
  readonly event: string
  readonly job?: string
  readonly id?: string
  readonly try?: number
  readonly text?: string
}
const lines: Line[] = []
const note = (line: Line) => void lines.push(line)
const log = { info: note, warn: note, error: note } as unknown as Logger

const configured = (env: Record<string, string> = {}) =>
  siteConfig(url, {
    SITE_NAME: 'The Tea Site',
    SMTP_URL: mailbox.url,
    PURGE_URL: cache.url,
    TIMEOUT_FACTOR: '60',
    ...env,
  })

// The hourly schedule, run every minute.
await admin.query(`update jobs.schedule set cron = '* * * * *' where name = 'site.sweep'`)
const worker = await startWorker(configured(), log)
after(() => worker.stop())

/** As the desk adds it. */
async function add<Name extends JobName>(name: Name, payload: Jobs[Name]): Promise<string> {
  const id = await inTransaction(admin, async (tx) => {
    await tx.query('set local role svc_desk')
    return enqueue(tx, name, payload)
  })
  return id!
}

const line = (event: string, id: string) =>
  until(() => lines.find((one) => one.event === event && one.id === id), `${event} of ${id}`)

/** Makes a failed job retry now. */
async function retryNow(id: string, db: pg.Pool = admin): Promise<void> {
  const { rows } = await until(async () => {
    const answer = await db.query<{ name: string }>(
      "update jobs.job set start_after = now() where id = $1 and state <> 'active' returning name",
      [id],
    )
    return answer.rowCount ? answer : false
  }, 'the job waits for its next try')
  await db.query("select pg_notify('pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24), $1)", [rows[0]!.name])
}

const token = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'

/** A recipient. */
async function newRecipient(pool = admin): Promise<{ to: { account: string }; email: string }> {
  const { accountId, slug } = await makeWriter(pool)
  return { to: { account: accountId }, email: `${slug}@site.test` }
}

test('an email arrives in both parts, from the site, with its link', async () => {
  const { to, email } = await newRecipient()
  const id = await add('mail', { to, template: 'verify-email', params: { token, hours: 24 } })
  const message = await mailbox.waitForEmail(email)

  const link = `https://site.test/desk/verify-email#${token}`
  assert.equal(message.subject, 'Confirm your email for The Tea Site')
  assert.equal(message.from, 'The Tea Site <no-reply@site.test>')
  assert.match(message.text, /^Welcome to The Tea Site\./)
  assert.ok(message.text.includes(link))
  assert.match(message.html, /Welcome to The Tea Site\./)
  assert.equal(message.links[0], link)
  assert.equal(message.headers.get('auto-submitted'), 'auto-generated')
  assert.equal(message.headers.get('message-id'), `<${id}@site.test>`)
  const done = await line('job_done', id)
  assert.deepEqual([done.job, done.try], ['mail', 1])
  assert.equal(JSON.stringify(done).includes(email) || JSON.stringify(done).includes(token), false)
})

test('an email to an account goes to its address of today, and to nobody once it is barred', async () => {
  const { accountId, slug } = await makeWriter(admin)
  const at = '2026-05-03T14:05:09Z'
  await add('mail', { to: { account: accountId }, template: 'password-changed', params: { at } })
  const message = await mailbox.waitForEmail(`${slug}@site.test`)
  assert.equal(message.subject, 'Your password for The Tea Site was changed')

  await admin.query('update app.accounts set disabled_at = now() where id = $1', [accountId])
  const before = mailbox.emails().length
  await line(
    'job_done',
    await add('mail', { to: { account: accountId }, template: 'password-changed', params: { at } }),
  )
  await line(
    'job_done',
    await add('mail', { to: { account: randomUUID() }, template: 'password-changed', params: { at } }),
  )
  assert.equal(mailbox.emails().length, before)
})

test('a reader who reported a piece is told what was decided, at the address they left', async () => {
  const piece = randomUUID()
  const email = 'kim@reader.test'
  await line('job_done', await add('mail.reporter', { email, template: 'report-taken-down', params: { piece } }))
  const message = await mailbox.waitForEmail(email)
  assert.equal(message.subject, 'The piece you reported was taken down')
  assert.equal(message.links[0], `https://site.test/p/${piece}`)
})

test('a server that takes no letters now gets them later, each once', async () => {
  mailbox.refuse(451)
  const all = await Promise.all(Array.from({ length: 5 }, () => newRecipient()))
  const ids: string[] = []
  for (const { to } of all) ids.push(await add('mail', { to, template: 'already-have-account', params: {} }))
  for (const id of ids) await line('job_failed', id)
  mailbox.refuse(undefined)
  for (const id of ids) await retryNow(id)
  for (const { email } of all) await mailbox.waitForEmail(email)
  for (const id of ids) await line('job_done', id)
  for (const { email } of all) assert.equal(mailbox.emails().filter((message) => message.to.includes(email)).length, 1)
})

test('a server that is down loses no letter', async () => {
  const other = await startMailbox()
  const elsewhere = await testDatabase()
  const second = await startWorker(configured({ DATABASE_URL: elsewhere.url, SMTP_URL: other.url }), log)
  await other.close()
  const { to, email } = await newRecipient(elsewhere.admin)
  const id = await inTransaction(elsewhere.admin, (tx) =>
    enqueue(tx, 'mail', { to, template: 'reset-password', params: { token, hours: 1 } }),
  )
  await line('job_failed', id!)
  const again = await startMailbox(other.port)
  await retryNow(id!, elsewhere.admin)
  const message = await again.waitForEmail(email, /Reset your password/)
  assert.equal(message.headers.get('message-id'), `<${id}@site.test>`)
  await second.stop()
})

test('a letter refused for good is set aside at once, with what it was', async () => {
  mailbox.refuse(550)
  const { to } = await newRecipient()
  const order = { to, template: 'new-sign-in', params: { at: '2026-05-03T14:05:00Z' } } as const
  const id = await add('mail', order)
  await line('job_given_up', id)
  mailbox.refuse(undefined)
  const row = await until(
    async () =>
      (await admin.query(`select data, source_name from jobs.job where name = 'dead' and source_id = $1`, [id]))
        .rows[0],
    'the job is set aside',
  )
  assert.equal(row.source_name, 'mail')
  assert.deepEqual(readPayload('mail', row.data), order)
})

test('what no letter of ours is, is never sent', async () => {
  const before = mailbox.emails().length
  const { to } = await newRecipient()
  /** Recipients that would inject a line or a second address. */
  const spelt = async (email: string) => {
    const one = await newRecipient()
    await admin.query('update app.accounts set email = $2 where id = $1', [one.to.account, email])
    return one.to
  }
  const hostile: unknown[] = [
    null,
    {},
    [],
    'mail',
    { to, template: 'verify-email', params: { token: 'Dear friend, go to https://evil.example', hours: 1 } },
    { to, template: 'verify-email', params: { token, hours: 1 }, html: '<b>Hello</b>', subject: 'Hello' },
    { to, template: 'spam', params: {} },
    { to, template: 'constructor', params: {} },
    { to: await spelt('a@b.test\r\nbcc: all@evil.example'), template: 'already-have-account', params: {} },
    { to: await spelt('a@b.test, c@d.test'), template: 'already-have-account', params: {} },
    { to: await spelt('ada <a@b.test>'), template: 'already-have-account', params: {} },
    { to: { address: 'a@b.test' }, template: 'already-have-account', params: {} },
    { to: { account: "x' or true" }, template: 'already-have-account', params: {} },
  ]
  const honest = 5
  for (const [at, payload] of hostile.entries()) {
    const id = await add('mail', payload as Jobs['mail'])
    await line(at === honest ? 'job_done' : 'job_given_up', id)
  }
  const sent = mailbox.emails().slice(before)
  assert.equal(sent.length, 1)
  assert.doesNotMatch(sent[0]!.raw, /Hello/)
})

test('the cache is sent the tags, and again if it does not take them', async () => {
  const tags = ['pieces', `piece-${randomUUID()}`]
  await add('cache.purge', { tags })
  const first = await until(() => cache.received.find((one) => one.tags.includes(tags[1]!)), 'the purge arrives')
  assert.deepEqual([first.method, first.tags], ['PURGE', tags])

  cache.answer(500)
  const other = `author-${randomUUID()}`
  const id = await add('cache.purge', { tags: [other] })
  await line('job_failed', id)
  cache.answer(200)
  await retryNow(id)
  const done = await line('job_done', id)
  assert.ok(done.try! >= 2)
  assert.equal(cache.received.filter((one) => one.tags.includes(other)).length, done.try)
})

test('two hundred jobs of one transaction are all done', async () => {
  const ids = await inTransaction(admin, async (tx) => {
    const added: (string | null)[] = []
    for (let at = 0; at < 200; at += 1) added.push(await enqueue(tx, 'cache.purge', { tags: [`many-${at}`] }))
    return added
  })
  for (const id of ids) await line('job_done', id!)
})

test('what happens by the clock happens', async () => {
  const swept = await until(
    () => lines.find(({ event, job }) => event === 'job_done' && job === 'site.sweep'),
    'a sweep',
  )
  assert.equal(swept.try, 1)
})

test('a worker whose connections are cut goes on when the database is back', async () => {
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name in ('standfirst jobs', 'standfirst worker')`,
  )
  const id = await add('cache.purge', { tags: ['after-the-cut'] })
  await line('job_done', id)
})

test('in development letters without a server go to the log, where the link can be clicked', async () => {
  const elsewhere = await testDatabase()
  const config = configured({ DATABASE_URL: elsewhere.url, SMTP_URL: '' })
  const second = await startWorker(config, log)
  const { to } = await newRecipient(elsewhere.admin)
  await inTransaction(elsewhere.admin, (tx) =>
    enqueue(tx, 'mail', { to, template: 'verify-email', params: { token, hours: 24 } }),
  )
  const { text } = await until(() => lines.find(({ event }) => event === 'email_failed'), 'the log has the email')
  assert.ok(text?.includes(`https://site.test/desk/verify-email#${token}`))
  await second.stop()
})

test('in production no process runs jobs without a mail server', async () => {
  const config = configured({
    SMTP_URL: '',
    NODE_ENV: 'production',
    AUTH_SECRET: 'a-secret-of-tests-that-everybody-knows',
    SECRETS_KEY: 'a-secret-of-tests-that-everybody-knows',
  })
  await assert.rejects(
    startWorker(config, log),
    (error) => error instanceof ConfigError && /SMTP_URL/.test(error.message),
  )
})

test('a sender is a name and an address, and nothing that could be two headers', async () => {
  assert.deepEqual(configured({ MAIL_FROM: 'Tea & Co <post@tea.test>' }).MAIL_FROM, {
    name: 'Tea & Co',
    address: 'post@tea.test',
  })
  assert.deepEqual(configured({ MAIL_FROM: 'post@tea.test' }).MAIL_FROM, { name: '', address: 'post@tea.test' })
  for (const wrong of ['Tea', '<post@tea.test', 'a@b@c', 'Tea <post@tea.test>\r\nBcc: all@evil.test', 'a b@c.test']) {
    assert.throws(() => configured({ MAIL_FROM: wrong }), /MAIL_FROM/, wrong)
  }
})

test('nothing went wrong with the queue itself', () => {
  const troubles = lines.filter(({ event }) => event === 'queue_trouble').map((one) => JSON.stringify(one))
  assert.deepEqual(
    troubles.filter((text) => !/terminat|connection|timeout exceeded when trying to connect/i.test(text)),
    [],
  )
})
