import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { until } from '../../testkit/waiting.ts'
import { axeViolations, screenshot, wcag } from './browser.ts'
import { type OpenPiece, openPiece } from './desk-piece.ts'
import { openDeskSite, saved } from './desk-site.ts'

/** Pictures in the text are blocks: handled by mouse, keyboard and touch, without their Markdown. */

const site = await openDeskSite()
const drawn = await sharp({ create: { width: 1600, height: 500, channels: 3, background: { r: 40, g: 90, b: 140 } } })
  .jpeg()
  .toBuffer()

/** A writer with an uploaded picture between two paragraphs, and its address. */
async function withPicture(
  text = 'One.\n\nP\n\nTwo.',
): Promise<OpenPiece & { address: string; now(): Promise<string> }> {
  const writer = await openPiece(site)
  const answer = await writer.context.request.post(`${site.base}/desk/api/media?piece=${writer.id}`, {
    headers: { origin: site.base, 'content-type': 'image/jpeg' },
    data: drawn,
  })
  const address = ((await answer.json()) as { media: { url: string } }).media.url
  const piece = await writer.ask('GET', `/pieces/${writer.id}`)
  await writer.ask('PATCH', `/pieces/${writer.id}`, {
    ...piece.text,
    body_md: text.replace('P', `![A harbour](${address})`),
  })
  await writer.go(`/desk/edit/pieces/${writer.id}`)
  await figure(writer.page).waitFor()
  return {
    ...writer,
    address,
    now: async () => {
      await writer.page.keyboard.press('Control+s')
      await saved(writer.page)
      return (await writer.body()).replaceAll(address, 'P')
    },
  }
}

const figure = (page: Page) => page.locator('.md-picture-block figure')
const selected = (page: Page) => page.locator('.md-picture-selected')
const panel = (page: Page) => page.getByRole('group', { name: 'Picture', exact: true })
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('by mouse: a click opens the panel, what is entered is shown at once, and only that is changed', async () => {
  const { page, now, look } = await withPicture()
  assert.equal(await page.getByText('/media/').count(), 0)
  await figure(page).click()
  await panel(page).getByLabel('Alt text').fill('A quay')
  await panel(page).getByLabel('Caption').fill('The *old* quay. Photo: [Ada](https://ada.example)')
  await page.locator('figcaption em', { hasText: 'old' }).waitFor()
  assert.equal(await page.locator('figcaption').textContent(), 'The old quay. Photo: Ada')
  await panel(page).getByLabel('Width').selectOption('wide')
  await page.locator('.md-picture-block[data-width=wide]').waitFor()
  await look('editor-picture-panel')
  await panel(page).getByLabel('Width').selectOption('full')
  await page.locator('.md-picture-block[data-width=full]').waitFor()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await screenshot(page, 'editor-picture-full')
  await page.getByRole('button', { name: 'Done' }).click()
  await panel(page).waitFor({ state: 'detached' })
  assert.equal(await now(), 'One.\n\n![A quay](P#full "The *old* quay. Photo: [Ada](https://ada.example)")\n\nTwo.')
})

test('by mouse: a picture is dragged between other paragraphs, replaced, removed, and brought back by undo', async () => {
  const { page, now, body } = await withPicture('One.\n\nTwo.\n\nP\n\nThree.')
  await figure(page).dragTo(page.getByText('One.'), { targetPosition: { x: 5, y: 3 } })
  assert.equal(await now(), '![A harbour](P)\n\nOne.\n\nTwo.\n\nThree.')
  await figure(page).click()
  const chooser = page.waitForEvent('filechooser')
  await panel(page).getByRole('button', { name: 'Replace' }).click()
  const other = await sharp(drawn).resize(300).jpeg().toBuffer()
  await (await chooser).setFiles({ name: 'quay.jpg', mimeType: 'image/jpeg', buffer: other })
  await until(
    async () => !(await now()).includes('(P)') && (await body()).startsWith('![A harbour](/media/'),
    'replaced',
  )
  await panel(page).getByRole('button', { name: 'Remove' }).click()
  assert.equal(await now(), 'One.\n\nTwo.\n\nThree.')
  await press(page, 'Control+z')
  await selected(page).waitFor()
  assert.match(await now(), /^!\[A harbour\]\(\/media\/[\w-]+\)\n\nOne\.\n\nTwo\.\n\nThree\.$/)
})

