import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { signUpEmailsRefused } from '../../server/features/metrics.ts'
import { startWorker } from '../../server/main/worker.ts'
import { goodPassword, makeAccount, openDesk } from '../../testkit/accounts.ts'
import { testApp } from '../../testkit/app.ts'
import { standfirst } from '../../testkit/cli.ts'
import { testConfig, testDatabase } from '../../testkit/database.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { withoutId } from '../../testkit/http.ts'
import { captureLog } from '../../testkit/log.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { until } from '../../testkit/waiting.ts'

/** Who can sign up, and how many emails an unknown client can make the site send. */

const { url, admin } = await testDatabase()
const [open, invited, closed] = await Promise.all(
  ['open', 'invited', 'closed'].map((SIGN_UP) => testApp(url, { SIGN_UP })),
)
const mailbox = await startMailbox()
const secrets = { AUTH_SECRET: 's'.repeat(40), SECRETS_KEY: 's'.repeat(40) }
const settings = { DATABASE_URL: url, BASE_URL: 'https://site.test', ...secrets, SMTP_URL: mailbox.url }
const { log, lines } = captureLog()
const limits = { SIGN_UP_EMAILS_PER_HOUR: '20', SIGN_UP_EMAILS_PER_DAY: '30' }
const worker = await startWorker(testConfig({ ...settings, ...limits }), log)
after(() => worker.stop())

const moderators = deskOf(invited!, await makeModerator(admin))
const known = (await makeAccount(admin)).email

const signUp = (app: FastifyInstance, email: string, invitation?: string) =>
  openDesk(app).post('/sign-up', { email, ...(invitation ? { invitation } : {}) })
const tokenIn = (address: string) => new URL(address).hash.slice(1)
const invitation = async (given: object = {}) => {
  const answer = await moderators.ask('POST', 'review/invitations', given)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().invitation as { id: string; url: string | null }
}
const verified = async (email: string) => {
  const { links } = await mailbox.waitForEmail(email, /Confirm your address/)
  return openDesk(invited!).post('/verify-email', {
    token: tokenIn(links.find((link) => link.includes('#'))!),
    name: 'A Newcomer',
    password: goodPassword,
  })
}

test('where sign-up is closed or by invitation, the answer is the same for every address', async () => {
  for (const app of [closed!, invited!]) {
    const answers = await Promise.all([known, 'stranger@site.test'].map((email) => signUp(app, email)))
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([403]))
    assert.equal(withoutId(answers[0]!.body), withoutId(answers[1]!.body))
  }
  assert.match((await signUp(closed!, known)).json().detail, /Sign-up is closed on this site/)
  assert.match((await signUp(invited!, known)).json().detail, /You need an invitation/)
  const token = tokenIn((await invitation()).url!)
  const answers = await Promise.all([known, 'stranger@site.test'].map((email) => signUp(invited!, email, token)))
  assert.deepEqual(answers.map(({ statusCode, body }) => [statusCode, body])[0], [202, answers[1]!.body])
  assert.equal((await signUp(closed!, 'stranger@site.test', token)).statusCode, 403)
  assert.equal((await admin.query('select from app.accounts where email = $1', ['nobody@site.test'])).rowCount, 0)
})

test('an invitation makes one account, and then does not work', async () => {
  const { id, url: link } = await invitation()
  const token = tokenIn(link!)
  for (const email of ['first@site.test', 'second@site.test'])
    assert.equal((await signUp(invited!, email, token)).statusCode, 202)
  assert.equal((await verified('first@site.test')).statusCode, 200)
  const late = await verified('second@site.test')
  assert.deepEqual([late.statusCode, late.json().reason], [410, 'expired'])
  assert.equal((await signUp(invited!, 'third@site.test', token)).statusCode, 410)
  const { invitations } = (await moderators.ask('GET', 'review/invitations')).json()
  const mine = invitations.find((one: { id: string }) => one.id === id)
  assert.equal(mine.used_by, 'A Newcomer')
})

test('an invitation asks for five emails, ends after two weeks, and can be taken back', async () => {
  const many = tokenIn((await invitation()).url!)
  const answers: number[] = []
  for (let at = 0; at < 6; at++) answers.push((await signUp(invited!, known, many)).statusCode)
  assert.deepEqual(answers, [202, 202, 202, 202, 202, 410])
  const [old, gone] = [await invitation(), await invitation()]
  await admin.query('update app.invitations set expires_at = now() where id = $1', [old.id])
  assert.equal((await signUp(invited!, known, tokenIn(old.url!))).statusCode, 410)
  assert.equal((await moderators.ask('DELETE', `review/invitations/${gone.id}`)).statusCode, 200)
  assert.equal((await signUp(invited!, known, tokenIn(gone.url!))).statusCode, 410)
  assert.equal((await moderators.ask('DELETE', `review/invitations/${gone.id}`)).statusCode, 404)
})

test('an invitation goes by email, its link shown to nobody else, and from the command line', async () => {
  assert.equal((await invitation({ email: 'Guest@site.test' })).url, null)
  const { links } = await mailbox.waitForEmail('guest@site.test', /invited/)
  const token = tokenIn(links.find((link) => link.includes('/desk/sign-up#'))!)
  assert.equal((await signUp(invited!, 'guest@site.test', token)).statusCode, 202)
  assert.equal((await verified('guest@site.test')).statusCode, 200)
  const { out } = await standfirst({ DATABASE_URL: url }, 'invite')
  const printed = /http:\S+#\S+/.exec(out)![0]
  assert.equal((await signUp(invited!, 'operators@site.test', tokenIn(printed))).statusCode, 202)
  const sent = await standfirst({ DATABASE_URL: url }, 'invite', '--email', 'other@site.test')
  assert.match(sent.out, /on its way to other@site.test/)
  await mailbox.waitForEmail('other@site.test', /invited/)
})

test('only moderators with a recent sign-in invite', async () => {
  assert.equal((await deskOf(invited!, await makeWriter(admin)).ask('POST', 'review/invitations', {})).statusCode, 403)
  const old = await makeModerator(admin)
  await admin.query("update app.sessions set authenticated_at = now() - interval '13 hours' where id = $1", [
    old.sessionId,
  ])
  const answer = await deskOf(invited!, old).ask('POST', 'review/invitations', {})
  assert.deepEqual([answer.statusCode, answer.json().reason], [403, 'fresh_sign_in_required'])
})

test('strangers make the site send no more emails than its limit, whoever asks, and the log and a metric say so', async () => {
  const before = mailbox.emails().length
  const asked = Array.from({ length: 40 }, (_, at) => (at % 4 ? `stranger-${at}@site.test` : known))
  const answers = await Promise.all(asked.map((email) => signUp(open!, email)))
  assert.deepEqual(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size, 1)
  const done = async () =>
    (
      await admin.query(
        "select from jobs.job where name = 'account.letter' and state in ('created', 'retry', 'active')",
      )
    ).rowCount === 0
  await until(done, 'every job is done')
  const { rows } = await admin.query('select sum(sent) as sent, max(sent) as most from app.sign_up_emails')
  assert.ok(Number(rows[0].most) <= 20 && Number(rows[0].sent) <= 30, JSON.stringify(rows))
  assert.ok(mailbox.emails().length - before <= 20)
  assert.ok(lines.some((line) => line.includes('"sign_up_email_limit"')))
  assert.ok((await signUpEmailsRefused.get()).values[0]!.value > 0)
})
