import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { type DeskBrowser, goodPassword, makeAccount, openDesk, signIn } from '../../testkit/accounts.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { withoutId } from '../../testkit/http.ts'

/** Sessions: new at every sign-in, limited in time and number, and invalid once ended. */

const { url, admin, app } = await testSite()
const cookieName = '__Host-desk'
const tokenOf = (browser: DeskBrowser): string => browser.cookies.get(cookieName) ?? ''

const signedIn = (email: string, browser = openDesk(app)) => signIn(app, email, { browser })
async function statusWith(token: string): Promise<number> {
  const browser = openDesk(app)
  browser.cookies.set(cookieName, token)
  return (await browser.get('/account')).statusCode
}
const age = (token: string, change: string) =>
  admin.query(`update app.sessions set ${change} where token_hash = $1`, [createHash('sha256').update(token).digest()])

describe('the cookie', () => {
  test('is bound to this host, to https and to our own pages, and out of reach of scripts', async () => {
    const { email } = await makeAccount(admin)
    const answer = await openDesk(app).post('/sign-in', { email, password: goodPassword })
    const [desk, device] = [answer.headers['set-cookie']].flat().map(String)
    assert.match(desk!, /^__Host-desk=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/)
    assert.match(
      device!,
      /^__Host-device=[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
    )
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin')
  })

  test('has a plain name and no Secure where the site has no https', async () => {
    const plain = await testApp(url, { BASE_URL: 'http://localhost:8080' })
    const { email } = await makeAccount(admin)
    const browser = openDesk(plain)
    const answer = await browser.post('/sign-in', { email, password: goodPassword })
    assert.match(
      String([answer.headers['set-cookie']].flat()[0]),
      /^desk=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
    )
    assert.equal((await browser.get('/account')).statusCode, 200)
  })

  test('is worth nothing twice: of two with its name neither is believed', async () => {
    const { email } = await makeAccount(admin)
    const token = tokenOf(await signedIn(email))
    const cookie = `${cookieName}=${token}; ${cookieName}=${token}`
    assert.equal((await app.inject({ url: '/desk/api/account', headers: { cookie } })).statusCode, 401)
    assert.equal(
      (await app.inject({ url: '/desk/api/account', headers: { cookie: `${cookieName}=${token}` } })).statusCode,
      200,
    )
  })

  test('is not in the database: its hash is', async () => {
    const { email, id } = await makeAccount(admin)
    const token = tokenOf(await signedIn(email))
    const { rows } = await admin.query('select token_hash, s::text as row from app.sessions s where account_id = $1', [
      id,
    ])
    assert.deepEqual(rows[0].token_hash, createHash('sha256').update(token).digest())
    assert.ok(!rows[0].row.includes(token))
    assert.equal(await statusWith(rows[0].token_hash.toString('hex')), 401)
    assert.equal(await statusWith(rows[0].token_hash.toString('base64url')), 401)
  })
})

describe('a session', () => {
  test('has an id of its own, whatever the browser brought, and the one brought ends', async () => {
    const { email } = await makeAccount(admin)
    const browser = openDesk(app)
    browser.cookies.set(cookieName, 'planted-by-somebody-else-planted-by-somebody')
    await signedIn(email, browser)
    const first = tokenOf(browser)
    assert.notEqual(first, 'planted-by-somebody-else-planted-by-somebody')
    assert.equal(await statusWith('planted-by-somebody-else-planted-by-somebody'), 401)
    await signedIn(email, browser)
    assert.notEqual(tokenOf(browser), first)
    assert.deepEqual([await statusWith(first), await statusWith(tokenOf(browser))], [401, 200])
  })

  test('is over after signing out, for whoever kept the cookie', async () => {
    const { email } = await makeAccount(admin)
    const browser = await signedIn(email)
    const token = tokenOf(browser)
    assert.equal(await statusWith(token), 200)
    await browser.post('/sign-out')
    assert.equal(await statusWith(token), 401)
    assert.equal((await browser.post('/sign-out')).statusCode, 200, 'and signing out again does no harm')
  })

  test('changes its id when the person shows once more who it is', async () => {
    const { email } = await makeAccount(admin)
    const browser = await signedIn(email)
    const before = tokenOf(browser)
    await age(before, "authenticated_at = now() - interval '11 minutes'")
    assert.equal((await browser.get('/account')).json().account.fresh, false)
    const stale = await browser.send('PUT', '/account/password', { password: 'velvet anchor under seven lamps' })
    assert.deepEqual([stale.statusCode, stale.json().reason], [403, 'fresh_sign_in_required'])

    assert.equal((await browser.post('/reauthenticate', { password: goodPassword })).statusCode, 200)
    assert.deepEqual([await statusWith(before), await statusWith(tokenOf(browser))], [401, 200])
    assert.equal((await browser.get('/account')).json().account.fresh, true)
    assert.equal((await browser.get('/sessions')).json().count, 1)
  })

  test('stays as it is when they cannot', async () => {
    const { email } = await makeAccount(admin)
    const browser = await signedIn(email)
    const token = tokenOf(browser)
    const wrong = await browser.post('/reauthenticate', { password: 'not the password at all' })
    assert.deepEqual([wrong.statusCode, wrong.json().reason], [401, 'sign_in_failed'])
    assert.equal(tokenOf(browser), token)
    assert.equal(await statusWith(token), 200)
    assert.equal((await browser.post('/reauthenticate', {})).statusCode, 400)
  })

  test('ends after 24 hours in which nobody came', async () => {
    const { email } = await makeAccount(admin)
    const token = tokenOf(await signedIn(email))
    await age(token, "last_seen_at = now() - interval '23 hours 59 minutes'")
    assert.equal(await statusWith(token), 200)
    await age(token, "last_seen_at = now() - interval '24 hours 1 second'")
    assert.equal(await statusWith(token), 401)
  })

  test('ends after 14 days, however busy', async () => {
    const { email } = await makeAccount(admin)
    const token = tokenOf(await signedIn(email))
    const hash = createHash('sha256').update(token).digest()
    const { rows } = await admin.query(
      "select abs(extract(epoch from expires_at - created_at - interval '14 days')) < 5 as two_weeks from app.sessions where token_hash = $1",
      [hash],
    )
    assert.deepEqual(rows, [{ two_weeks: true }])
    await age(token, "expires_at = now() - interval '1 second'")
    assert.equal(await statusWith(token), 401)
  })

  test('is noted as seen once a minute at most', async () => {
    const { email } = await makeAccount(admin)
    const token = tokenOf(await signedIn(email))
    const seen = async () =>
      (
        await admin.query('select last_seen_at::text as at from app.sessions where token_hash = $1', [
          createHash('sha256').update(token).digest(),
        ])
      ).rows[0].at
    const first = await seen()
    await statusWith(token)
    assert.equal(await seen(), first)
    await age(token, "last_seen_at = now() - interval '61 seconds'")
    const before = await seen()
    await statusWith(token)
    assert.notEqual(await seen(), before)
  })

  test('of a disabled account is over at once', async () => {
    const { email, id } = await makeAccount(admin)
    const token = tokenOf(await signedIn(email))
    await admin.query('update app.accounts set disabled_at = now() where id = $1', [id])
    assert.equal(await statusWith(token), 401)
    const answer = await openDesk(app).post('/sign-in', { email, password: goodPassword })
    assert.deepEqual([answer.statusCode, answer.json().reason], [401, 'sign_in_failed'])
  })
})

test('whoever is refused is told what to do next', async () => {
  const { email } = await makeAccount(admin)
  const browser = await signedIn(email)
  const detailOf = async (method: 'DELETE' | 'GET' | 'POST' | 'PUT', path: string, body?: object, from = browser) =>
    (await from.send(method, path, body)).json().detail
  const nobody = '00000000-0000-4000-8000-000000000000'
  assert.match(await detailOf('GET', '/account', undefined, openDesk(app)), /Sign in again/)
  for (const path of [`/sessions/${nobody}`, '/sessions/nonsense', `/passkeys/${nobody}`, '/passkeys/nonsense']) {
    assert.match(await detailOf('DELETE', path), /Reload the page/, path)
  }
  assert.match(await detailOf('POST', '/reset-password', { token: 'x', password: 'x' }), /Request a new one/)
  assert.match(await detailOf('POST', '/reauthenticate', { password: 'x' }), /Try again, or use a passkey/)

  await age(tokenOf(browser), "authenticated_at = now() - interval '11 minutes'")
  const stale = [
    await detailOf('PUT', '/account/password', { password: 'x' }),
    await detailOf('POST', '/passkeys/options'),
    await detailOf('DELETE', `/passkeys/${nobody}`),
  ]
  assert.deepEqual([...new Set(stale)], ['Confirm your password or passkey, then try again.'])
})

describe('sessions', () => {
  test('are listed, and ended one by one', async () => {
    const { email } = await makeAccount(admin)
    const [here, there] = [await signedIn(email), await signedIn(email, openDesk(app, '192.0.2.7', 'Another browser'))]
    const { count, sessions } = (await here.get('/sessions')).json()
    assert.equal(count, 2)
    const other = sessions.find((one: { is_this_one: boolean }) => !one.is_this_one)
    assert.deepEqual([other.user_agent, other.address], ['Another browser', '192.0.2.7'])
    assert.equal((await here.send('DELETE', `/sessions/${other.id}`)).statusCode, 200)
    assert.deepEqual([await statusWith(tokenOf(here)), await statusWith(tokenOf(there))], [200, 401])
    assert.equal((await here.send('DELETE', `/sessions/${other.id}`)).statusCode, 404)
  })

  test('of others cannot be ended, nor told from ones that never were', async () => {
    const [mine, theirs] = [await makeAccount(admin), await makeAccount(admin)]
    const [me, them] = [await signedIn(mine.email), await signedIn(theirs.email)]
    const [{ id }] = (await them.get('/sessions')).json().sessions
    const answers = await Promise.all(
      [id, '00000000-0000-4000-8000-000000000000', 'nonsense'].map((one) => me.send('DELETE', `/sessions/${one}`)),
    )
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [404, 404, 404],
    )
    assert.equal(new Set(answers.map(({ body }) => withoutId(body))).size, 1)
    assert.equal((await them.get('/account')).statusCode, 200)
  })

  test('all others end at a word', async () => {
    const { email } = await makeAccount(admin)
    const browsers = [await signedIn(email), await signedIn(email), await signedIn(email)]
    const answer = await browsers[0]!.post('/sessions/end-others')
    assert.deepEqual(answer.json(), { ok: true, ended: 2 })
    assert.deepEqual(await Promise.all(browsers.map((one) => statusWith(tokenOf(one)))), [200, 401, 401])
  })

  test('are ten at most: the eleventh ends the first', async () => {
    const { email, id } = await makeAccount(admin)
    const tokens: string[] = []
    for (let number = 0; number < 11; number += 1) tokens.push(tokenOf(await signedIn(email)))
    const statuses: number[] = []
    for (const token of tokens) statuses.push(await statusWith(token))
    assert.deepEqual(statuses, [401, ...Array<number>(10).fill(200)])
    const { rows } = await admin.query(
      'select count(*)::integer as live from app.sessions where account_id = $1 and revoked_at is null',
      [id],
    )
    assert.deepEqual(rows, [{ live: 10 }])
  })
})

describe('a password', () => {
  test('typed on another keyboard is the same password', async () => {
    const { email } = await makeAccount(admin, { password: 'Ångström ﬁve café lamps' })
    const decomposed = 'Ångström five café lamps'.normalize('NFD')
    await signIn(app, email, { password: decomposed })
  })
})

describe('settings', () => {
  test('the letter about drafts can be turned off', async () => {
    const { email } = await makeAccount(admin)
    const browser = await signedIn(email)
    assert.equal((await browser.send('PATCH', '/account', { drafts_letter: false })).statusCode, 200)
    assert.equal((await browser.get('/account')).json().account.drafts_letter, false)
  })

  test('emails about comments can be turned off, and on again, without touching the other setting', async () => {
    const { email } = await makeAccount(admin)
    const browser = await signedIn(email)
    const settings = async () => {
      const { account } = (await browser.get('/account')).json()
      return [account.comment_emails, account.drafts_letter]
    }
    assert.deepEqual(await settings(), [true, true])
    assert.equal((await browser.send('PATCH', '/account', { comment_emails: false })).statusCode, 200)
    assert.deepEqual(await settings(), [false, true])
    await browser.send('PATCH', '/account', { comment_emails: true })
    assert.deepEqual(await settings(), [true, true])
  })
})
