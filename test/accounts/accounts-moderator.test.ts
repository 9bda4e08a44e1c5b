import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { cheapScrypt } from '../../testkit/cheap-scrypt.ts'
import { testDatabase } from '../../testkit/database.ts'
import { anyEmail, goodPassword, makeAccount, openDesk } from '../../testkit/desk-browser.ts'
import { standfirst } from '../../testkit/program.ts'

/** `standfirst moderator add`, as an operator meets it, and what the people it names can then do. */

cheapScrypt()
const { url, admin } = await testDatabase()
const app = await testApp(url)
const secrets = { AUTH_SECRET: 'x'.repeat(44), SECRETS_KEY: 'x'.repeat(44) }
const add = (...args: string[]) =>
  standfirst({ DATABASE_URL: url, BASE_URL: 'https://site.test/', ...secrets }, 'moderator', 'add', ...args)
const roleOf = async (email: string) =>
  (await admin.query('select role from app.accounts where email = $1', [email])).rows[0]?.role

test('a new moderator sets their own password by a link that works once, and needs no letter', async () => {
  const email = anyEmail()
  const { code, out, error } = await add(email.toUpperCase(), '--name', 'Mo Derator')
  assert.equal(code, 0, error)
  const [link = ''] = /https:\S+/.exec(out) ?? []
  assert.match(link, /^https:\/\/site\.test\/desk\/reset-password#[\w-]{43}$/)
  const token = new URL(link).hash.slice(1)

  const browser = openDesk(app)
  assert.equal((await browser.post('/reset-password', { token, password: goodPassword })).statusCode, 200)
  assert.equal((await browser.post('/reset-password', { token, password: goodPassword })).statusCode, 410)
  assert.equal((await browser.post('/sign-in', { email, password: goodPassword })).statusCode, 200)
  const { account } = (await browser.get('/account')).json()
  assert.deepEqual([account.role, account.name, account.writer], ['moderator', 'Mo Derator', null])
})

test('asked again before the link was used, it gives another, and the first opens nothing', async () => {
  const email = anyEmail()
  const [first, second] = [await add(email), await add(email)].map(({ out }) => /#([\w-]{43})/.exec(out)?.[1])
  assert.ok(first && second && first !== second)
  const statusOf = async (token: string) =>
    (await openDesk(app).post('/reset-password', { token, password: goodPassword })).statusCode
  assert.deepEqual([await statusOf(first), await statusOf(second)], [410, 200])
  assert.match((await add(email)).out, /already/)
})

test('a writer becomes a moderator and stays a writer', async () => {
  const { email } = await makeAccount(admin)
  assert.match((await add(email)).out, /from now on/)
  assert.equal(await roleOf(email), 'moderator')
})

test('an operator is made the same way, may review, and is not made less by being made a moderator', async () => {
  const email = anyEmail()
  const { out } = await add(email, '--operator')
  assert.match(out, /is an operator\./)
  const token = /#([\w-]{43})/.exec(out)?.[1]
  const browser = openDesk(app)
  assert.equal((await browser.post('/reset-password', { token, password: goodPassword })).statusCode, 200)
  assert.equal((await browser.post('/sign-in', { email, password: goodPassword })).statusCode, 200)
  assert.equal((await browser.get('/review')).statusCode, 200)
  assert.match((await add(email)).out, /already/)
  assert.equal(await roleOf(email), 'operator')

  const moderator = anyEmail()
  await add(moderator)
  assert.match((await add(moderator, '--operator')).out, /is an operator\./)
  assert.equal(await roleOf(moderator), 'operator')
})

test('whoever has not confirmed an address does not become a moderator by it', async () => {
  const { email, id } = await makeAccount(admin)
  await admin.query('update app.accounts set email_verified_at = null where id = $1', [id])
  const { code, error } = await add(email)
  assert.equal(code, 1)
  assert.match(error, /not confirmed/)
  assert.equal(await roleOf(email), 'writer')
})

test('what is no address is refused', async () => {
  const { code, error } = await add('nobody')
  assert.equal(code, 1)
  assert.match(error, /not an e-mail address/)
})
