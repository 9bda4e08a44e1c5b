import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { settings } from '../../server/config/config.ts'
import { signUpEmailsRefused } from '../../server/features/metrics.ts'
import { goodPassword, makeAccount, openDesk } from '../../testkit/accounts.ts'
import { testApp } from '../../testkit/app.ts'
import { standfirst } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { type Desk, deskOf, makeModerator } from '../../testkit/desk.ts'
import { type MadeWriter, makeWriter } from '../../testkit/factories.ts'
import { withoutId } from '../../testkit/http.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { captureLog } from '../../testkit/log.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { until } from '../../testkit/waiting.ts'

/** Who can sign up, and how many emails an unknown client can make the site send. */

const { url, admin } = await testDatabase()
const [open, invited, closed] = await Promise.all(
  ['open', 'invited', 'closed'].map((SIGN_UP) => testApp(url, { SIGN_UP })),
)
const app = await testApp(url)
const mailbox = await startMailbox()
const { log, lines } = captureLog()
const limits = { SIGN_UP_EMAILS_PER_HOUR: '20', SIGN_UP_EMAILS_PER_DAY: '30' }
await testWorker(url, { SMTP_URL: mailbox.url, ...limits }, log)

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
  const { links } = await mailbox.waitForEmail(email, /Confirm your email/)
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
  assert.match(sent.out, /emailing an invitation to other@site.test/)
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

/** What a new account can publish. */

async function signedUp(age: string): Promise<{ desk: Desk; writer: MadeWriter }> {
  const writer = await makeWriter(admin)
  await admin.query('update app.accounts set signed_up_at = now() - $2::interval where id = $1', [
    writer.accountId,
    age,
  ])
  return { desk: deskOf(app, writer), writer }
}

const publishMany = async (desk: Desk, count: number) => {
  const drafts = await Promise.all(
    Array.from({ length: count }, (_, at) => desk.begin({ headline: `Offer ${at}`, body_md: 'Click here.' })),
  )
  const answers: Awaited<ReturnType<Desk['act']>>[] = []
  // An account may have two renderings at once.
  for (let at = 0; at < count; at += 2)
    answers.push(...(await Promise.all(drafts.slice(at, at + 2).map((id) => desk.act('publish', id)))))
  return answers
}

const publicOf = async ({ id }: MadeWriter) =>
  (await admin.query('select from pub.pieces where author_id = $1', [id])).rowCount

test('of sixty publications of a minute-old account three are public, and a sentence says why', async () => {
  const { desk, writer } = await signedUp('1 minute')
  const answers = await publishMany(desk, 60)
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  assert.equal(answers.length - refused.length, 3)
  assert.equal(await publicOf(writer), 3)
  for (const answer of refused)
    assert.deepEqual(
      [answer.statusCode, answer.json().reason, answer.json().detail],
      [
        409,
        'limit_reached',
        'New accounts can publish 3 pieces on their first day, to prevent spam. Your draft is saved; publish it tomorrow.',
      ],
    )
})

test('in the first week it is ten a day, and then as many as anybody', async () => {
  const { desk, writer } = await signedUp('2 days')
  const first = await publishMany(desk, 11)
  assert.equal(first.filter(({ statusCode }) => statusCode === 200).length, 10)
  assert.match(first.find(({ statusCode }) => statusCode !== 200)!.json().detail, /10 pieces a day in their first week/)
  await admin.query("update app.accounts set signed_up_at = now() - interval '8 days' where id = $1", [
    writer.accountId,
  ])
  assert.ok((await publishMany(desk, 5)).every(({ statusCode }) => statusCode === 200))
})

test('what was published before can be taken back, updated and published again', async () => {
  const { desk } = await signedUp('1 minute')
  const ids = await Promise.all([1, 2, 3].map((at) => desk.begin({ headline: `Piece ${at}`, body_md: 'Text.' })))
  for (const id of ids) assert.equal((await desk.act('publish', id)).statusCode, 200)
  assert.equal((await desk.ask('POST', `pieces/${ids[0]}/unpublish`)).statusCode, 200)
  assert.equal((await desk.act('publish', ids[0]!)).statusCode, 200)
})

test('whom the operator added is not counted', async () => {
  const desk = deskOf(app, await makeWriter(admin))
  assert.ok((await publishMany(desk, 12)).every(({ statusCode }) => statusCode === 200))
})

test('the limits are three and ten', () => {
  assert.deepEqual([settings.FIRST_DAY_PIECES.fallback, settings.FIRST_WEEK_PIECES.fallback], ['3', '10'])
})
