import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDeskSite } from './desk-site.ts'

/** From a report without scripts, through a decision with reasons, to an appeal that another moderator decides. */

const site = await openDeskSite()

test('illegal content is reported without a script, comes first, and is taken down with reasons', async () => {
  const writer = await site.signedIn({ name: 'Ada Okafor' })
  const moderator = await site.signedIn({ role: 'moderator', name: 'Mo Reader' })
  const [id, listing] = [await writer.publish('On tea'), await writer.sell('A brass lamp')]
  await writer.ask('POST', `/products/${listing}/publish`, { revision: 1 })

  const reader = await site.browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })
  const form = await reader.newPage()
  await form.goto(`${site.base}/desk/report/${id}`)
  const place = form.getByLabel('Where exactly is it?')
  assert.equal(await place.isVisible(), false, 'asked of illegal content alone')
  await form.getByRole('radio', { name: 'Illegal content' }).check()
  await place.waitFor()
  await form.getByRole('button', { name: 'Send report' }).click()
  await form.getByRole('alert').getByRole('link', { name: 'Tell us why it is illegal.' }).waitFor()
  await form.getByLabel('What should we look at?').fill('It sells stolen tea, section 259.')
  await place.fill('The first sentence.')
  await form.getByLabel('Your name').fill('Kim Reader')
  await form.getByLabel('Your email address').fill('kim@reader.test')
  await form.getByRole('checkbox', { name: /I believe in good faith/ }).check()
  await form.getByRole('button', { name: 'Send report' }).click()
  await form.getByRole('heading', { name: 'Report sent' }).waitFor()
  await form.goto(`${site.base}/desk/report/listing/${listing}`)
  await form.getByRole('radio', { name: 'Spam' }).check()
  await form.getByRole('button', { name: 'Send report' }).click()
  await form.getByRole('heading', { name: 'Report sent' }).waitFor()
  await reader.close()

  const { page, go, look } = moderator
  await go('/desk/review?list=reports')
  const entries = page.getByRole('list', { name: 'Reported content' }).locator(':scope > li')
  await entries.first().getByText('Where: The first sentence.').waitFor()
  assert.deepEqual(await entries.getByRole('heading').allTextContents(), ['On tea', 'A brass lamp'])
  await look('review-reports-illegal')
  await page.getByRole('navigation', { name: 'Filter by reason' }).getByRole('link', { name: 'Spam' }).click()
  await page.getByRole('link', { name: 'On tea' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Take down “A brass lamp”' }).click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByLabel('Reason').inputValue(), 'spam')
  await dialog.getByLabel('Explanation').fill('The lamp does not exist.')
  await look('review-listing-take-down')
  await dialog.getByRole('button', { name: 'Take down' }).click()
  await page.getByText('Listing taken down').waitFor()
  await page.getByRole('heading', { name: 'No open reports for “Spam”' }).waitFor()

  await writer.go(`/desk/shop/${listing}`)
  await writer.page.getByText('The lamp does not exist.').waitFor()
  await writer.page.getByRole('link', { name: 'See the full decision or appeal' }).click()
  await writer.page.getByRole('heading', { name: 'Moderation decision' }).waitFor()
})

test('a writer appeals once, the moderator who decided is refused, and another brings the piece back', async () => {
  const writer = await site.signedIn({ name: 'Bo Salt' })
  const first = await site.signedIn({ role: 'moderator', name: 'Mo First' })
  const second = await site.signedIn({ role: 'moderator', name: 'Kim Second' })
  const id = await writer.publish('Four minutes', 'Steep it for four minutes.')
  const taken = { category: 'copyright', reason: 'It is from a book.', to: 'changes_requested' }
  const { decision } = await first.ask('POST', `/review/${id}/take-down`, taken)

  const { page, go, look } = writer
  await go(`/desk/edit/pieces/${id}`)
  await page.getByText('It is from a book.').waitFor()
  await look('editor-taken-down')
  await page.getByRole('link', { name: 'See the full decision or appeal' }).click()
  await page.getByText('Copyright. It uses someone else’s work').waitFor()
  await page.getByText('A moderator decided, without a report. No automation was involved.').waitFor()
  await look('decision')
  await page.getByLabel('Why is the decision wrong?').fill('The book is mine.')
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await page.getByText('Moderators are reviewing your appeal. We’ll email you').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Send appeal' }).count(), 0)
  await look('decision-appealed')

  await first.go(`/desk/review/decisions/${decision}`)
  await first.page.getByText('You made this decision, so another moderator has to decide the appeal.').waitFor()
  assert.equal(await first.page.getByRole('button', { name: 'Reverse' }).count(), 0)
  await first.look('appeal-own')

  await second.go('/desk/review?list=appeals')
  await second.page.getByRole('link', { name: 'Appeals 1' }).waitFor()
  await second.look('review-appeals')
  await second.page.getByRole('link', { name: 'Four minutes' }).click()
  await second.page.getByText('The book is mine.').waitFor()
  await second.page.frameLocator('iframe[title*="Four minutes"]').getByText('Steep it for four minutes.').waitFor()
  await second.look('appeal')
  await second.page.getByRole('button', { name: 'Reverse' }).click()
  const dialog = second.page.getByRole('dialog', { name: 'Reverse this decision?' })
  await dialog.getByLabel('Reason').fill('The cover has your name.')
  await second.look('appeal-reverse')
  await dialog.getByRole('button', { name: 'Reverse' }).click()
  await second.page.getByText('Decision reversed').waitFor()
  await second.page.getByRole('heading', { name: 'No open appeals' }).waitFor()
  await second.page.getByRole('link', { name: 'All takedowns and rejections' }).click()
  await second.page.getByText('Reversed', { exact: true }).waitFor()
  assert.equal((await fetch(`${site.base}/api/public/pieces/${id}`)).status, 200)

  await page.reload()
  await page.getByText('The cover has your name.').waitFor()
  await second.page.getByRole('link', { name: 'Audit log' }).click()
  await second.page.getByText('Kim Second reversed the decision about Four minutes by Bo Salt').waitFor()
})
