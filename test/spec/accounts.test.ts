import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sweepAccounts } from '../../server/features/accounts/mail.ts'
import { anyEmail, cheapScrypt, goodPassword, makeAccount, openDesk, signIn } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { retryNow, testWorker } from '../../testkit/jobs.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { until } from '../../testkit/waiting.ts'

/** Accounts end to end: forms, emails over real SMTP, and the links in them. */

cheapScrypt()
const mailbox = await startMailbox()
const { url, admin, app } = await testSite()
await testWorker(url, { SMTP_URL: mailbox.url })

const tokenIn = (links: readonly string[]): string => new URL(links[0]!).hash.slice(1)
const newPassword = 'velvet anchor under seven lamps'

async function signUp(email: string): Promise<void> {
  const answer = await openDesk(app).post('/sign-up', { email })
  assert.equal(answer.statusCode, 202, answer.body)
}

/** The token of the newest email, once so many have arrived. */
async function tokenFor(email: string, letters = 1): Promise<string> {
  const links = () => mailbox.emails().filter(({ to }) => to.includes(email))
  await mailbox.waitForEmail(email, () => links().length >= letters)
  return tokenIn(links().at(-1)!.links)
}

const confirm = (token: string, name: string, password = goodPassword, browser = openDesk(app)) =>
  browser.post('/verify-email', { token, name, password })

describe('a newcomer', () => {
  const email = 'ada@site.test'
  const browser = openDesk(app)
  let token = ''

  test('signs up and gets a letter with a link', async () => {
    await signUp(email)
    const message = await mailbox.waitForEmail(email, /Confirm your email/)
    assert.match(message.links[0]!, /^https:\/\/site\.test\/desk\/verify-email#[\w-]{43}$/)
    assert.ok(message.text.includes(message.links[0]!))
    token = tokenIn(message.links)
  })

  test('cannot sign in before the address is confirmed, and is not told why', async () => {
    const early = await openDesk(app).post('/sign-in', { email, password: goodPassword })
    assert.equal(early.statusCode, 401)
    assert.equal(early.json().reason, 'sign_in_failed')
  })

  test('can have the link looked at as often as one likes: it is not used up, and whose it is is not told', async () => {
    for (let look = 0; look < 3; look += 1) {
      const answer = await openDesk(app).post('/link', { token, opens: 'verify' })
      assert.deepEqual([answer.statusCode, answer.json()], [200, { ok: true, ways_in: [] }])
      assert.equal(answer.cookies.length, 0)
    }
    for (const [given, opens] of [
      [token.slice(0, -1), 'verify'],
      [`${token}.`, 'verify'],
      [token, 'reset'],
    ]) {
      const answer = await openDesk(app).post('/link', { token: given, opens })
      assert.deepEqual([answer.statusCode, answer.json().reason], [410, 'expired'], `${given} ${opens}`)
    }
  })

  test('confirms the address once, and is a writer with a slug made of the name', async () => {
    assert.equal((await confirm(token, 'Ada Lovelace', goodPassword, browser)).statusCode, 200)
    assert.deepEqual([...browser.cookies.keys()], ['__Host-device'], 'confirming signs nobody in')
    const { rows } = await admin.query(
      'select w.slug, w.name, w.search_text from app.writers w join app.accounts a on a.id = w.account_id where a.email = $1',
      [email],
    )
    assert.deepEqual(rows, [{ slug: 'ada-lovelace', name: 'Ada Lovelace', search_text: 'ada lovelace' }])
    const again = await confirm(token, 'Ada Lovelace', newPassword, browser)
    assert.deepEqual([again.statusCode, again.json().reason], [410, 'expired'])
    assert.equal((await openDesk(app).post('/link', { token, opens: 'verify' })).statusCode, 410)
  })

  test('signs in, is known, and sees the session; no letter warns of the browser that opened the link', async () => {
    const answer = await browser.post('/sign-in', { email: ' Ada@Site.test ', password: goodPassword })
    assert.equal(answer.statusCode, 200, answer.body)
    await emailsSent()
    assert.equal(mailbox.emails().filter(({ to }) => to.includes(email)).length, 1)
    const { account } = (await browser.get('/account')).json()
    assert.deepEqual(
      [
        account.email,
        account.name,
        account.role,
        account.fresh,
        account.writer.slug,
        account.has_password,
        account.passkeys,
      ],
      [email, 'Ada Lovelace', 'writer', true, 'ada-lovelace', true, 0],
    )
    const { sessions } = (await browser.get('/sessions')).json()
    assert.deepEqual(
      sessions.map((one: Record<string, unknown>) => [one['user_agent'], one['address'], one['is_this_one']]),
      [['A browser', browser.address, true]],
    )
  })

  test('gets a letter about the first sign-in from a browser, and none about the second', async () => {
    const { email: address } = await makeAccount(admin)
    const other = openDesk(app)
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await other.post('/sign-in', { email: address, password: goodPassword })).statusCode, 200)
      await emailsSent()
      assert.equal(mailbox.emails().filter(({ to }) => to.includes(address)).length, 1)
    }
    await mailbox.waitForEmail(address, /New sign-in/)
  })

  test('signs out', async () => {
    assert.equal((await browser.post('/sign-out')).statusCode, 200)
    assert.equal(browser.cookies.has('__Host-desk'), false)
    assert.equal((await browser.get('/account')).statusCode, 401)
  })
})

