import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { cheapScrypt } from '../../testkit/cheap-scrypt.ts'
import { testDatabase } from '../../testkit/database.ts'
import { anyEmail, goodPassword, makeAccount, openDesk } from '../../testkit/desk-browser.ts'
import { standfirst } from '../../testkit/program.ts'

/** `standfirst writer add --email` and `invite`, and what the people they name can then do. */

cheapScrypt()
const { url, admin } = await testDatabase()
const app = await testApp(url)
const writer = (...args: string[]) =>
  standfirst({ DATABASE_URL: url, BASE_URL: 'http://site.test/' }, 'writer', ...args)
const tokenIn = (out: string) => /http:\/\/site\.test\/desk\/reset-password#([\w-]{43})$/m.exec(out)?.[1]

async function writerAfter(token: string | undefined, email: string) {
  const browser = openDesk(app)
  assert.equal((await browser.post('/reset-password', { token, password: goodPassword })).statusCode, 200)
  assert.equal((await browser.post('/sign-in', { email, password: goodPassword })).statusCode, 200)
  const { account } = (await browser.get('/account')).json()
  return [account.role, account.name, account.writer?.slug]
}

test('a writer added with an address signs in after setting a password by the link', async () => {
  const email = anyEmail()
  const { code, out, error } = await writer('add', 'ada', '--name', 'Ada Okafor', '--email', email.toUpperCase())
  assert.equal(code, 0, error)
  assert.match(out, /^Ada Okafor is at http:\/\/site\.test\/author\/ada$/m)
  assert.deepEqual(await writerAfter(tokenIn(out), email), ['writer', 'Ada Okafor', 'ada'])
  assert.match((await writer('invite', 'ada', email)).out, /password or passkey they have/)
})

test('without an address it says that nobody can sign in, and how somebody can', async () => {
  const email = anyEmail()
  const { out } = await writer('add', 'bo', '--name', 'Bo Lind')
  assert.match(out, /Nobody can sign in as them yet\..+standfirst writer invite bo <email>/)
  const [first, second] = [await writer('invite', 'bo', email), await writer('invite', 'bo', email)]
  assert.equal(
    (await openDesk(app).post('/reset-password', { token: tokenIn(first.out), password: goodPassword })).statusCode,
    410,
  )
  assert.deepEqual(await writerAfter(tokenIn(second.out), email), ['writer', 'Bo Lind', 'bo'])
})

test('an address of another writer, of nobody who confirmed it, or that is none adds no writer', async () => {
  const other = await makeAccount(admin)
  await writer('add', 'cleo', '--name', 'Cleo', '--email', other.email)
  const unconfirmed = await makeAccount(admin)
  await admin.query('update app.accounts set email_verified_at = null where id = $1', [unconfirmed.id])
  for (const [email, words] of [
    [other.email, /another writer/],
    [unconfirmed.email, /not confirmed/],
    ['nobody', /not an e-mail address/],
  ] as const) {
    const { code, error } = await writer('add', 'dee', '--name', 'Dee', '--email', email)
    assert.equal(code, 1)
    assert.match(error, words)
  }
  assert.match((await writer('invite', 'dee', anyEmail())).error, /No writer has the slug dee/)
  assert.match((await writer('invite', 'cleo', anyEmail())).error, /another address signs in as cleo/)
  assert.equal((await admin.query("select from app.writers where slug = 'dee'")).rowCount, 0)
})
