import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { anyEmail, goodPassword } from '../../testkit/accounts.ts'
import { openDeskSite, pressUntil, saved } from './desk-site.ts'

/** The whole journey of a new writer: from sign-up to a public piece. */

const site = await openDeskSite()

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function readByOthers(path: string): Promise<string> {
  const { page } = await site.visit()
  const answer = await page.goto(site.base + path)
  assert.equal(answer?.status(), 200, path)
  return (await page.locator('main').textContent()) ?? ''
}

test('by mouse: signs up, makes a passkey, takes the three steps, and ends at the live link', async () => {
  const { page, go, look, complaints } = await site.visit()
  const email = anyEmail()
  await go('/desk/sign-up')
  await page.getByLabel('E-mail address').fill(email)
  await press(page, 'Send me the letter')
  await heading(page, 'A letter is on its way')
  await go(`/desk/verify-email#${await site.emailToken(email, 'sign_up')}`)
  await page.getByLabel('Your name').fill('Mary Anning')
  await press(page, 'Make a passkey')
  await heading(page, 'Welcome, Mary Anning')
  await page.getByLabel('A line about you').fill('Looks for bones on the beach at Lyme.')
  await press(page, 'Save it')
  await page.getByRole('link', { name: 'Begin to write' }).click()

  await page.waitForURL(/\/desk\/edit\/pieces\/new/)
  await page.getByRole('textbox', { name: 'Headline' }).fill('On bones')
  await page.getByRole('textbox', { name: 'Text' }).click()
  await page.keyboard.type('They lie where the **cliff** gave way.')
  await saved(page)

  await go('/desk/welcome')
  await page.getByText('2 of 3 done').waitFor()
  await look('newcomer-third-step')
  await page.getByRole('link', { name: 'See it and publish' }).click()
  await press(page, 'Publish')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await heading(page, 'It is public')
  await go('/desk/welcome')
  await heading(page, 'Your piece is public')
  await look('newcomer-done')
  assert.match(await readByOthers('/author/mary-anning/on-bones'), /They lie where the cliff gave way\./)
  assert.deepEqual(complaints, [])
})

test('by keyboard alone: signs up with a password, writes and publishes', async () => {
  const { page, go, complaints } = await site.visit()
  const { keyboard } = page
  const email = anyEmail()
  await go('/desk/sign-up')
  await pressUntil(page, 'Tab', 'E-mail address')
  await keyboard.type(email)
  await keyboard.press('Enter')
  await heading(page, 'A letter is on its way')
  await go(`/desk/verify-email#${await site.emailToken(email, 'sign_up')}`)
  await page.locator('input[autocomplete=name]:focus').waitFor()
  await keyboard.type('Gideon Mantell')
  await pressUntil(page, 'Tab', 'Use a password instead')
  await keyboard.press('Enter')
  await page.locator('input[autocomplete=new-password]:focus').waitFor()
  await keyboard.type(goodPassword)
  await keyboard.press('Enter')
  await heading(page, 'Welcome, Gideon Mantell')
  await pressUntil(page, 'Tab', 'A line about you')
  await keyboard.type('A doctor who digs.')
  await pressUntil(page, 'Tab', 'Save it')
  await keyboard.press('Enter')
  await page.getByText('1 of 3 done').waitFor()
  await page.locator('h1:focus').waitFor()
  await pressUntil(page, 'Tab', 'Begin to write')
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
  await pressUntil(page, 'Tab', 'Publish')
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await pressUntil(page, 'Tab', 'Publish')
  await keyboard.press('Enter')
  await heading(page, 'It is public')
  assert.match(await readByOthers('/author/gideon-mantell/on-teeth'), /One was found by the road\./)
  assert.deepEqual(complaints, [])
})
