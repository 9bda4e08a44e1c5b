import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { accountSecrets } from '../../server/features/accounts/context.ts'
import { hashOf } from '../../server/platform/crypto.ts'
import { anyEmail, cheapScrypt, goodPassword, makeAccount, openDesk } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { standfirst } from '../../testkit/cli.ts'

/** `standfirst moderator add`, and what the people it adds can then do. */

cheapScrypt()
const { url, admin, app } = await testSite()
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
  assert.match((await add(email)).out, /is now a moderator/)
  assert.equal(await roleOf(email), 'moderator')
})

test('an operator is made the same way, may review, and is not made less by being made a moderator', async () => {
  const email = anyEmail()
  const { out } = await add(email, '--operator')
  assert.match(out, /is now an operator\./)
  const token = /#([\w-]{43})/.exec(out)?.[1]
  const browser = openDesk(app)
  assert.equal((await browser.post('/reset-password', { token, password: goodPassword })).statusCode, 200)
  assert.equal((await browser.post('/sign-in', { email, password: goodPassword })).statusCode, 200)
  assert.equal((await browser.get('/review')).statusCode, 200)
  assert.match((await add(email)).out, /already/)
  assert.equal(await roleOf(email), 'operator')

  const moderator = anyEmail()
  await add(moderator)
  assert.match((await add(moderator, '--operator')).out, /is now an operator\./)
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
  assert.match(error, /not an email address/)
})

/** `standfirst writer add --email` and `invite`, and what the people they add can then do. */

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
  assert.match(out, /^Added Ada Okafor: http:\/\/site\.test\/author\/ada$/m)
  assert.deepEqual(await writerAfter(tokenIn(out), email), ['writer', 'Ada Okafor', 'ada'])
  assert.match((await writer('invite', 'ada', email)).out, /with their existing password or passkey/)
})

test('without an address it says that nobody can sign in, and how somebody can', async () => {
  const email = anyEmail()
  const { out } = await writer('add', 'bo', '--name', 'Bo Lind')
  assert.match(out, /Nobody can sign in as this writer yet\..+standfirst writer invite bo <email>/)
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
    ['nobody', /not an email address/],
  ] as const) {
    const { code, error } = await writer('add', 'dee', '--name', 'Dee', '--email', email)
    assert.equal(code, 1)
    assert.match(error, words)
  }
  assert.match((await writer('invite', 'dee', anyEmail())).error, /There is no writer with the slug “dee”/)
  assert.match((await writer('invite', 'cleo', anyEmail())).error, /cleo already has an account/)
  assert.equal((await admin.query("select from app.writers where slug = 'dee'")).rowCount, 0)
})

/** `standfirst account`, and what the accounts it names can then do. */

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
  assert.match((await account('bar', email)).out, /is blocked/)
  assert.equal(await session.isIn(), false)
  assert.equal((await signIn(email)).statusCode, 401)
  assert.match((await account('bar', email)).out, /already/)
  assert.match((await account('allow', email)).out, /is unblocked/)
  assert.equal(await session.isIn(), false, 'what was ended stays so')
  assert.equal((await signIn(email)).statusCode, 200)
  assert.match((await account('allow', email)).out, /was not blocked/)
})

test('an address that nobody has is said to be nobody’s', async () => {
  for (const act of ['sign-out', 'bar', 'allow']) {
    const { code, error } = await account(act, 'nobody@site.test')
    assert.deepEqual([code, error.trim()], [1, 'There is no account with the email address nobody@site.test.'])
  }
  assert.match((await account('bar', 'no address')).error, /is not an email address/)
})

/** AUTH_SECRET: which commands refuse to start without it, and how it is rotated. */

const secret = 'one-that-only-this-site-has-0123456789'

const operator = (env: Record<string, string>, ...args: string[]) => standfirst({ DATABASE_URL: url, ...env }, ...args)

test('behind https nothing that could open the desk starts without one, and doctor says so in a sentence', async () => {
  const https = { BASE_URL: 'https://site.test' }
  for (const command of [['serve'], ['passkeys', 'reseal'], ['doctor']]) {
    const { code, output } = await operator(https, ...command)
    assert.equal(code, 1, command.join(' '))
    assert.match(
      output,
      /AUTH_SECRET is required in production and whenever BASE_URL is https\. Create one: openssl rand/,
    )
  }
  const well = await operator({ ...https, AUTH_SECRET: secret, SECRETS_KEY: secret }, 'doctor')
  assert.equal(well.code, 0, well.output)
  assert.match(well.output, /✓ AUTH_SECRET is set/)
  assert.match(well.output, /✓ SECRETS_KEY is set/)
  assert.ok(!well.output.includes(secret))
})

test('doctor calls no secret your own that can be guessed', async () => {
  const weak = { AUTH_SECRET: 'a'.repeat(40), SECRETS_KEY: 'secret'.repeat(8), RECEIPT_KEY: '0123456789'.repeat(4) }
  const { output } = await operator({ BASE_URL: 'https://site.test', ...weak }, 'doctor')
  for (const name of Object.keys(weak)) assert.match(output, new RegExp(`! ${name} is easy to guess`))
  assert.doesNotMatch(output, /✓ (?:AUTH_SECRET|SECRETS_KEY) is set/)
})

test('on one’s own machine doctor says that everybody knows the one in use', async () => {
  const { code, output } = await operator({ BASE_URL: 'http://localhost:8080' }, 'doctor')
  assert.equal(code, 0, output)
  assert.match(output, /! AUTH_SECRET is not set.*openssl rand/)
})

test('after a new one, passkeys are sealed anew by one command, each for itself', async () => {
  const { id } = await makeAccount(admin)
  const credentials = [randomBytes(32), randomBytes(32)]
  for (const credential of credentials) {
    await admin.query(
      `insert into app.passkeys (account_id, credential_id, public_key, counter, name, seal_hash)
       values ($1, $2, '\\x01', 0, 'Passkey', $3)`,
      [id, credential, randomBytes(32)],
    )
  }
  const { code, output } = await operator({ AUTH_SECRET: secret }, 'passkeys', 'reseal')
  assert.equal(code, 0, output)
  assert.match(output, /^2 passkeys now work with this AUTH_SECRET/)
  for (const credential of credentials) {
    const { rows } = await admin.query('select seal_hash from app.passkeys where credential_id = $1', [credential])
    assert.deepEqual(rows, [{ seal_hash: hashOf(accountSecrets(secret).seal(credential)) }])
  }
})
