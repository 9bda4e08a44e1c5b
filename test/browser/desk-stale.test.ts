import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goodPassword } from '../../testkit/accounts.ts'
import { until } from '../../testkit/waiting.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** Displays follow what happened, without loading the page again. */

const site = await openDeskSite()

test('a problem of a field is gone once the field is corrected, before it is sent again', async () => {
  const { page, go, begin } = await writerAtDesk(site)
  await go(`/desk/edit/pieces/${await begin('On corrections')}/publish`)
  await page.getByRole('button', { name: 'Edit address' }).click()
  const field = page.getByRole('textbox', { name: 'End of the address' })
  await field.fill('?!')
  await field.press('Enter')
  const problem = page.getByText('Use at least one letter or digit')
  await problem.waitFor()
  await field.fill('tea')
  await problem.waitFor({ state: 'detached' })
  assert.equal(await field.getAttribute('aria-invalid'), null)
})

test('a piece that was open in another tab can be edited here as soon as that tab is closed', async () => {
  const { page, context, go, begin } = await writerAtDesk(site)
  const id = await begin('In two tabs', 'Tea is slow.')
  await go(`/desk/edit/pieces/${id}`)
  await page.getByText('3 words').waitFor()
  const second = await context.newPage()
  await second.goto(`${site.base}/desk/edit/pieces/${id}`)
  const notice = second.getByText(/^This piece is open in another tab/)
  await notice.waitFor()
  await page.close()
  await notice.waitFor({ state: 'detached' })
  const text = second.getByRole('textbox', { name: 'Text', exact: true })
  await until(async () => (await text.getAttribute('contenteditable')) === 'true', 'the text can be edited')
  await text.click()
  await second.keyboard.press('Control+End')
  await second.keyboard.type(' And good.')
  await second.keyboard.press('Control+s')
  await saved(second)
})

test('the list of pieces and its counts have what was just written', async () => {
  const { page, go, begin } = await writerAtDesk(site)
  await begin('The first')
  await go('/desk')
  await page.getByRole('link', { name: /^Drafts\s*1$/ }).waitFor()
  await page.getByRole('link', { name: 'New piece' }).first().click()
  await page.getByRole('textbox', { name: 'Headline' }).fill('The second')
  await page.getByRole('textbox', { name: 'Text', exact: true }).click()
  await page.keyboard.type('Words.')
  await page
    .getByRole('link', { name: /Pieces$/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'The second' }).waitFor()
  await page.getByRole('link', { name: /^Drafts\s*2$/ }).waitFor()
})

test('sessions and the security history follow a new password and signing out everywhere else', async () => {
  const { email, page, go } = await site.signedIn()
  const signInElsewhere = async () => {
    const other = await site.visit()
    const answer = await other.context.request.post(`${site.base}/desk/api/sign-in`, {
      headers: { origin: site.base },
      data: { email, password: goodPassword },
    })
    assert.equal(answer.status(), 200)
  }
  await signInElsewhere()
  await go('/desk/account')
  const others = page.getByRole('button', { name: 'Sign out everywhere else' })
  await others.click()
  await others.waitFor({ state: 'detached' })
  await page.getByText('Signed out of 1 session').waitFor()

  await signInElsewhere()
  await go('/desk/account')
  await others.waitFor()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByLabel('New password').fill('another very good one 7')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await others.waitFor({ state: 'detached' })
})
