import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { hashOf, secretToken } from '../../server/platform/crypto.ts'
import { anyEmail, cheapScrypt, goodPassword, makeAccount, openDesk, signIn } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { attempt } from '../../testkit/attacks.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { retryNow, testWorker } from '../../testkit/jobs.ts'
import { captureLog } from '../../testkit/log.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { until, waitForLockWait } from '../../testkit/waiting.ts'

/** Changing the e-mail address needs a fresh session and a confirmation from the new address; the old one is notified. */

cheapScrypt()
const { url, admin, app } = await testSite()
const mailbox = await startMailbox()
await testWorker(url, { SMTP_URL: mailbox.url })

const signedIn = (email: string) => signIn(app, email)
async function linkTo(email: string): Promise<string> {
  const { links } = await mailbox.waitForEmail(email, /Confirm your new email/)
  const [, token] = /\/desk\/confirm-email#(.+)$/.exec(links[0]!) ?? []
  return token!
}
const emailOf = async (id: string) =>
  (await admin.query('select email from app.accounts where id = $1', [id])).rows[0]?.email

test('a new address becomes the account’s by its letter; the old one is told, and other sessions end', async () => {
  const { id, email } = await makeAccount(admin)
  const [desk, elsewhere] = [await signedIn(email), await signedIn(email)]
  const wanted = anyEmail()
  const asked = await desk.post('/account/email', { email: ` ${wanted.toUpperCase()} ` })
  assert.equal(asked.statusCode, 202, asked.body)
  const token = await linkTo(wanted)
  assert.equal(await emailOf(id), email, 'not before the link is followed')

  assert.equal((await desk.post('/account/email/confirm', { token })).statusCode, 200)
  assert.equal(await emailOf(id), wanted)
  assert.equal((await desk.get('/account')).json().account.email, wanted)
  assert.equal((await elsewhere.get('/account')).statusCode, 401)
  await mailbox.waitForEmail(email, /email at .* was changed/)
  assert.equal((await desk.post('/account/email/confirm', { token })).statusCode, 410, 'a link works once')
  await signedIn(wanted)
  assert.equal((await openDesk(app).post('/sign-in', { email, password: goodPassword })).statusCode, 401)
})

test('the link works in another browser too, and then every session ends', async () => {
  const { id, email } = await makeAccount(admin)
  const desk = await signedIn(email)
  const wanted = anyEmail()
  await desk.post('/account/email', { email: wanted })
  const otherAccount = await signedIn((await makeAccount(admin)).email)
  assert.equal((await otherAccount.post('/account/email/confirm', { token: await linkTo(wanted) })).statusCode, 200)
  assert.equal(await emailOf(id), wanted)
  assert.equal((await desk.get('/account')).statusCode, 401)
  assert.equal((await otherAccount.get('/account')).statusCode, 200)
})

test('an address that is somebody’s is answered like any other, gets no letter, and stays theirs', async () => {
  const { id, email } = await makeAccount(admin)
  const other = await makeAccount(admin)
  const desk = await signedIn(email)
  const seen = async (wanted: string) => {
    const { statusCode, headers, body } = await desk.post('/account/email', { email: wanted })
    const { date: _, 'x-request-id': _id, ...rest } = headers
    return { statusCode, headers: rest, body }
  }
  assert.deepEqual(await seen(other.email), await seen(anyEmail()))
  await desk.post('/account/email', { email: other.email })
  // An email to another address, requested later, proves that the worker has handled the earlier one.
  const marker = await signedIn((await makeAccount(admin)).email)
  const later = anyEmail()
  await marker.post('/account/email', { email: later })
  await linkTo(later)
  assert.ok(!mailbox.emails().some(({ to, subject }) => to.includes(other.email) && /new address/.test(subject)))
  assert.equal(await emailOf(id), email)
})

test('an address that only an unconfirmed sign-up has is nobody’s; one confirmed meanwhile is refused', async () => {
  const free = anyEmail()
  await admin.query('insert into app.accounts (email, signed_up_at) values ($1, now())', [free])
  const first = await makeAccount(admin)
  const desk = await signedIn(first.email)
  await desk.post('/account/email', { email: free })
  assert.equal((await desk.post('/account/email/confirm', { token: await linkTo(free) })).statusCode, 200)
  assert.equal(await emailOf(first.id), free)

  const second = await makeAccount(admin)
  const another = await signedIn(second.email)
  const wanted = anyEmail()
  await another.post('/account/email', { email: wanted })
  const token = await linkTo(wanted)
  await makeAccount(admin, { email: wanted })
  assert.equal((await another.post('/account/email/confirm', { token })).statusCode, 410)
  assert.equal(await emailOf(second.id), second.email)
})

test('a sign-up that is confirmed at the very moment keeps its account and its address', async () => {
  const wanted = anyEmail()
  const { rows } = await admin.query('insert into app.accounts (email, signed_up_at) values ($1, now()) returning id', [
    wanted,
  ])
  const { id, email } = await makeAccount(admin)
  const desk = await signedIn(email)
  await desk.post('/account/email', { email: wanted })
  const token = await linkTo(wanted)
  const confirming = await admin.connect()
  await confirming.query('begin')
  await confirming.query('update app.accounts set email_verified_at = now() where id = $1', [rows[0].id])
  const moving = desk.post('/account/email/confirm', { token })
  await waitForLockWait(admin, 'app.accounts')
  await confirming.query('commit')
  confirming.release()
  assert.equal((await moving).statusCode, 410)
  assert.deepEqual([await emailOf(rows[0].id), await emailOf(id)], [wanted, email])
})

