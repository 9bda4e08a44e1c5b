import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { until } from '../../testkit/waiting.ts'
import { openDeskSite, pressUntil, writerAtDesk } from './desk-site.ts'

/** The publish sheet: what readers will see, and the details that can be chosen there, by mouse, keyboard and touch. */

const site = await openDeskSite()

test('readers’ views by mouse: the page as wide as a desktop and as a phone, a search result and a shared link', async () => {
  const { page, go, look, begin, writer } = await writerAtDesk(site)
  const id = await begin('On slow tea', 'Tea takes four minutes, and then some.', { sub: 'A defence.' })
  await go(`/desk/edit/pieces/${id}/publish`)
  const widthNow = () => page.frames()[1]?.evaluate<number>('innerWidth')
  await until(async () => (await widthNow()) === 1280, 'a desktop’s page is 1280 wide')
  const box = (await page.locator('iframe').boundingBox())!
  assert.ok(box.width < 900, 'and is shown smaller')
  await page.getByRole('radio', { name: 'Phone' }).check()
  await until(async () => (await widthNow()) === 390, 'a phone’s page is 390 wide')
  await look('publish-phone-view')
  await page.getByRole('radio', { name: 'Search and links' }).check()
  const views = page.getByRole('region', { name: 'Preview' })
  await views.getByText(`${new URL(site.base).host}/author/${writer.slug}/on-slow-tea`).waitFor()
  assert.equal(await views.getByText('On slow tea', { exact: true }).count(), 2)
  assert.equal(await views.getByText('A defence.', { exact: true }).count(), 2)
  const isDrawn = 'document.querySelector("figure img")?.naturalWidth === 1200'
  await until(() => page.evaluate(isDrawn), 'the picture of the link is drawn')
  await look('publish-links-view')
})

test('by keyboard: a category is asked for, a suggested tag is added, and Ctrl+Enter publishes what is shown', async () => {
  const { page, go, look, ask } = await writerAtDesk(site)
  await ask('POST', '/pieces', { headline: 'Other', body_md: 'Words.', tags: ['slow tea'] })
  const { piece } = await ask('POST', '/pieces', { headline: 'On tea', body_md: 'A defence of slow tea.' })
  await go(`/desk/edit/pieces/${piece.id}/publish`)
  const publish = page.getByRole('button', { name: 'Publish', exact: true })
  await page.getByText('Choose a category before you publish.').waitFor()
  assert.equal(await publish.isDisabled(), true)
  assert.equal(await page.getByRole('radio', { checked: true, name: 'Building' }).count(), 0)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Add slow tea' }).waitFor()
  await look('publish-category-asked')
  await pressUntil(page, 'Tab', 'Building')
  await page.keyboard.press('ArrowRight')
  await pressUntil(page, 'Tab', 'Add slow tea')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Added tags' }).getByText('slow tea').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true, disabled: false }).waitFor()
  const preview = page.frameLocator('iframe')
  await preview.getByRole('navigation', { name: 'Topics' }).getByText('slow tea').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
  const { status, category, tags } = (await ask('GET', `/pieces/${piece.id}`)).piece
  assert.deepEqual([status, category, tags], ['approved', 'leading', ['slow tea']])
})

test('by touch: a cover is chosen on the sheet, and the preview shows it', async () => {
  const { page, go, look, ask, begin } = await writerAtDesk(site, undefined, { hasTouch: true })
  await page.setViewportSize({ width: 390, height: 844 })
  const id = await begin('A harbour')
  await go(`/desk/edit/pieces/${id}/publish`)
  const picture = { create: { width: 900, height: 600, channels: 3, background: '#285a8c' } } as const
  await page.getByLabel('Cover picture').setInputFiles({
    name: 'harbour.jpg',
    mimeType: 'image/jpeg',
    buffer: await sharp(picture).jpeg().toBuffer(),
  })
  await page.getByLabel('Alt text').tap()
  await page.keyboard.type('A harbour at dusk')
  await page.getByText('Money', { exact: true }).tap()
  await page.frameLocator('iframe').getByRole('img', { name: 'A harbour at dusk' }).waitFor()
  await look('publish-cover')
  const { cover, category } = (await ask('GET', `/pieces/${id}`)).piece
  assert.deepEqual([cover.alt, category], ['A harbour at dusk', 'money'])
  await page.getByRole('button', { name: 'Publish', exact: true, disabled: false }).tap()
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
})

test('what another device saved meanwhile is shown, and what only the sheet changed is saved on top of it', async () => {
  const { page, go, ask, begin } = await writerAtDesk(site)
  const id = await begin('On rain')
  await go(`/desk/edit/pieces/${id}/publish`)
  await page.getByRole('radio', { name: 'Now' }).waitFor()
  await ask('PATCH', `/pieces/${id}`, { body_md: 'It rains.', tags: ['weather'] })
  await page.getByText('Civic', { exact: true }).first().click()
  await page.getByText('This piece was edited while this page was open.').waitFor()
  await page.getByRole('list', { name: 'Added tags' }).getByText('weather').waitFor()
  await until(async () => (await ask('GET', `/pieces/${id}`)).piece.category === 'civic', 'the category is saved')
  const { body_md, tags } = (await ask('GET', `/pieces/${id}`)).piece
  assert.deepEqual([body_md, tags], ['It rains.', ['weather']])
})
