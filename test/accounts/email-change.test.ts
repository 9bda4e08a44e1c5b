import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorker } from '../../server/main/worker.ts'
import { hashOf, secretToken } from '../../server/platform/crypto.ts'
import { anyEmail, cheapScrypt, type DeskBrowser, goodPassword, makeAccount, openDesk } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { attempt } from '../../testkit/attacks.ts'
import { testConfig } from '../../testkit/database.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { silentLog } from '../../testkit/log.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { waitForLockWait } from '../../testkit/waiting.ts'

/** Changing the e-mail address needs a fresh session and a confirmation from the new address; the old one is notified. */

cheapScrypt()
const { url, admin, app } = await testSite()
const mailbox = await startMailbox()
const BASE_URL = 'https://site.test'
const config = testConfig({
  DATABASE_URL: url,
  BASE_URL,
  SMTP_URL: mailbox.url,
  AUTH_SECRET: 's'.repeat(40),
  SECRETS_KEY: 's'.repeat(40),
})
const worker = await startWorker(config, silentLog())
after(() => worker.stop())

async function signedIn(email: string): Promise<DeskBrowser> {
  const desk = openDesk(app)
  assert.equal((await desk.post('/sign-in', { email, password: goodPassword })).statusCode, 200)
  return desk
}
async function linkTo(email: string): Promise<string> {
  const { links } = await mailbox.waitForEmail(email, /Confirm your new address/)
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
  await mailbox.waitForEmail(email, /address at .* was changed/)
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
