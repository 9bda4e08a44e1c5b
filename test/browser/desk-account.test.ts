import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { goodPassword } from '../../testkit/accounts.ts'
import { openDeskSite, pressUntil } from './desk-site.ts'

/** The account page: sign-in methods, sessions, emails; critical actions ask for confirmation again. */

const site = await openDeskSite()

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const waitForStatus = (page: Page, words: string | RegExp) => page.getByRole('status').getByText(words).waitFor()

describe('by mouse', () => {
  test('passkeys are added, renamed and deleted', async () => {
    const visitor = await site.signedIn({ name: 'Mary Anning' })
    const { page, go, look } = visitor
    await go('/desk/account')
    await page.getByText('This browser').waitFor()
    await look('account')
    await press(page, 'Add a passkey')
    await waitForStatus(page, /^Passkey added/)
    await page.getByRole('button', { name: /^Rename/ }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('My laptop')
    await look('account-rename-passkey')
    await inDialog(page, 'Save')
    await page.getByText('My laptop').waitFor()
    await press(page, 'Add a passkey')
    await page.getByText('This device already has a passkey for your account.').waitFor()
    await press(page, 'Delete My laptop')
    await look('account-delete-passkey')
    await inDialog(page, 'Delete')
    await page.getByRole('button', { name: 'Delete My laptop' }).waitFor({ state: 'detached' })
  })

  test('what needs a fresh sign-in asks for it and then goes on by itself', async () => {
    const visitor = await site.signedIn({ name: 'Anna Atkins' })
    const { page, go, look } = visitor
    await go('/desk/account')
    await visitor.letSessionAge()
    await press(page, 'Change password')
    await page.getByLabel('New password').fill('another horse battery staple')
    await inDialog(page, 'Save')
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await dialog.waitFor()
    await look('confirm-its-you')
    await dialog.getByLabel(/^Password/).fill('not my password')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByRole('alert').waitFor()
    // After a wrong password the address is locked for a second.
    await site.admin.query("update app.sign_in_attempts set at = at - interval '10 seconds'")
    await dialog.getByLabel(/^Password/).fill(goodPassword)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await waitForStatus(page, /^Password changed/)
  })

  test('whoever would rather not confirm is told so, and nothing happens', async () => {
    const visitor = await site.signedIn()
    const { page, go } = visitor
    await go('/desk/account')
    await visitor.letSessionAge()
    await press(page, 'Add a passkey')
    await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('alert')
      .getByText(/Confirm your password or passkey, then try again/)
      .waitFor()
    const { passkeys } = await (await visitor.context.request.get(`${site.base}/desk/api/passkeys`)).json()
    assert.deepEqual(passkeys, [])
  })

  test('a session elsewhere is ended, or all of them', async () => {
    const { email, page, go } = await site.signedIn()
    const elsewhere = async (userAgent: string) => {
      const other = await site.visit({ userAgent })
      await other.context.request.post(`${site.base}/desk/api/sign-in`, {
        headers: { origin: site.base, 'user-agent': userAgent },
        data: { email, password: goodPassword },
      })
      return async () => (await other.context.request.get(`${site.base}/desk/api/account`)).status()
    }
    const [phone, laptop, library] = [
      await elsewhere('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1'),
      await elsewhere('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15'),
      await elsewhere('Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'),
    ]
    await go('/desk/account')
    await press(page, 'Sign out of Safari on iPhone')
    await waitForStatus(page, 'Signed out of Safari on iPhone.')
    assert.deepEqual([await phone(), await laptop(), await library()], [401, 200, 200])
    await press(page, 'Sign out everywhere else')
    await waitForStatus(page, 'You’re signed out everywhere else.')
    assert.deepEqual([await laptop(), await library()], [401, 401])
  })

  test('recovery codes are made and shown once, and one of them signs in', async () => {
    const { page, go, look, email } = await site.signedIn({ name: 'Mary Somerville' })
    await go('/desk/account')
    await press(page, 'Create recovery codes')
    await page.getByRole('heading', { name: 'Your recovery codes, shown only once' }).waitFor()
    const codes = page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem')
    assert.equal(await codes.count(), 10)
    const code = (await codes.first().textContent())!
    await look('account-recovery-codes')
    await press(page, 'Done')
    await page.getByText(/^10 of 10 left/).waitFor()

    const other = await site.visit()
    await other.go('/desk/sign-in')
    await other.page.getByRole('link', { name: 'Use a recovery code' }).click()
    await other.page.getByLabel('Email address').fill(email)
    await other.page.getByLabel('Recovery code').fill(code.toLowerCase())
    await other.look('sign-in-recovery-code')
    await press(other.page, 'Sign in')
    await waitForStatus(other.page, /^You’re signed in here and signed out everywhere else/)
    await other.page.getByText(/^9 of 10 left/).waitFor()
  })

  test('the security history says what happened, when and from where, and is downloaded', async () => {
    const { page, go, look, context } = await site.signedIn({ name: 'Ada Lovelace' })
    await context.request.post(`${site.base}/desk/api/keys`, {
      headers: { origin: site.base },
      data: { name: 'My script' },
    })
    await go('/desk/account')
    const history = page.getByRole('region', { name: 'Security history' })
    await history.getByText(/^API key created: “My script” \(pk_live_/).waitFor()
    await history.getByText('Signed in with your password').waitFor()
    await look('account-history')
    const downloading = page.waitForEvent('download')
    await history.getByRole('link', { name: 'Download as JSON' }).click()
    assert.equal((await downloading).suggestedFilename(), 'security-history.json')
  })

  test('emails about drafts are turned off', async () => {
    const { page, go, context } = await site.signedIn()
    await go('/desk/account')
    await page.getByLabel('When an API key adds drafts').uncheck()
    await waitForStatus(page, 'We won’t email you about new drafts any more.')
    const { account } = await (await context.request.get(`${site.base}/desk/api/account`)).json()
    assert.equal(account.drafts_letter, false)
    await page.getByLabel('When someone comments').uncheck()
    await waitForStatus(page, 'We won’t email you about comments any more.')
    await page.reload()
    assert.equal(await page.getByLabel('When someone comments').isChecked(), false)
  })

  test('whoever signs out is at the sign-in, and Back shows nothing of theirs', async () => {
    const { page, go } = await site.signedIn({ name: 'Jane Loudon' })
    await go('/desk/account')
    await press(page, 'Sign out')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    assert.equal(await page.getByText('Jane Loudon').count(), 0)
  })

  test('a moderator who does not write has a review, the front page and an account', async () => {
    const { page, go, look } = await site.signedIn({ name: 'Maria Graham', role: 'moderator' })
    await go('/desk/account')
    const places = await page.getByRole('navigation', { name: 'Desk' }).getByRole('link').allTextContents()
    assert.deepEqual(places, ['Review', 'Front page', 'Account'])
    await look('account-moderator')
  })
})

test('by keyboard alone: a passkey is added and renamed, the password changed, other sessions ended', async () => {
  const visitor = await site.signedIn({ name: 'Mary Somerville' })
  const { page, go } = visitor
  const { keyboard } = page
  await go('/desk/account')
  await page.getByText('This browser').waitFor()
  await visitor.letSessionAge()
  await pressUntil(page, 'Tab', 'Add a passkey')
  await keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
  await keyboard.type(goodPassword)
  await keyboard.press('Enter')
  await waitForStatus(page, /^Passkey added/)

  const { passkeys } = await (await visitor.context.request.get(`${site.base}/desk/api/passkeys`)).json()
  await pressUntil(page, 'Shift+Tab', `Rename ${passkeys[0].name}`)
  await keyboard.press('Enter')
  await keyboard.press('Control+A')
  await keyboard.type('The red one')
  await keyboard.press('Enter')
  await page.getByText('The red one').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)

  await pressUntil(page, 'Tab', 'Change password')
  await keyboard.press('Enter')
  await keyboard.type('lamp vex quill dune')
  await keyboard.press('Enter')
  await waitForStatus(page, /^Password changed/)
})
