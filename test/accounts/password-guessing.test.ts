import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sendLinkEmail } from '../../server/features/accounts/mail.ts'
import {
  anyAddress,
  anyEmail,
  cheapScrypt,
  type DeskBrowser,
  goodPassword,
  makeAccount,
  openDesk,
} from '../../testkit/accounts.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase, workerDatabase } from '../../testkit/database.ts'
import { freezeClock, until } from '../../testkit/waiting.ts'

/** Password guessing: few attempts for an attacker, while the owner's known device keeps all of its own. */

freezeClock()
cheapScrypt()
const { url, admin } = await testDatabase()
/** Two processes of one site, which share their counters. */
const apps = [await testApp(url), await testApp(url)]
const app = apps[0]!
const elsewhere = await testApp(url, { AUTH_SECRET: 'another-secret-of-another-site-0123' })
const limited = await testApp(url, { RATE_SIGN_IN: '5' })

const wrong = 'this is not the password'
const guess = async (email: string, browser = openDesk(app), password = wrong) =>
  browser.post('/sign-in', { email, password })

/** Failed attempts from as many networks, dated now. */
const exhaust = (email: string, tries = 20) =>
  admin.query(
    `insert into app.sign_in_attempts (account_key, place_key, known_device, checked)
     select app.attempt_key('account', $1), app.attempt_key('network', n::text), false, true
       from generate_series(1, $2::integer) as n`,
    [email, tries],
  )

/** Seconds by which an attempt is dated into the future, so that a stalled machine does not admit the next one early. */
const ahead = 600

/** The wait after the newest attempt; undefined if the request took too long for whole seconds to be meaningful. */
async function waitAfter(email: string, browser: DeskBrowser): Promise<number | undefined> {
  const { rows: tries } = await admin.query<{ id: string }>(
    `update app.sign_in_attempts set at = clock_timestamp() + make_interval(secs => $2)
      where id = (select id from app.sign_in_attempts where account_key = app.attempt_key('account', $1)
                   order by at desc limit 1)
     returning id`,
    [email, ahead],
  )
  const refused = await guess(email, browser)
  assert.equal(refused.statusCode, 429)
  const { rows } = await admin.query<{ prompt: boolean }>(
    `select clock_timestamp() + make_interval(secs => $2) - at < interval '1 second' as prompt
       from app.sign_in_attempts where id = $1`,
    [tries[0]!.id, ahead],
  )
  return rows[0]!.prompt ? Number(refused.headers['retry-after']) - ahead : undefined
}