describe('signing up', () => {
  test('with a known address leaves the account alone, and the letter says so', async () => {
    const { email } = await makeAccount(admin, { name: 'The First' })
    await signUp(email)
    const message = await mailbox.waitForEmail(email, /already have an account/)
    assert.doesNotMatch(message.text, /#/)
    assert.equal((await openDesk(app).post('/sign-in', { email, password: newPassword })).statusCode, 401)
    const { rows } = await admin.query('select name from app.accounts where email = $1', [email])
    assert.deepEqual(rows, [{ name: 'The First' }])
  })

  test('again before confirming gives a second link; whichever is opened first, the other opens nothing', async () => {
    const email = anyEmail()
    await signUp(email)
    const first = await tokenFor(email)
    await signUp(email)
    const second = await tokenFor(email, 2)
    assert.notEqual(first, second)
    assert.equal((await confirm(first, 'First Link')).statusCode, 200)
    assert.equal((await confirm(second, 'Second Link', newPassword)).statusCode, 410)
    assert.equal((await openDesk(app).post('/sign-in', { email, password: newPassword })).statusCode, 401)
    const browser = await signIn(app, email)
    assert.equal((await browser.get('/account')).json().account.name, 'First Link')
  })

  test('with somebody else’s address puts no password and no name there, before they confirm it or after', async () => {
    const email = anyEmail()
    const attacker = { email, name: 'An Attacker', password: newPassword }
    assert.equal((await openDesk(app).post('/sign-up', attacker)).statusCode, 202)
    const token = await tokenFor(email)
    assert.equal((await openDesk(app).post('/sign-in', attacker)).statusCode, 401)
    assert.equal(
      (await openDesk(app).post('/verify-email', { token })).statusCode,
      400,
      'a link alone confirms nothing',
    )
    assert.equal((await confirm(token, 'The Owner')).statusCode, 200)
    assert.equal((await openDesk(app).post('/sign-up', attacker)).statusCode, 202)
    await emailsSent()
    assert.equal((await openDesk(app).post('/sign-in', attacker)).statusCode, 401)
    const owner = await signIn(app, email)
    assert.equal((await owner.get('/account')).json().account.name, 'The Owner')
  })

  test('while somebody else keeps asking with one’s address does not end one’s own link', async () => {
    const email = anyEmail()
    await signUp(email)
    const mine = await tokenFor(email)
    for (let time = 0; time < 3; time += 1) await signUp(email)
    await tokenFor(email, 4)
    assert.equal((await confirm(mine, 'In Time')).statusCode, 200)
  })

  test('under a name that is taken gives another slug, never a reserved one', async () => {
    const slugs: string[] = []
    for (const name of ['Grace Hopper', 'Grace  Hopper', 'Grâce Hopper', 'Desk', '日本']) {
      slugs.push(await slugOf(name))
    }
    assert.deepEqual(slugs, ['grace-hopper', 'grace-hopper-2', 'grace-hopper-3', 'desk-2', 'writer'])
  })

  test('under a name that very many have gives a slug that needs no counting', async () => {
    await admin.query(
      `insert into app.writers (slug, name, search_text)
       select 'jo' || case when n > 1 then '-' || n else '' end, 'Jo', 'jo' from generate_series(1, 300) as n`,
    )
    for (const slug of [await slugOf('Jo'), await slugOf('Jo')]) assert.match(slug, /^jo-[0-9a-f]{5}$/)
  })

  test('takes no name with a tick, without a letter or too long', async () => {
    const email = anyEmail()
    await signUp(email)
    const token = await tokenFor(email)
    for (const name of ['Ada ✓', '✅ Ada', '🔵 Ada', ' \u200B ', '!!!', 'a'.repeat(81)]) {
      const answer = await confirm(token, name)
      assert.equal(answer.statusCode, 400, name)
      assert.equal(answer.json().errors[0].pointer, '/name')
    }
  })

  const weak: Record<string, string> = {
    'hunter2 hunter2': 'guessable',
    'Password123456789!': 'guessable',
    p4$$w0rdp4$$w0rd: 'guessable',
    aaaaaaaaaaaaaaaaaaaa: 'guessable',
    abcabcabcabcabcabc: 'guessable',
    qwertyuiopasdfghjkl: 'guessable',
    'MaryShelley2026!!': 'guessable',
    'mary@site.test12': 'guessable',
    standfirststandfirst: 'guessable',
    'fourteen chars': 'too_short',
    ['x1y2'.repeat(65)]: 'too_long',
  }
  let marysToken: string | undefined
  for (const [password, code] of Object.entries(weak)) {
    test(`refuses the password ${password.slice(0, 24)}, and says what to do`, async () => {
      if (marysToken === undefined) await signUp('mary@site.test')
      marysToken ??= await tokenFor('mary@site.test')
      const answer = await confirm(marysToken, 'Mary Shelley', password)
      assert.equal(answer.statusCode, 400)
      const [problem] = answer.json().errors
      assert.deepEqual([problem.pointer, problem.code], ['/password', code])
    })
  }
})

describe('a forgotten password', () => {
  test('is set anew by the link in the letter, once, and every session ends', async () => {
    const { email } = await makeAccount(admin)
    const [one, two] = [await signIn(app, email), await signIn(app, email)]
    assert.equal((await one.get('/account')).statusCode, 200)

    assert.equal((await openDesk(app).post('/forgot-password', { email })).statusCode, 202)
    const message = await mailbox.waitForEmail(email, /Reset your password/)
    assert.match(message.links[0]!, /^https:\/\/site\.test\/desk\/reset-password#/)
    const token = tokenIn(message.links)
    assert.equal((await one.get('/account')).statusCode, 200, 'asking alone ends nothing')

    const weak = await two.post('/reset-password', { token, password: 'short' })
    assert.equal(weak.statusCode, 400, 'and a refused password does not use up the link')
    assert.equal((await openDesk(app).post('/reset-password', { token, password: newPassword })).statusCode, 200)
    for (const browser of [one, two]) assert.equal((await browser.get('/account')).statusCode, 401)
    assert.equal((await openDesk(app).post('/reset-password', { token, password: newPassword })).statusCode, 410)

    assert.equal((await openDesk(app).post('/sign-in', { email, password: goodPassword })).statusCode, 401)
    await signIn(app, email, { password: newPassword })
    await mailbox.waitForEmail(email, /password .* was changed/)
  })

  test('of an address that never confirmed leads to the confirming letter', async () => {
    const email = anyEmail()
    await signUp(email)
    const first = await tokenFor(email)
    await openDesk(app).post('/forgot-password', { email })
    await mailbox.waitForEmail(email, ({ subject, links }) => /Confirm/.test(subject) && tokenIn(links) !== first)
  })

  test('is an email of its own at each try: with another link it has another Message-ID', async () => {
    const { email } = await makeAccount(admin)
    const ofJob = "where name = 'account.letter' and data->>'email' = $1"
    const jobIs = (state: string) =>
      until(
        async () => (await admin.query(`select from jobs.job ${ofJob} and state = $2`, [email, state])).rowCount,
        `the job's state is ${state}`,
      )
    mailbox.refuse(451)
    await openDesk(app).post('/forgot-password', { email })
    await jobIs('retry')
    mailbox.refuse(undefined)
    await retryNow(admin, 'account.letter')
    const first = await mailbox.waitForEmail(email, /Reset your password/)
    await jobIs('completed')
    // As if its worker had died after sending the email, before recording it.
    await admin.query(`update jobs.job set state = 'retry', completed_on = null ${ofJob}`, [email])
    await retryNow(admin, 'account.letter')
    const second = await mailbox.waitForEmail(email, ({ links }) => tokenIn(links) !== tokenIn(first.links))
    const [one, other] = [first, second].map(({ headers }) => headers.get('message-id'))
    for (const id of [one, other]) assert.match(id ?? '', /^<[0-9a-f]{64}@site\.test>$/)
    assert.notEqual(one, other)
    assert.equal(
      (await openDesk(app).post('/reset-password', { token: tokenIn(second.links), password: newPassword })).statusCode,
      200,
    )
  })

  test('of an unknown address is no email', async () => {
    const email = anyEmail()
    assert.equal((await openDesk(app).post('/forgot-password', { email })).statusCode, 202)
    const { rows } = await admin.query("select id from jobs.job where data->>'email' = $1", [email])
    assert.equal(rows.length, 1, 'the worker is asked to look')
    await emailsSent()
    assert.equal(mailbox.emails().filter(({ to }) => to.includes(email)).length, 0)
  })

  test('a link for one thing does not do another, and none does its own after its time', async () => {
    const { email: known } = await makeAccount(admin)
    await openDesk(app).post('/forgot-password', { email: known })
    const resetting = await tokenFor(known)
    assert.equal((await confirm(resetting, 'Some Body')).statusCode, 410)
    assert.equal(
      (await openDesk(app).post('/first-passkey/options', { token: resetting, name: 'Some Body' })).statusCode,
      410,
    )
    const email = anyEmail()
    await signUp(email)
    const token = await tokenFor(email)
    assert.equal((await openDesk(app).post('/reset-password', { token, password: newPassword })).statusCode, 410)
    await admin.query(
      "update app.mail_tokens set expires_at = now() - interval '1 second' where account_id = (select id from app.accounts where email = $1)",
      [email],
    )
    assert.equal((await confirm(token, 'Some Body')).statusCode, 410)
  })

  test('nobody can flood a letter box: ten letters an hour, whoever asks', async () => {
    const { email, id } = await makeAccount(admin)
    for (let time = 0; time < 14; time += 1) await openDesk(app).post('/forgot-password', { email })
    const sentinel = (await makeAccount(admin)).email
    await openDesk(app).post('/forgot-password', { email: sentinel })
    await mailbox.waitForEmail(sentinel)
    await emailsSent()
    assert.equal(mailbox.emails().filter(({ to }) => to.includes(email)).length, 10)
    const { rows } = await admin.query(
      'select count(*)::integer as tokens from app.mail_tokens where account_id = $1',
      [id],
    )
    assert.deepEqual(rows, [{ tokens: 10 }])
  })
})

describe('a password', () => {
  test('is changed by whoever signed in just now; the other sessions end, this one stays', async () => {
    const { email } = await makeAccount(admin)
    const [here, there] = [await signIn(app, email), await signIn(app, email)]
    assert.equal((await here.send('PUT', '/account/password', { password: 'too short' })).statusCode, 400)
    assert.equal((await here.send('PUT', '/account/password', { password: newPassword })).statusCode, 200)
    assert.equal((await here.get('/account')).statusCode, 200)
    assert.equal((await there.get('/account')).statusCode, 401)
    await mailbox.waitForEmail(email, /password .* was changed/)
  })

  test('is nowhere in the database, nor in a job, nor is a token', async () => {
    const { rows: tables } = await admin.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('app', 'jobs')",
    )
    const secrets = mailbox.emails().flatMap(({ links }) => links.map((link) => new URL(link).hash.slice(1)))
    const needles = [goodPassword, newPassword, ...secrets.filter(Boolean)]
    assert.ok(needles.length > 8)
    for (const { name } of tables) {
      const { rows } = await admin.query<{ row: string }>(`select t::text as row from ${name} t`)
      const whole = rows.map(({ row }) => row).join('\n')
      for (const needle of needles) assert.ok(!whole.includes(needle), `${name} holds ${needle}`)
    }
  })
})

test('what has served its time is swept away, an unconfirmed sign-up after a week, and nothing else', async () => {
  const confirmed = await makeAccount(admin)
  const browser = await signIn(app, confirmed.email)
  const [early, late] = [anyEmail(), anyEmail()]
  for (const email of [early, late]) await signUp(email)
  await emailsSent()
  await admin.query("update app.accounts set signed_up_at = now() - interval '8 days' where email = $1", [early])
  await admin.query("update app.accounts set signed_up_at = now() - interval '6 days' where email = $1", [late])
  await admin.query("update app.sign_in_attempts set at = now() - interval '25 hours'")

  await sweepAccounts(workerDatabase(url))
  const { rows } = await admin.query<{ email: string }>('select email from app.accounts where email = any ($1)', [
    [confirmed.email, early, late],
  ])
  assert.deepEqual(rows.map(({ email }) => email).sort(), [confirmed.email, late].sort())
  assert.equal((await admin.query('select from app.sign_in_attempts')).rows.length, 0)
  assert.equal((await browser.get('/account')).statusCode, 200)
})

/** The slug a new writer of this name gets. */
async function slugOf(name: string): Promise<string> {
  const email = anyEmail()
  await signUp(email)
  assert.equal((await confirm(await tokenFor(email), name)).statusCode, 200)
  const { rows } = await admin.query<{ slug: string }>(
    'select slug from app.writers w join app.accounts a on a.id = w.account_id where email = $1',
    [email],
  )
  return rows[0]!.slug
}

/** Waits until the worker has handled every queued email. */
async function emailsSent(): Promise<void> {
  const waiting = "select from jobs.job where name in ('mail', 'account.letter') and state < 'completed'"
  await until(async () => (await admin.query(waiting)).rowCount === 0, 'no email waits to be sent')
}
