import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { startWorker } from '../../server/main/worker.ts'
import { goodPassword, makeAccount, openDesk } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { testConfig } from '../../testkit/database.ts'
import { retryNow } from '../../testkit/jobs.ts'
import { captureLog } from '../../testkit/log.ts'
import { until } from '../../testkit/waiting.ts'

/** Recipients of emails appear in no log and in no output of a failed job. */

const configured = (url: string, env: Record<string, string>) =>
  testConfig({
    DATABASE_URL: url,
    BASE_URL: 'https://site.test',
    AUTH_SECRET: 'a-secret-of-tests-that-everybody-knows',
    SECRETS_KEY: 'a-secret-of-tests-that-everybody-knows',
    ...env,
  })

/** A mail server that refuses every recipient and repeats the address in its answer, as many do. */
async function startRefusing(): Promise<{ url: string; answer(code: number): void }> {
  let responseCode = 451
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 200,
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`5.1.1 <${address}>: ${address.split('@')[0]} is not here`), { responseCode })),
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    answer: (code) => {
      responseCode = code
    },
  }
}

test('a letter that is refused, for now or for good, leaves its address in no log and in no job’s output', async () => {
  const { url, admin, app } = await testSite()
  const post = await startRefusing()
  const { log, lines } = captureLog()
  const worker = await startWorker(configured(url, { SMTP_URL: post.url }), log)
  const { email } = await makeAccount(admin)
  const [name = ''] = email.split('@')
  const countLines = (outcome: string) => lines.filter((line) => line.includes(outcome)).length

  // One email requested by address, and one sent to an account.
  await openDesk(app).post('/forgot-password', { email })
  assert.equal((await openDesk(app).post('/sign-in', { email, password: goodPassword })).statusCode, 200)
  await until(() => countLines('job_failed') >= 2)
  post.answer(550)
  for (const job of ['account.letter', 'mail']) await retryNow(admin, job)
  await until(() => countLines('job_given_up') >= 2)
  await worker.stop()

  assert.ok(lines.some((line) => /the mail server said 451 5\.1\.1 to RCPT TO/.test(line)))
  assert.ok(lines.some((line) => /refused for good: the mail server said 550 5\.1\.1 to RCPT TO/.test(line)))
  assert.deepEqual(
    lines.filter((line) => line.includes(name)),
    [],
  )
  const { rows } = await admin.query("select name, output::text as output from jobs.job where output::text <> ''")
  assert.ok(rows.length >= 2)
  assert.deepEqual(
    rows.filter(({ output }) => output.includes(name)),
    [],
  )
})

test('a letter that goes to the log for want of a mail server is there with its link, without its address', async () => {
  const { url, admin, app } = await testSite()
  const { log, lines } = captureLog()
  const worker = await startWorker(configured(url, {}), log)
  const { email } = await makeAccount(admin)
  await openDesk(app).post('/forgot-password', { email })
  await until(() => lines.some((line) => line.includes('email_failed')))
  await worker.stop()
  assert.ok(lines.some((line) => /https:\/\/site\.test\/desk\/reset-password#[\w-]{43}/.test(line)))
  assert.ok(!lines.some((line) => line.includes(email.split('@')[0]!)))
})
