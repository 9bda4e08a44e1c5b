import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { anyEmail, goodPassword, makeAccount } from '../../testkit/accounts.ts'
import { chooseCategory, openDeskSite, pressUntil, saved, type Visitor } from './desk-site.ts'

/** Signing up and signing in, by mouse and by keyboard alone. */

const site = await openDeskSite()

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Asks for the email of a sign-up and opens its link. */
async function signUp({ page, go }: Visitor): Promise<void> {
  const email = anyEmail()
  await go('/desk/sign-up')
  await page.getByLabel('Email address').fill(email)
  await press(page, 'Email me a link')
  await heading(page, 'Check your email')
  await go(`/desk/verify-email#${await site.emailToken(email, 'sign_up')}`)
}

describe('a new writer', () => {
  test('signs up, makes a passkey by the email’s link and is welcomed; the link is out of the address bar at once', async () => {
    const { page, go, look } = await site.visit()
    const email = anyEmail()
    await go('/desk/sign-in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create account')
    await look('sign-up')
    await page.getByLabel('Email address').fill(email)
    await press(page, 'Email me a link')
    await heading(page, 'Check your email')
    await look('check-your-email')

    await go(`/desk/verify-email#${await site.emailToken(email, 'sign_up')}`)
    assert.equal(page.url(), `${site.base}/desk/verify-email`)
    await look('verify-passkey')
    await page.getByLabel('Your name').fill('Mary Anning')
    await press(page, 'Create a passkey')
    await heading(page, 'Welcome, Mary Anning')
    await look('welcome')

    await page.getByLabel('About you').fill('Looks for bones on the beach at Lyme.')
    await press(page, 'Save')
    await page.getByText('1 of 3 done').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Start writing' }).isVisible(), true)
    await look('welcome-second-step')
  })

  test('chooses a password instead, is told what is wrong with it, and is let in without typing the address again', async () => {
    const visitor = await site.visit()
    const { page, look } = visitor
    await signUp(visitor)
    await page.getByLabel('Your name').fill('Gideon Mantell')
    await press(page, 'Use a password instead')
    await page.getByLabel('Password', { exact: true }).fill('too short')
    await press(page, 'Create account')
    await page.getByText('Use at least 15 characters.').waitFor()
    assert.equal(await page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid'), 'true')
    await look('verify-weak-password')
    await page.getByLabel('Password', { exact: true }).fill('password password')
    await press(page, 'Create account')
    await page.getByText('This password is too easy to guess.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(goodPassword)
    await press(page, 'Create account')
    await heading(page, 'Welcome, Gideon Mantell')
  })

  test('whose link is cut off is told so at once, and comes in by the whole one, put into the same page', async () => {
    const { page, go, look } = await site.visit()
    const email = anyEmail()
    const token = await site.emailToken(email, 'sign_up')
    for (const spoilt of [token.slice(0, 30), `${token}%3E`]) {
      await go('/desk')
      await go(`/desk/verify-email#${spoilt}`)
      await heading(page, 'This link doesn’t work')
      assert.equal(await page.getByLabel('Your name').count(), 0)
    }
    await look('link-dead')
    await page.evaluate(`location.hash = '${token}'`)
    await heading(page, 'Create your account')
    await page.getByLabel('Your name').fill('Thomas Hawkins')
    // Used in another window meanwhile.
    await site.admin.query('update app.mail_tokens set used_at = now()')
    await press(page, 'Create a passkey')
    await heading(page, 'This link doesn’t work')
    await page.getByRole('link', { name: 'Get a new link' }).click()
    await heading(page, 'Create account')
  })

  test('ends the first steps with the link of a public piece', async () => {
    const { page, go, look, ask, begin } = await site.signedIn({ name: 'Ada Okafor' })
    const id = await begin('On tea', 'Four minutes.')
    await go('/desk/welcome')
    await page.getByText('1 of 3 done').waitFor()
    await page.getByRole('heading', { name: 'Publish it' }).click()
    const { nonce } = await ask('POST', `/pieces/${id}/preview`)
    await ask('POST', `/pieces/${id}/publish`, { nonce })
    await go('/desk/welcome')
    await heading(page, 'Your piece is published')
    await look('welcome-done')
    const link = page.getByRole('link', { name: /\/author\/ada-okafor[-\w]*\/on-tea/ })
    const shown = await page.context().request.get((await link.getAttribute('href'))!)
    assert.equal(shown.status(), 200)
  })
})

describe('a writer who has been here before', () => {
  test('is led from the page they asked for to the sign-in, and back to that page', async () => {
    const { email } = await makeAccount(site.admin)
    const { page, go, look } = await site.visit()
    await go('/desk/account?from=email')
    await heading(page, 'Sign in')
    await look('sign-in')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not the password at all')
    await press(page, 'Sign in')
    await page.getByRole('alert').waitFor()
    await look('sign-in-refused')
    await page.getByLabel('Password', { exact: true }).fill(goodPassword)
    // After a wrong password the address is locked for a second.
    await site.admin.query("update app.sign_in_attempts set at = at - interval '10 seconds'")
    await press(page, 'Sign in')
    await heading(page, 'Account')
    assert.equal(page.url(), `${site.base}/desk/account?from=email`)
  })

  test('is never led to another site by the sign-in', async () => {
    const { email } = await makeAccount(site.admin)
    for (const to of ['https://evil.test/', '//evil.test/desk', '/desk.evil', 'javascript:alert(1)']) {
      const { page, go } = await site.visit()
      await go(`/desk/sign-in?to=${encodeURIComponent(to)}`)
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(goodPassword)
      await press(page, 'Sign in')
      await page.waitForURL(`${site.base}/desk`)
    }
  })

  test('signs in with a passkey, without a name', async () => {
    const { page, go, context } = await site.signedIn({ name: 'Etheldred Benett' })
    await go('/desk/account')
    await press(page, 'Add a passkey')
    await page.getByText('Passkey added. You’re signed out everywhere else.').waitFor()
    await context.clearCookies({ name: 'desk' })
    // A browser without conditional UI, which the authenticator would answer before the button is pressed.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
    await go('/desk/sign-in')
    await press(page, 'Use a passkey')
    await page.getByText('Etheldred Benett').waitFor()
    assert.equal(page.url(), `${site.base}/desk`)
  })

  test('is offered their passkey by the browser where the address is typed', async () => {
    const { page, go, context } = await site.signedIn({ name: 'Elizabeth Philpot' })
    await go('/desk/account')
    await press(page, 'Add a passkey')
    await page.getByText('Passkey added. You’re signed out everywhere else.').waitFor()
    await context.clearCookies({ name: 'desk' })
    await go('/desk/sign-in')
    await page.getByText('Elizabeth Philpot').waitFor()
    assert.equal(page.url(), `${site.base}/desk`)
  })

  test('sets a new password by the email’s link, removes what they do not know, and is signed in', async () => {
    const { id, email } = await makeAccount(site.admin)
    await site.admin.query(
      `insert into app.passkeys (account_id, credential_id, public_key, counter, name, seal_hash)
       select $1::uuid, sha256(convert_to(name || $1::text, 'UTF8')), '\\x01', 0, name, sha256('x')
         from unnest(array['My phone', 'Unknown laptop']) name`,
      [id],
    )
    const { page, go, look } = await site.visit()
    await go('/desk/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await heading(page, 'Reset your password')
    await look('forgot-password')
    await page.getByLabel('Email address').fill(email)
    await press(page, 'Email me a link')
    await heading(page, 'Check your email')
    const token = await site.emailToken(email, 'reset')
    await go(`/desk/reset-password#${token}`)
    assert.equal(page.url(), `${site.base}/desk/reset-password`)
    await look('reset-password')
    await page.getByLabel('New password').fill('another horse battery staple')
    await page.getByLabel('Remove the passkey Unknown laptop').check()
    await press(page, 'Set password and sign in')
    await page.waitForURL(`${site.base}/desk`)
    await go('/desk/account')
    await page.getByText('My phone', { exact: true }).waitFor()
    assert.equal(await page.getByText('Unknown laptop', { exact: true }).count(), 0)

    await go('/desk')
    await go(`/desk/reset-password#${token}`)
    await heading(page, 'This link doesn’t work')
    await page.getByRole('link', { name: 'Get a new link' }).click()
    await heading(page, 'Reset your password')
    await go('/desk/reset-password')
    await heading(page, 'Open the link in our email')
    await look('link-needed')
  })

  test('whose session ended meanwhile signs in above the page and loses nothing of it', async () => {
    const { page, go, context, look } = await site.signedIn({ name: 'Charlotte Murchison' })
    await go('/desk/welcome')
    await page.getByLabel('About you').fill('Draws what she climbs.')
    await context.clearCookies({ name: 'desk' })
    await press(page, 'Save')
    await page.getByRole('dialog', { name: 'You’ve been signed out' }).waitFor()
    await look('signed-out-dialog')
    await page
      .getByRole('dialog')
      .getByLabel(/^Password/)
      .fill(goodPassword)
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('1 of 3 done').waitFor()
    const profile = await (await context.request.get(`${site.base}/desk/api/profile`)).json()
    assert.equal(profile.profile.bio, 'Draws what she climbs.')
  })
})

test('by keyboard alone: signs up with a password, skips the first steps, and finds the list of keys', async () => {
  const { page, go } = await site.visit()
  const keyboard = page.keyboard
  const email = anyEmail()
  await go('/desk/sign-in')
  await pressUntil(page, 'Tab', 'Create an account')
  await keyboard.press('Enter')
  await heading(page, 'Create account')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Create account', 'the heading has the focus')
  await pressUntil(page, 'Tab', 'Email address')
  await keyboard.type(email)
  await keyboard.press('Enter')
  await heading(page, 'Check your email')

  await go(`/desk/verify-email#${await site.emailToken(email, 'sign_up')}`)
  await pressUntil(page, 'Tab', 'Your name')
  await keyboard.type('Barbara Hastings')
  await pressUntil(page, 'Tab', 'Use a password instead')
  await keyboard.press('Space')
  await pressUntil(page, 'Shift+Tab', 'Password')
  await keyboard.type(goodPassword)
  await keyboard.press('Enter')
  await heading(page, 'Welcome, Barbara Hastings')

  await keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await pressUntil(page, 'Tab', 'Skip to your pieces')
  await keyboard.press('Enter')
  await page.waitForURL(`${site.base}/desk`)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content')
  await keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.id'), 'main')
})

test('an address of the desk that there is not answers 404, as a page', async () => {
  const { page } = await site.visit()
  const answer = await page.goto(`${site.base}/desk/no-such-place`)
  assert.equal(answer?.status(), 404)
  await page.getByRole('heading', { level: 1 }).waitFor()
})

/** The whole journey of a new writer: from sign-up to a public piece. */

async function readByOthers(path: string): Promise<string> {
  const { page } = await site.visit()
  const answer = await page.goto(site.base + path)
  assert.equal(answer?.status(), 200, path)
  return (await page.locator('main').textContent()) ?? ''
}

test('by mouse: signs up, makes a passkey, takes the three steps, and ends at the live link', async () => {
  const visitor = await site.visit()
  const { page, go, look } = visitor
  await signUp(visitor)
  await page.getByLabel('Your name').fill('Mary Buckland')
  await press(page, 'Create a passkey')
  await heading(page, 'Welcome, Mary Buckland')
  await page.getByLabel('About you').fill('Looks for bones on the beach at Lyme.')
  await press(page, 'Save')
  await page.getByRole('link', { name: 'Start writing' }).click()

  await page.waitForURL(/\/desk\/edit\/pieces\/new/)
  await page.getByRole('textbox', { name: 'Headline' }).fill('On bones')
  await page.getByRole('textbox', { name: 'Text' }).click()
  await page.keyboard.type('They lie where the **cliff** gave way.')
  await saved(page)

  await go('/desk/welcome')
  await page.getByText('2 of 3 done').waitFor()
  await look('newcomer-third-step')
  await page.getByRole('link', { name: 'Preview and publish' }).click()
  await chooseCategory(page, 'Ideas')
  await press(page, 'Publish')
  await heading(page, 'Published')
  await go('/desk/welcome')
  await heading(page, 'Your piece is published')
  await look('newcomer-done')
  assert.match(await readByOthers('/author/mary-buckland/on-bones'), /They lie where the cliff gave way\./)
})

test('by keyboard alone: signs up with a password, writes and publishes', async () => {
  const { page, go } = await site.visit()
  const { keyboard } = page
  const email = anyEmail()
  await go('/desk/sign-up')
  await pressUntil(page, 'Tab', 'Email address')
  await keyboard.type(email)
  await keyboard.press('Enter')
  await heading(page, 'Check your email')
  await go(`/desk/verify-email#${await site.emailToken(email, 'sign_up')}`)
  await page.locator('input[autocomplete=name]:focus').waitFor()
  await keyboard.type('William Smith')
  await pressUntil(page, 'Tab', 'Use a password instead')
  await keyboard.press('Enter')
  await page.locator('input[autocomplete=new-password]:focus').waitFor()
  await keyboard.type(goodPassword)
  await keyboard.press('Enter')
  await heading(page, 'Welcome, William Smith')
  await pressUntil(page, 'Tab', 'About you')
  await keyboard.type('A doctor who digs.')
  await pressUntil(page, 'Tab', 'Save')
  await keyboard.press('Enter')
  await page.getByText('1 of 3 done').waitFor()
  await page.locator('h1:focus').waitFor()
  await pressUntil(page, 'Tab', 'Start writing')
  await keyboard.press('Enter')

  await page.waitForURL(/\/desk\/edit\/pieces\/new/)
  await page.getByRole('textbox', { name: 'Headline' }).waitFor()
  await keyboard.type('On teeth')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.type('One was found by the road.')
  await saved(page)
  await keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
  await pressUntil(page, 'Tab', 'Building')
  await keyboard.press('ArrowDown')
  await page.getByRole('button', { name: 'Publish', exact: true, disabled: false }).waitFor()
  await pressUntil(page, 'Tab', 'Publish')
  await keyboard.press('Enter')
  await heading(page, 'Published')
  assert.match(await readByOthers('/author/william-smith/on-teeth'), /One was found by the road\./)
})
