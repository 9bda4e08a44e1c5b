import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import {
  anyAddress,
  anyEmail,
  cheapScrypt,
  type DeskBrowser,
  goodPassword,
  makeAccount,
  makeSoftPasskey,
  openDesk,
  signIn,
  signWithSoftPasskey,
} from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { deleteNow, testWorker } from '../../testkit/jobs.ts'
import { startMailbox } from '../../testkit/mailbox.ts'

/** The language that a person chose: of the desk, in every browser they sign in with, and of emails to them. */

cheapScrypt()
const { url, admin, app } = await testSite()
const mailbox = await startMailbox()
await testWorker(url, { SMTP_URL: mailbox.url })

const choose = (browser: DeskBrowser, language: unknown) => browser.send('PATCH', '/account', { language })
const languageOf = async (browser: DeskBrowser) => (await browser.get('/account')).json().account.language
const store = (id: string, language: string | null) =>
  admin.query('update app.accounts set language = $2 where id = $1', [id, language])
/** As a page of the desk in this language sends a form. */
const submit = (app: FastifyInstance, path: string, payload: object, language: string) =>
  app.inject({
    method: 'POST',
    url: `/desk/api${path}`,
    remoteAddress: anyAddress(),
    headers: { 'sec-fetch-site': 'same-origin', 'accept-language': language },
    payload,
  })