test('another wish replaces the one before, and its link with it', async () => {
  const { id, email } = await makeAccount(admin)
  const desk = await signedIn(email)
  const [one, two] = [anyEmail(), anyEmail()]
  await desk.post('/account/email', { email: one })
  const first = await linkTo(one)
  await desk.post('/account/email', { email: two })
  const second = await linkTo(two)
  assert.equal((await desk.post('/account/email/confirm', { token: first })).statusCode, 410)
  assert.equal((await desk.post('/account/email/confirm', { token: second })).statusCode, 200)
  assert.equal(await emailOf(id), two)
})

test('it takes a fresh session, an address, and no more than ten letters an hour', async () => {
  const { id, email } = await makeAccount(admin)
  const desk = await signedIn(email)
  assert.equal((await desk.post('/account/email', { email: 'not an address' })).statusCode, 400)
  assert.equal((await openDesk(app).post('/account/email', { email: anyEmail() })).statusCode, 401)
  for (let letter = 1; letter <= 10; letter += 1) {
    assert.equal((await desk.post('/account/email', { email: anyEmail() })).statusCode, 202)
  }
  const more = await desk.post('/account/email', { email: anyEmail() })
  assert.deepEqual([more.statusCode, more.json().reason], [409, 'limit_reached'])
  await admin.query("update app.sessions set authenticated_at = now() - interval '11 minutes' where account_id = $1", [
    id,
  ])
  const stale = await desk.post('/account/email', { email: anyEmail() })
  assert.deepEqual([stale.statusCode, stale.json().reason], [403, 'fresh_sign_in_required'])
  for (const token of ['x', secretToken().token]) {
    assert.equal((await desk.post('/account/email/confirm', { token })).statusCode, 410)
  }
})

test('a link lasts a day', async () => {
  const { id, email } = await makeAccount(admin)
  const desk = await signedIn(email)
  const wanted = anyEmail()
  await desk.post('/account/email', { email: wanted })
  const token = await linkTo(wanted)
  const { rows } = await admin.query(
    "update app.email_changes set expires_at = expires_at - interval '24 hours' where account_id = $1 returning asked_at < expires_at + interval '1 minute' as day",
    [id],
  )
  assert.deepEqual(rows, [{ day: true }])
  assert.equal((await desk.post('/account/email/confirm', { token })).statusCode, 410)
})

test('with SQL as the desk speaks it, nobody’s address can be chosen by a job, read or written', async () => {
  const victim = await makeWriter(admin)
  const mine = await makeWriter(admin)
  const as = (role: string, sql: string) =>
    attempt(url, role, sql, { 'app.session_hash': hashOf(mine.sessionToken).toString('hex') })
  for (const role of ['svc_desk', 'svc_api', 'svc_public']) {
    for (const sql of [
      'select from app.email_changes',
      `insert into app.email_changes (account_id, email, former_email)
       values ('${victim.accountId}', 'me@evil.test', 'me@evil.test')`,
      "update app.email_changes set email = 'me@evil.test'",
      `select app.email_change_token('${victim.accountId}', sha256('x'))`,
      `select app.recovery_token('${victim.accountId}', sha256('x'))`,
      "select app.is_email_taken('a@b', null)",
    ]) {
      assert.equal(await as(role, sql), '42501', sql)
    }
  }
  assert.equal(await as('svc_desk', "select app.want_email(sha256('x'), 'me@evil.test')"), 'SF401')
  assert.equal(await as('svc_desk', "select app.confirm_email(sha256('x'), null)"), 'SF410')
  assert.equal(await as('svc_desk', 'select app.confirm_email(null, null)'), 'SF410')
  // The worker knows which account asked for an address but cannot set one.
  assert.equal(await as('svc_worker', "update app.email_changes set email = 'me@evil.test'"), '42501')
  assert.equal(await as('svc_worker', "select app.confirm_email(sha256('x'), null)"), '42501')
})

/** Recipients of emails appear in no log and in no output of a failed job. */

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
  const worker = await testWorker(url, { SMTP_URL: post.url }, log)
  const { email } = await makeAccount(admin)
  const [name = ''] = email.split('@')
  const countLines = (outcome: string) => lines.filter((line) => line.includes(outcome)).length

  // One email requested by address, and one sent to an account.
  await openDesk(app).post('/forgot-password', { email })
  await signIn(app, email)
  await until(() => countLines('job_failed') >= 2)
  post.answer(550)
  for (const job of ['account.letter', 'mail']) await retryNow(admin, job)
  await until(() => countLines('job_given_up') >= 2)
  await worker.stop()

  assert.ok(lines.some((line) => /the mail server answered 451 5\.1\.1 to RCPT TO/.test(line)))
  assert.ok(lines.some((line) => /permanently rejected: the mail server answered 550 5\.1\.1 to RCPT TO/.test(line)))
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
  const worker = await testWorker(url, {}, log)
  const { email } = await makeAccount(admin)
  await openDesk(app).post('/forgot-password', { email })
  await until(() => lines.some((line) => line.includes('email_failed')))
  await worker.stop()
  assert.ok(lines.some((line) => /https:\/\/site\.test\/desk\/reset-password#[\w-]{43}/.test(line)))
  assert.ok(!lines.some((line) => line.includes(email.split('@')[0]!)))
})
