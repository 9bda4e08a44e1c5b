import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { goodPassword, makeAccount, openDesk } from '../../testkit/desk-browser.ts'
import { standfirst } from '../../testkit/program.ts'

/** `standfirst account`, as an operator meets it, and what those it names can then do. */

const { url, admin } = await testDatabase()
const app = await testApp(url)
const account = (...args: string[]) => standfirst({ DATABASE_URL: url }, 'account', ...args)

async function signIn(email: string) {
  const browser = openDesk(app)
  const { statusCode } = await browser.post('/sign-in', { email, password: goodPassword })
  return { statusCode, isIn: async () => (await browser.get('/account')).statusCode === 200 }
}

test('an operator ends every session of one person, and of nobody else', async () => {
  const [{ email }, other] = [await makeAccount(admin), await makeAccount(admin)]
  const [first, second, third] = [await signIn(email), await signIn(email), await signIn(other.email)]
  assert.match((await account('sign-out', email.toUpperCase())).out, /^Ended 2 sessions of /)
  assert.deepEqual([await first.isIn(), await second.isIn(), await third.isIn()], [false, false, true])
  assert.match((await account('sign-out', email)).out, /^Ended 0 sessions of /)
  assert.equal(await (await signIn(email)).isIn(), true)
})

test('whoever is barred is out at once and stays out until they are allowed', async () => {
  const { email } = await makeAccount(admin)
  const session = await signIn(email)
  assert.match((await account('bar', email)).out, /is barred/)
  assert.equal(await session.isIn(), false)
  assert.equal((await signIn(email)).statusCode, 401)
  assert.match((await account('bar', email)).out, /already/)
  assert.match((await account('allow', email)).out, /may sign in again/)
  assert.equal(await session.isIn(), false, 'what was ended stays so')
  assert.equal((await signIn(email)).statusCode, 200)
  assert.match((await account('allow', email)).out, /was not barred/)
})

test('an address that nobody has is said to be nobody’s', async () => {
  for (const act of ['sign-out', 'bar', 'allow']) {
    const { code, error } = await account(act, 'nobody@site.test')
    assert.deepEqual([code, error.trim()], [1, 'Nobody has an account with the address nobody@site.test.'])
  }
  assert.match((await account('bar', 'no address')).error, /is not an e-mail address/)
})
