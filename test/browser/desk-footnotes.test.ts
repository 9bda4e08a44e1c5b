import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../testkit/waiting.ts'
import { axeViolations, screenshot, wcag } from './browser.ts'
import { openPiece } from './desk-piece.ts'
import { openDeskSite, saved } from './desk-site.ts'

/** A footnote is written in a panel by its reference, and saved at the end of the text. */

const site = await openDeskSite()

const panel = (page: Page) => page.getByRole('group', { name: 'Footnote', exact: true })
const isWriting = (page: Page) => panel(page).locator('textarea:focus').waitFor()
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

async function opened(body: string) {
  const writer = await openPiece(site, body)
  return {
    ...writer,
    now: async () => {
      await writer.page.keyboard.press('Control+s')
      await saved(writer.page)
      return writer.body()
    },
  }
}

test('by keyboard: a footnote is written where it is mentioned, Escape goes on behind it, Enter opens it again', async () => {
  const { page, now, look } = await opened('Tea is slow.')
  await press(page, 'Control+Shift+Digit6')
  await isWriting(page)
  await page.keyboard.type('It takes minutes.')
  await look('editor-footnote')
  await press(page, 'Escape')
  await page.keyboard.type(' And hot.')
  assert.equal(await now(), 'Tea is slow.[^1] And hot.\n\n[^1]: It takes minutes.')
  await press(page, ...Array(11).fill('ArrowLeft'), 'Enter')
  await isWriting(page)
  await press(page, 'Control+z')
  assert.equal(await page.evaluate("document.activeElement.value ?? ''"), 'It takes minutes.')
  await page.keyboard.type(' Or hours.')
  await press(page, 'Enter')
  await panel(page).waitFor({ state: 'hidden' })
  await page.keyboard.type('!')
  assert.equal(await now(), 'Tea is slow.[^1]!\n\n[^1]: It takes minutes. Or hours.')
})

test('by mouse: a click on a reference opens it, and it is removed with its text in one step', async () => {
  const text = 'Tea[^1] is[^b] slow.\n\n[^1]: One.\n[^b]: Two.\n\n    And on.\n'
  const { page, now } = await opened(text)
  await page.getByText('[^b]').first().click()
  await isWriting(page)
  assert.equal(await page.getByLabel('Footnote b').inputValue(), 'Two.\n\nAnd on.')
  await panel(page).getByRole('button', { name: 'Delete footnote' }).click()
  await panel(page).waitFor({ state: 'hidden' })
  assert.equal(await now(), 'Tea[^1] is slow.\n\n[^1]: One.\n')
  await press(page, 'Control+z')
  assert.equal(await now(), text)
  await page.getByText('[^1]').first().click()
  await isWriting(page)
  await page.keyboard.type(' Two.')
  await panel(page).getByRole('button', { name: 'Done' }).click()
  assert.equal(await now(), text.replace('One.', 'One. Two.'))
})

test('by touch: the bar adds a footnote, and its panel has buttons of 44 px', async () => {
  const writer = await opened('Tea is slow.')
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
  await phone.getByRole('textbox', { name: 'Text', exact: true }).tap()
  await press(phone, 'Control+End')
  await phone.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Footnote' }).tap()
  await isWriting(phone)
  await phone.keyboard.type('Hot.')
  await screenshot(phone, 'editor-footnote-touch')
  for (const one of await panel(phone).getByRole('button').all()) {
    const { height } = (await one.boundingBox())!
    assert.ok(height >= 44, `${height}`)
  }
  assert.deepEqual(await axeViolations(phone, wcag), [])
  assert.equal(await phone.evaluate('document.documentElement.scrollWidth'), 390)
  await panel(phone).getByRole('button', { name: 'Done' }).tap()
  await phone.getByText('[^1]').first().tap()
  await isWriting(phone)
  await panel(phone).getByRole('button', { name: 'Done' }).tap()
  await saved(phone)
  await until(async () => (await writer.body()) === 'Tea is slow.[^1]\n\n[^1]: Hot.', 'it is saved')
  await context.close()
})