test('by keyboard: arrows select a picture and leave it, Alt moves it, Enter edits it, Delete removes it', async () => {
  const { page, now } = await withPicture()
  await page.getByText('One.').click()
  await press(page, 'Control+Home', 'ArrowDown', 'ArrowDown')
  await selected(page).waitFor()
  assert.equal(await page.getByRole('toolbar', { name: 'Formatting' }).count(), 0)
  await press(page, 'Control+b', 'ArrowDown')
  await selected(page).waitFor({ state: 'detached' })
  await press(page, 'ArrowUp')
  await selected(page).waitFor()
  await press(page, 'Alt+ArrowDown')
  assert.equal(await now(), 'One.\n\nTwo.\n\n![A harbour](P)')
  await press(page, 'Alt+ArrowUp', 'Alt+ArrowUp', 'Alt+ArrowUp')
  assert.equal(await now(), '![A harbour](P)\n\nOne.\n\nTwo.')
  await press(page, 'Alt+ArrowDown', 'Enter')
  await page.locator('.md-panel input:focus').waitFor()
  await page.keyboard.type(' and boats')
  await press(page, 'Enter')
  await panel(page).waitFor({ state: 'detached' })
  assert.equal(await now(), 'One.\n\n![A harbour and boats](P)\n\nTwo.')
  await press(page, 'Control+z')
  assert.equal(await now(), 'One.\n\n![A harbour](P)\n\nTwo.')
  await press(page, 'Delete')
  assert.equal(await now(), 'One.\n\nTwo.')
  await press(page, 'Control+z', 'Backspace')
  assert.equal(await now(), 'One.\n\nTwo.')
  await press(page, 'Control+z')
  assert.equal(await now(), 'One.\n\n![A harbour](P)\n\nTwo.')
})

test('what is typed at a picture or beside it is a paragraph of its own, and deleting towards it selects it', async () => {
  const { page, now } = await withPicture()
  await page.getByText('One.').click()
  await press(page, 'Control+Home', 'ArrowDown', 'ArrowDown')
  await page.keyboard.type('Below.')
  assert.equal(await now(), 'One.\n\n![A harbour](P)\n\nBelow.\n\nTwo.')
  await press(page, 'Home', 'Backspace')
  await selected(page).waitFor()
  await press(page, 'ArrowUp')
  await page.keyboard.type('Above.')
  assert.equal(await now(), 'One.\n\nAbove.\n\n![A harbour](P)\n\nBelow.\n\nTwo.')
  await press(page, 'Delete')
  await selected(page).waitFor()
  await press(page, 'ArrowDown')
  await page.keyboard.type('Beside.')
  assert.equal(await now(), 'One.\n\nAbove.\n\n![A harbour](P)\n\nBeside.\n\nBelow.\n\nTwo.')
})

test('its Markdown can be edited as text, and is a picture again when the cursor has left', async () => {
  const { page, now } = await withPicture()
  await figure(page).click()
  await panel(page).getByRole('button', { name: 'Edit as text' }).click()
  await page.getByText('![A harbour](/media/').waitFor()
  await screenshot(page, 'editor-picture-text')
  await press(page, 'ArrowLeft')
  await page.keyboard.type(' "Caption"')
  assert.equal(await figure(page).count(), 0)
  await press(page, 'ArrowDown', 'ArrowDown')
  await page.locator('figcaption', { hasText: 'Caption' }).waitFor()
  assert.equal(await now(), 'One.\n\n![A harbour](P "Caption")\n\nTwo.')
})

test('by touch: a tap opens the panel without the keyboard, and its buttons of 44 px move the picture', async () => {
  const writer = await withPicture()
  const context = await site.browser.newContext({
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState: await writer.context.storageState(),
  })
  await writer.page.goto('about:blank')
  const phone = await context.newPage()
  await phone.goto(`${site.base}/desk/edit/pieces/${writer.id}`)
  await figure(phone).tap()
  await panel(phone).waitFor()
  assert.equal(await phone.evaluate("document.activeElement.matches('.cm-content')"), false)
  await screenshot(phone, 'editor-picture-touch')
  for (const one of await panel(phone).getByRole('button').all()) {
    const { height } = (await one.boundingBox())!
    assert.ok(height >= 44, `${height}`)
  }
  assert.deepEqual(await axeViolations(phone, wcag), [])
  await panel(phone).getByRole('button', { name: 'Move down' }).tap()
  await panel(phone).getByLabel('Width').selectOption('wide')
  await phone.locator('.md-picture-block[data-width=wide]').waitFor()
  assert.equal(await phone.evaluate('document.documentElement.scrollWidth'), 390)
  await saved(phone)
  await until(
    async () => (await writer.body()) === `One.\n\nTwo.\n\n![A harbour](${writer.address}#wide)`,
    'it is moved and wide',
  )
  await context.close()
})
