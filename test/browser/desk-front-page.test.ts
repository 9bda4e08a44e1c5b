import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screenshot } from './browser.ts'
import { focused, openDeskSite } from './desk-site.ts'

/** A moderator decides what comes first on the front page, and readers see it. */

const site = await openDeskSite()

/** The headlines of the front page, as a reader without a script has them. */
async function readersSee(): Promise<string[]> {
  const body = await (await fetch(site.base)).text()
  return [...body.matchAll(/class="title" dir="auto"[^>]*><a href="[^"]+">([^<]+)</g)].map(([, title]) => title!)
}

test('a moderator pins, orders and unpins pieces with a preview, and what is unpublished leaves', async () => {
  const writer = await site.signedIn({ name: 'Ada Okafor' })
  const other = await site.signedIn({ name: 'Bo Lind' })
  const tea = await writer.publish('On tea')
  await other.publish('On rain')
  await other.publish('On trains')
  const moderator = await site.signedIn({ role: 'moderator', name: 'Mo Reader' })
  const { page, go, look } = moderator
  await go('/desk/front-page')
  await page.getByText('Nothing pinned yet').waitFor()
  assert.deepEqual((await readersSee())[0], 'On trains')

  const find = page.getByLabel('Pin a piece')
  await find.fill('on TEA')
  await page.getByRole('button', { name: 'Pin “On tea”' }).click()
  await find.fill(`${site.base}/author/${(await other.ask('GET', '/profile')).profile.slug}/on-rain`)
  await page.getByRole('button', { name: 'Pin “On rain”' }).click()
  await page.getByRole('button', { name: 'Move “On rain” up' }).click()
  const pins = page.getByRole('list', { name: 'Pinned pieces' }).getByRole('heading')
  assert.deepEqual(await pins.allTextContents(), ['On rain', 'On tea'])
  await page.getByLabel('Note', { exact: true }).fill('Weather and what to drink with it.')

  const preview = page.frameLocator('iframe[title="Preview"]')
  await preview.getByText('Weather and what to drink with it.').waitFor()
  assert.equal(await preview.locator('.story .title').first().textContent(), 'On rain')
  assert.deepEqual((await readersSee())[0], 'On trains', 'nothing is saved yet')
  await screenshot(page.locator('iframe'), 'front-page-preview')
  await look('front-page')

  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Readers see it now.').waitFor()
  await page.getByText('Last saved by Mo Reader').waitFor()
  assert.deepEqual(await readersSee(), ['On rain', 'On tea', 'On trains'])

  await writer.ask('POST', `/pieces/${tea}/unpublish`)
  assert.deepEqual(await readersSee(), ['On rain', 'On trains'])
  await page.reload()
  await pins.first().waitFor()
  assert.deepEqual(await pins.allTextContents(), ['On rain'])

  await page.getByLabel('Pin “On rain” until').fill('2020-01-01T00:00')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.equal(await focused(page), 'Pin “On rain” until', 'an end that has passed is not saved')
  await page.getByRole('button', { name: 'Unpin “On rain”' }).click()
  assert.equal(await focused(page), 'Pin a piece')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Readers see it now.').waitFor()
  assert.deepEqual(await readersSee(), ['On trains', 'On rain'])

  await find.fill('a piece that nobody wrote')
  await page.getByText('No public pieces match “a piece that nobody wrote”.').waitFor()
})

test('of two moderators at once neither loses anything without knowing', async () => {
  const writer = await site.signedIn({ name: 'Cy Two' })
  await writer.publish('On salt')
  await writer.publish('On sugar')
  const [one, two] = [
    await site.signedIn({ role: 'moderator', name: 'First Moderator' }),
    await site.signedIn({ role: 'moderator', name: 'Second Moderator' }, { viewport: { width: 390, height: 844 } }),
  ]
  for (const [{ page, go }, title] of [
    [one, 'On salt'],
    [two, 'On sugar'],
  ] as const) {
    await go('/desk/front-page')
    await page.getByRole('button', { name: `Pin “${title}”` }).click()
  }
  await one.page.getByRole('button', { name: 'Save' }).click()
  await one.page.getByText('Saved. Readers see it now.').waitFor()
  // The answer 409 is what this test is about.
  two.page.on('console', () => two.complaints.splice(0))
  await two.page.getByRole('button', { name: 'Save' }).click()
  await two.page.getByText('saved by First Moderator after you opened it').waitFor()
  assert.equal((await readersSee())[0], 'On salt')
  await two.look('front-page-newer')
  await two.page.getByRole('button', { name: 'Keep this version' }).click()
  assert.equal(await focused(two.page), 'Front page')
  await two.page.getByRole('button', { name: 'Save' }).click()
  await two.page.getByText('Saved. Readers see it now.').waitFor()
  assert.equal((await readersSee())[0], 'On sugar')
  two.complaints.splice(0)
})

test('who is no moderator has no way to it', async () => {
  const { page, go } = await site.signedIn({ name: 'Only Writes' })
  await go('/desk')
  await page.getByRole('navigation', { name: 'Desk' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Front page' }).count(), 0)
})