const documentFor = async (browser: DeskBrowser, accepted = 'en') => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { body } = await app.inject({ url: '/desk/account', headers: { cookie, 'accept-language': accepted } })
  return /<html lang="([^"]+)" dir="([^"]+)">/.exec(body)!.slice(1)
}

test('a language is chosen, applies to the next document, and is taken back', async () => {
  const { email } = await makeAccount(admin)
  const browser = await signIn(app, email)
  assert.equal(await languageOf(browser), null)
  assert.equal(browser.cookies.has('__Host-language'), false)
  assert.deepEqual(await documentFor(browser, 'fr'), ['fr', 'ltr'])

  const chosen = await choose(browser, 'ar')
  assert.equal(chosen.statusCode, 200, chosen.body)
  assert.match(
    String(chosen.headers['set-cookie']),
    /^__Host-language=ar; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
  )
  assert.equal(await languageOf(browser), 'ar')
  assert.deepEqual(await documentFor(browser, 'fr'), ['ar', 'rtl'])

  assert.equal((await choose(browser, null)).statusCode, 200)
  assert.equal(await languageOf(browser), null)
  assert.deepEqual(await documentFor(browser, 'fr'), ['fr', 'ltr'])
})

test('the other setting stays as it is, and a language that we do not speak is refused', async () => {
  const { email } = await makeAccount(admin)
  const browser = await signIn(app, email)
  await browser.send('PATCH', '/account', { drafts_letter: false })
  await choose(browser, 'de')
  for (const unknown of ['tlh', 'de-AT', 'DE', '', 'de; Domain=evil.test', 7, ['de']]) {
    const answer = await choose(browser, unknown)
    assert.equal(answer.statusCode, 400, String(unknown))
    assert.equal(answer.json().errors[0].pointer, '/language')
    assert.equal(answer.headers['set-cookie'], undefined)
  }
  const { account } = (await browser.get('/account')).json()
  assert.deepEqual([account.language, account.drafts_letter], ['de', false])
  assert.equal((await openDesk(app).send('PATCH', '/account', { language: 'de' })).statusCode, 401)
})

test('signing in sets the language, whichever way, and forgets that of the person before', async () => {
  const { id, email } = await makeAccount(admin)
  const browser = await signIn(app, email)
  await choose(browser, 'de')
  const codes: string[] = (await browser.post('/account/recovery-codes')).json().codes
  const passkey = makeSoftPasskey((await browser.post('/passkeys/options', {})).json().options)
  assert.equal((await browser.post('/passkeys', { credential: passkey.credential })).statusCode, 201)

  const ways: Record<string, (browser: DeskBrowser) => ReturnType<DeskBrowser['post']>> = {
    password: (one) => one.post('/sign-in', { email, password: goodPassword }),
    passkey: async (one) => {
      const { options } = (await one.post('/sign-in/passkey/options', {})).json()
      return one.post('/sign-in/passkey', { credential: signWithSoftPasskey(passkey, options) })
    },
    'recovery code': (one) => one.post('/sign-in/recovery-code', { email, code: codes.pop() }),
  }
  for (const [way, enter] of Object.entries(ways)) {
    await store(id, 'de')
    const fresh = openDesk(app)
    const answer = await enter(fresh)
    assert.deepEqual([answer.statusCode, answer.json()], [200, { ok: true, language: 'de' }], way)
    assert.deepEqual(await documentFor(fresh), ['de', 'ltr'], way)

    await store(id, null)
    assert.deepEqual((await enter(fresh)).json(), { ok: true, language: null }, way)
    assert.deepEqual(await documentFor(fresh), ['en', 'ltr'], way)
  }
})

test('where a language is no longer spoken, the desk follows the browser, and emails the site', async () => {
  const { id, email } = await makeAccount(admin)
  await store(id, 'tlh')
  const browser = openDesk(app)
  const answer = await browser.post('/sign-in', { email, password: goodPassword })
  assert.deepEqual(answer.json(), { ok: true, language: null })
  assert.equal(await languageOf(browser), null)
  assert.deepEqual(await documentFor(browser, 'fr'), ['fr', 'ltr'])
  const { html } = await mailbox.waitForEmail(email, /^New sign-in to your account/)
  assert.match(html, /<html lang="en" dir="ltr">/)
})

test('emails are in the language of their recipient, with its dates and direction', async () => {
  const { id, email } = await makeAccount(admin)
  await store(id, 'ar')
  await signIn(app, email)
  const arabic = await mailbox.waitForEmail(email, /^دخول جديد إلى حسابك/)
  assert.match(arabic.html, /<html lang="ar" dir="rtl">[\s\S]*<div class="paper" lang="ar" dir="rtl"/)
  assert.match(arabic.text, /\p{Nd} (?:يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر)/u)

  await store(id, 'de')
  await submit(app, '/forgot-password', { email }, 'fr')
  const german = await mailbox.waitForEmail(email, /^Passwort für .* zurücksetzen$/)
  assert.match(german.html, /<html lang="de" dir="ltr">/)
})

test('people who chose no language, or have no account yet, get their link in the language of the form', async () => {
  const [known, unknown] = [(await makeAccount(admin)).email, anyEmail()]
  assert.equal((await submit(app, '/forgot-password', { email: known }, 'de')).statusCode, 202)
  await mailbox.waitForEmail(known, /^Passwort für .* zurücksetzen$/)
  assert.equal((await submit(app, '/sign-up', { email: unknown }, 'de-AT')).statusCode, 202)
  await mailbox.waitForEmail(unknown, /^E-Mail-Adresse für .* bestätigen$/)
  const other = anyEmail()
  assert.equal((await submit(app, '/sign-up', { email: other }, 'tlh')).statusCode, 202)
  await mailbox.waitForEmail(other, /^Confirm your email for/)
})

test('an invitation is in the language of the site, whatever that of the moderator', async () => {
  const moderator = await makeModerator(admin)
  await store(moderator.accountId, 'de')
  const email = anyEmail()
  const answer = await deskOf(app, moderator).ask('POST', 'review/invitations', { email }, { 'accept-language': 'de' })
  assert.equal(answer.statusCode, 201, answer.body)
  await mailbox.waitForEmail(email, /^You’re invited to write/)
})

test('a new address, the one before it, and that of a deleted account get the account’s language', async () => {
  const writer = await makeWriter(admin)
  await store(writer.accountId, 'de')
  const { rows } = await admin.query('select email from app.accounts where id = $1', [writer.accountId])
  const [former, wanted] = [rows[0].email as string, anyEmail()]
  const desk = deskOf(app, writer)
  assert.equal((await desk.ask('POST', 'account/email', { email: wanted })).statusCode, 202)
  const { links } = await mailbox.waitForEmail(wanted, /^Neue E-Mail-Adresse für .* bestätigen$/)
  const token = /#(.+)$/.exec(links[0]!)![1]
  assert.equal((await desk.ask('POST', 'account/email/confirm', { token })).statusCode, 200)
  await mailbox.waitForEmail(former, /^Ihre E-Mail-Adresse bei .* wurde geändert$/)

  assert.equal((await desk.ask('DELETE', 'account', { name: 'A Writer' })).statusCode, 202)
  await deleteNow(admin, url, writer.accountId)
  await mailbox.waitForEmail(wanted, /^Ihr Konto bei .* wurde gelöscht$/)
})

test('what the desk is refused is said in its language, and programs are told in English', async () => {
  const credentials = { email: anyEmail(), password: 'not the password' }
  const refused = await submit(app, '/sign-in', credentials, 'de')
  assert.match(refused.json().detail, /^E-Mail-Adresse oder Passwort ist falsch\./)
  const writer = await makeWriter(admin)
  const webhook = await deskOf(app, writer).ask(
    'PUT',
    'webhook',
    { url: 'http://example.org/' },
    { 'accept-language': 'de' },
  )
  const said = webhook.json()
  assert.deepEqual(
    [webhook.statusCode, said.detail, said.errors[0].detail],
    [400, 'Verwenden Sie eine URL, die mit https:// beginnt.', 'Verwenden Sie eine URL, die mit https:// beginnt.'],
  )
  const missing = '/api/public/pieces/00000000-0000-4000-8000-000000000000'
  const [inGerman, asIs] = await Promise.all([
    app.inject({ url: missing, headers: { 'accept-language': 'de' } }),
    app.inject(missing),
  ])
  assert.equal(inGerman.statusCode, 404)
  assert.equal(inGerman.json().detail, asIs.json().detail)
})