describe('wrong tries', () => {
  test('at an account are checked twenty times an hour, from however many networks and processes', async () => {
    const { email } = await makeAccount(admin)
    const statuses: number[] = []
    for (let number = 0; number < 26; number += 1) {
      statuses.push((await guess(email, openDesk(apps[number % 2]!))).statusCode)
    }
    assert.deepEqual(statuses, [...Array<number>(20).fill(401), ...Array<number>(6).fill(429)])

    const refused = await guess(email)
    const seconds = Number(refused.headers['retry-after'])
    assert.ok(seconds > 3000 && seconds <= 3600, `Retry-After: ${seconds}`)
    assert.equal(refused.json().reason, 'rate_limited')

    await admin.query("update app.sign_in_attempts set at = at - interval '58 minutes'")
    assert.equal((await guess(email)).statusCode, 429)
    await admin.query("update app.sign_in_attempts set at = at - interval '2 minutes'")
    assert.equal((await guess(email)).statusCode, 401, 'an hour later there is room again')
  })

  test('at an address that has no account count just so', async () => {
    const email = anyEmail()
    await exhaust(email, 18)
    const statuses = []
    for (let number = 0; number < 4; number += 1) statuses.push((await guess(email)).statusCode)
    assert.deepEqual(statuses, [401, 401, 429, 429])
  })

  test('made at the same moment count each: of sixty no more than twenty are checked', async () => {
    const { email } = await makeAccount(admin)
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, number) => guess(email, openDesk(apps[number % 2]!))),
    )
    const counted = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length
    assert.ok(counted(401) > 0 && counted(401) <= 20, `${counted(401)} were checked`)
    assert.equal(counted(401) + counted(429) + counted(503), 60)
    const { rows } = await admin.query(
      "select count(*)::integer as tries from app.sign_in_attempts where account_key = app.attempt_key('account', $1)",
      [email],
    )
    assert.ok(rows[0].tries <= 20, `${rows[0].tries} were let through`)
  })

  test('from one network wait twice as long each time, up to a quarter of an hour', async () => {
    const { email } = await makeAccount(admin)
    const browser = openDesk(app)
    const waits: number[] = []
    for (let number = 0; number < 12; number += 1) {
      assert.equal((await guess(email, browser)).statusCode, 401)
      const wait = await until(() => waitAfter(email, browser), 'a refusal was answered within a second')
      waits.push(wait)
      await admin.query('update app.sign_in_attempts set at = at - make_interval(secs => $1)', [wait + ahead])
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('are forgotten by the network that then gets it right', async () => {
    const { email } = await makeAccount(admin)
    const address = anyAddress()
    for (let number = 0; number < 3; number += 1) {
      assert.equal((await guess(email, openDesk(app, address))).statusCode, 401)
      await admin.query("update app.sign_in_attempts set at = at - interval '10 seconds'")
    }
    assert.equal((await guess(email, openDesk(app, address), goodPassword)).statusCode, 200)
    assert.equal((await guess(email, openDesk(app, address))).statusCode, 401)
    await admin.query("update app.sign_in_attempts set at = at - interval '1 second'")
    assert.equal((await guess(email, openDesk(app, address))).statusCode, 401)
  })
})

describe('a device that signed in before', () => {
  async function knownDevice(email: string): Promise<DeskBrowser> {
    const browser = openDesk(app)
    assert.equal((await guess(email, browser, goodPassword)).statusCode, 200)
    await browser.post('/sign-out')
    assert.ok(browser.cookies.has('__Host-device'))
    return browser
  }

  test("is not locked out by others' guessing", async () => {
    const { email } = await makeAccount(admin)
    const owner = await knownDevice(email)
    await exhaust(email)
    assert.equal((await guess(email, openDesk(app), goodPassword)).statusCode, 429)
    assert.equal((await guess(email, owner, goodPassword)).statusCode, 200)
  })

  test('has twenty tries an hour of its own, and no more', async () => {
    const { email } = await makeAccount(admin)
    const thief = await knownDevice(email)
    const id = thief.cookies.get('__Host-device')!.slice(0, 22)
    // Old enough not to cause a delay: every second minute, until 15 minutes ago.
    await admin.query(
      `insert into app.sign_in_attempts (account_key, place_key, known_device, checked, at)
       select app.attempt_key('account', $1), app.attempt_key('device', $2), true, true,
              now() - interval '15 minutes' - n * interval '2 minutes'
         from generate_series(1, 19) as n`,
      [email, id],
    )
    assert.equal((await guess(email, thief)).statusCode, 401)
    await admin.query(
      "update app.sign_in_attempts set at = at - interval '901 seconds' where at > now() - interval '1 minute'",
    )
    const last = await guess(email, thief)
    assert.equal(last.statusCode, 429)
    assert.ok(Number(last.headers['retry-after']) > 60, 'by the hour, not by the delay')
  })

  test('is known for that account alone, and only with the mark of this site', async () => {
    const [victim, attacker] = [await makeAccount(admin), await makeAccount(admin)]
    const device = (await knownDevice(attacker.email)).cookies.get('__Host-device')!
    const visitor = openDesk(elsewhere)
    assert.equal((await guess(victim.email, visitor, goodPassword)).statusCode, 200)
    await exhaust(victim.email)
    const forged = [
      visitor.cookies.get('__Host-device')!,
      `${device.slice(0, 22)}.${'A'.repeat(43)}`,
      device.slice(0, 30),
    ]
    for (const mark of [device, ...forged, 'nonsense', '']) {
      const browser = openDesk(app)
      browser.cookies.set('__Host-device', mark)
      assert.equal((await guess(victim.email, browser, goodPassword)).statusCode, 429, mark)
    }
  })
})

describe('whoever is locked out', () => {
  const worker = workerDatabase(url)

  test('comes in again by a new password, from any device', async () => {
    const { email } = await makeAccount(admin)
    await exhaust(email)
    let token = ''
    await sendLinkEmail(
      worker,
      async (_to, order) => {
        token = 'token' in order.params ? order.params.token : ''
      },
      { email, asked: 'reset' },
    )
    const password = 'velvet anchor under seven lamps'
    assert.equal((await openDesk(app).post('/reset-password', { token, password })).statusCode, 200)
    assert.equal((await guess(email, openDesk(app), password)).statusCode, 200)
  })

  test('can still show who it is in a session that goes on', async () => {
    const { email } = await makeAccount(admin)
    const browser = openDesk(app)
    await guess(email, browser, goodPassword)
    await exhaust(email)
    assert.equal((await browser.post('/reauthenticate', { password: goodPassword })).statusCode, 200)
  })
})

describe('one address', () => {
  test('may knock so many times a minute, at whichever of these surfaces', async () => {
    const browser = openDesk(limited)
    const paths = ['/sign-up', '/verify-email', '/sign-in', '/forgot-password', '/reset-password', '/first-passkey']
    const statuses: number[] = []
    for (const path of paths) statuses.push((await browser.post(path, {})).statusCode)
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429])
    const refused = await browser.post('/sign-in/passkey', {})
    assert.equal(refused.headers['ratelimit-policy'], '"signIn";q=5;w=60')
    const offered = await browser.post('/sign-in/passkey/options')
    assert.equal(offered.statusCode, 200, 'what every visit to the page asks for is no try')
    assert.equal((await openDesk(limited).post('/sign-in', {})).statusCode, 400)
  })

  test('may set a password no more often than it may try one, signed in or not', async () => {
    const { email } = await makeAccount(admin)
    const browser = openDesk(limited)
    assert.equal((await guess(email, browser, goodPassword)).statusCode, 200)
    const statuses: number[] = []
    for (let number = 0; number < 5; number += 1) {
      statuses.push((await browser.send('PUT', '/account/password', { password: 'short' })).statusCode)
    }
    assert.deepEqual(statuses, [400, 400, 400, 400, 429])
    assert.equal((await browser.get('/account')).statusCode, 200, 'and reading goes on')
  })
})
