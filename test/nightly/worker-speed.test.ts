import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { enqueue } from '../../server/features/jobs.ts'
import type { Logger } from '../../server/platform/observability/log.ts'
import { spawnCli } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { inTransaction, makeWriter } from '../../testkit/factories.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { startPurgeReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'

/** How soon the worker runs its jobs. */

const { url, admin } = await testDatabase()
const mailbox = await startMailbox()
const cache = await startPurgeReceiver()
const secret = 'a-secret-of-tests-that-everybody-knows'
const settings = { BASE_URL: 'https://site.test', AUTH_SECRET: secret, SECRETS_KEY: secret, SMTP_URL: mailbox.url }

const done = new Set<string>()
const note = ({ event, id }: { event: string; id?: string }) => {
  if (event === 'job_done' && id) done.add(id)
}
const log = { info: note, warn: note, error: note } as unknown as Logger
await testWorker(url, { SMTP_URL: mailbox.url, PURGE_URL: cache.url }, log)

async function addEmail(db: typeof admin): Promise<{ id: string; email: string }> {
  const { accountId, slug } = await makeWriter(db)
  const order = { to: { account: accountId }, template: 'already-have-account', params: {} } as const
  const id = await inTransaction(db, (tx) => enqueue(tx, 'mail', order))
  return { id: id!, email: `${slug}@site.test` }
}

test('an email arrives within a second', async () => {
  const started = Date.now()
  const { email } = await addEmail(admin)
  await mailbox.waitForEmail(email)
  assert.ok(Date.now() - started < 1000, `${Date.now() - started} ms`)
})

test('a purge arrives at the cache within a second', async () => {
  const tags = ['pieces', `piece-${randomUUID()}`]
  const started = Date.now()
  await inTransaction(admin, (tx) => enqueue(tx, 'cache.purge', { tags }))
  const first = await until(() => cache.received.find((one) => one.tags.includes(tags[1]!)), 'the purge arrives')
  assert.ok(first.at - started < 1000, `${first.at - started} ms`)
})

test('two hundred jobs of one transaction do not wait for each other', async () => {
  const started = Date.now()
  const ids = await inTransaction(admin, async (tx) => {
    const added: (string | null)[] = []
    for (let at = 0; at < 200; at += 1) added.push(await enqueue(tx, 'cache.purge', { tags: [`many-${at}`] }))
    return added
  })
  await until(() => ids.every((id) => done.has(id!)), 'all are done')
  assert.ok(Date.now() - started < 10_000, `${Date.now() - started} ms`)
})

test('a job of a killed worker is taken over by another within half a minute', async () => {
  const own = await testDatabase()
  const env = { ...settings, DATABASE_URL: own.url, PORT: '0' }
  const first = spawnCli(env, 'worker')
  mailbox.refuse('silence')
  const { id, email } = await addEmail(own.admin)
  await until(
    async () => (await own.admin.query(`select from jobs.job where id = $1 and state = 'active'`, [id])).rowCount,
    'the job is under way',
  )
  first.kill('SIGKILL')
  await once(first, 'exit')
  const killed = Date.now()
  mailbox.refuse(undefined)

  spawnCli(env, 'worker')
  await mailbox.waitForEmail(email, undefined, 40_000)
  console.log(`retaken after ${Date.now() - killed} ms`)
  assert.ok(Date.now() - killed < 30_000, `${Date.now() - killed} ms`)
})
