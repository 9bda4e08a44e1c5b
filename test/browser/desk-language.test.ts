import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { anyEmail, goodPassword } from '../../testkit/accounts.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { openDeskSite } from './desk-site.ts'

/** The desk and emails follow the person. */

const site = await openDeskSite()
const mailbox = await startMailbox()
await testWorker(site.databaseUrl, { BASE_URL: site.base, SMTP_URL: mailbox.url })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const languageOf = (page: Page) =>
  page.evaluate('[document.documentElement.lang, getComputedStyle(document.body).direction]')

test('a person chooses German, sees it at once and wherever they sign in, and gets their emails in it', async () => {
  const english = { locale: 'en-US' }
  const { page, go, look, email } = await site.signedIn({ name: 'Ada Okafor' }, english)
  await go('/desk/account')
  const choice = page.getByLabel('Language of the desk and of your emails')
  assert.deepEqual(await choice.locator('option').allTextContents(), [
    'Same as browser',
    'العربية',
    'Deutsch',
    'American English',
    'British English',
    'Español',
    'Français',
    '日本語',
    'Português (Brasil)',
  ])
  await choice.selectOption('Deutsch')
  await heading(page, 'Konto')
  assert.deepEqual(await languageOf(page), ['de', 'ltr'])
  assert.equal(await page.getByLabel('Sprache der Redaktion und Ihrer E-Mails').inputValue(), 'de')
  await look('account-german')

  const elsewhere = await site.visit(english)
  await elsewhere.go('/desk/account')
  await heading(elsewhere.page, 'Sign in')
  await elsewhere.page.getByLabel('Email address').fill(email)
  await elsewhere.page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await press(elsewhere.page, 'Sign in')
  await heading(elsewhere.page, 'Konto')
  assert.deepEqual(await languageOf(elsewhere.page), ['de', 'ltr'])
  assert.equal(elsewhere.page.url(), `${site.base}/desk/account`)

  const forgetful = await site.visit(english)
  await forgetful.go('/desk/forgot-password')
  await forgetful.page.getByLabel('Email address').fill(email)
  await press(forgetful.page, 'Email me a link')
  const { html, links } = await mailbox.waitForEmail(email, /^Passwort für .* zurücksetzen$/)
  assert.match(html, /<html lang="de" dir="ltr">/)
  await forgetful.go(`/desk/reset-password${new URL(links[0]!).hash}`)
  await forgetful.page.getByLabel('New password').fill('another horse battery staple')
  await press(forgetful.page, 'Set password and sign in')
  await heading(forgetful.page, 'Beiträge')
})

test('a choice that is taken back leaves the desk to the browser', async () => {
  const { page, go, context } = await site.signedIn({ name: 'Etheldred Benett' }, { locale: 'fr-FR' })
  await go('/desk/account')
  await page.getByLabel(/^Langue de l’espace de rédaction/).selectOption('العربية')
  await heading(page, 'الحساب')
  assert.deepEqual(await languageOf(page), ['ar', 'rtl'])
  await page.getByLabel(/^لغة غرفة التحرير/).selectOption({ index: 0 })
  await page.getByLabel(/^Langue de l’espace de rédaction/).waitFor()
  assert.deepEqual(await languageOf(page), ['fr', 'ltr'])
  assert.equal(
    (await context.cookies()).some(({ name }) => name === 'language'),
    false,
  )
})

test('a new account has the language of the form it was made with, and its first email too', async () => {
  const { page, go, ask } = await site.visit({ locale: 'de-DE' })
  const email = anyEmail()
  await go('/desk/sign-up')
  await page.getByLabel('E-Mail-Adresse').fill(email)
  await press(page, 'Link per E-Mail')
  const { links } = await mailbox.waitForEmail(email, /^E-Mail-Adresse für .* bestätigen$/)
  await go(`/desk/verify-email${new URL(links[0]!).hash}`)
  await page.getByLabel('Ihr Name').fill('Mary Anning')
  await press(page, 'Passkey erstellen')
  await heading(page, 'Willkommen, Mary Anning')
  assert.equal((await ask('GET', '/account')).account.language, 'de')
})
