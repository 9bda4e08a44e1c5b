import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axeViolations, screenshot, until, wcag } from './browser.ts'
import { pieceOpener, textOf } from './desk-piece.ts'
import { focused, openDeskSite, writerAtDesk } from './desk-site.ts'

/** Formatting by mouse, keyboard and touch. */

const site = await openDeskSite()
const writer = await writerAtDesk(site)
const { page, begin } = writer
const opened = pieceOpener(writer)
const text = textOf(page)
const toolbar = page.getByRole('toolbar', { name: 'Formatting' })
const button = (name: string) => toolbar.getByRole('button', { name, exact: true })

const hasTextFocus = () => page.evaluate("document.activeElement.matches('.cm-content')")

test('a selection offers formatting beside its line, keeps the focus, and shows what it has', async () => {
  const body = await opened('First line.\n\nSecond line.\n\nThird line.')
  await text.getByText('Second').dblclick({ position: { x: 10, y: 12 } })
  await toolbar.waitFor()
  await screenshot(page, 'editor-toolbar')
  const line = (await text.getByText('Second').boundingBox())!
  const box = (await toolbar.boundingBox())!
  assert.ok(box.y + box.height <= line.y || box.y >= line.y + line.height, 'it covers the selected line')
  assert.equal(await button('Bold').getAttribute('aria-pressed'), 'false')
  await button('Bold').click()
  await page.locator('[data-act=bold][aria-pressed=true]').waitFor()
  assert.equal(await hasTextFocus(), true)
  await button('List').click()
  assert.deepEqual(await axeViolations(page, wcag), [])
  assert.match(String(await body()), /^First line\.\n\n- \*\*\w+\*\* line\.\n\nThird line\.$/)
  await page.keyboard.press('Escape')
  await toolbar.waitFor({ state: 'hidden' })
  assert.equal(await hasTextFocus(), true)
})

test('the address of a link is asked for in the toolbar, by key or mouse, and changed and removed there', async () => {
  const body = await opened('Above.\n\nSee this')
  await text.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.keyboard.press('Control+k')
  const address = page.getByRole('textbox', { name: 'Link address' })
  await address.fill('no address')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a web or email address, such as https://example.org.').waitFor()
  await screenshot(page, 'editor-toolbar-link')
  assert.deepEqual(await axeViolations(page, wcag), [])
  await address.fill('example.org/tea')
  await page.keyboard.press('Enter')
  await address.waitFor({ state: 'hidden' })
  await page.keyboard.type('.')
  assert.equal(await body(), 'Above.\n\nSee [this](https://example.org/tea).')
  await text.getByText('this').dblclick({ position: { x: 10, y: 12 } })
  await button('Link').click()
  assert.equal(await address.inputValue(), 'https://example.org/tea')
  await page.getByRole('button', { name: 'Remove link' }).click()
  assert.equal(await body(), 'Above.\n\nSee this.')
})

test('by keyboard: a key leads to the toolbar, arrows through it in the direction of the page, Escape back', async () => {
  const body = await opened('Above.\n\nTea')
  await text.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Alt+F10')
  assert.equal(await focused(page), 'Bold')
  await page.keyboard.press('ArrowRight')
  assert.equal(await focused(page), 'Italic')
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  assert.equal(await focused(page), 'Comment')
  await page.evaluate("document.documentElement.dir = 'rtl'")
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  assert.equal(await focused(page), 'Numbered list')
  await page.keyboard.press('ArrowLeft')
  assert.equal(await focused(page), 'Quote')
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  assert.equal(await hasTextFocus(), true)
  const box = (await toolbar.boundingBox())!
  assert.ok(box.x >= 0 && box.x + box.width <= 1280, `${box.x} is outside the window`)
  await page.evaluate("document.documentElement.dir = 'ltr'")
  assert.equal(await body(), 'Above.\n\n> _Tea_')
})

test('on a phone a bar above the keyboard formats what is typed, with targets of 44 px', async () => {
  const context = await site.browser.newContext({
    locale: 'en-GB',
    viewport: { width: 320, height: 700 },
    hasTouch: true,
    isMobile: true,
    storageState: await writer.context.storageState(),
  })
  const phone = await context.newPage()
  const id = await begin('On tea', 'Tea')
  await phone.goto(`${site.base}/desk/edit/pieces/${id}`)
  const bar = phone.getByRole('toolbar', { name: 'Formatting' })
  assert.equal(await bar.count(), 0)
  await phone.getByRole('textbox', { name: 'Text', exact: true }).tap()
  await bar.waitFor()
  await screenshot(phone, 'editor-touch-bar')
  const names = await bar.getByRole('button').evaluateAll((found) => found.map((one) => one.ariaLabel))
  assert.deepEqual(names, [
    'Bold',
    'Italic',
    'Link',
    'Heading',
    'List',
    'Quote',
    'Picture',
    'Footnote',
    'Comment',
    'Undo',
    'Redo',
    'Find',
  ])
  const { y, height } = (await bar.boundingBox())!
  assert.ok(Math.abs(y + height - 700) <= 1, `${y + height} is not the foot of the window`)
  for (const one of await bar.getByRole('button').all()) {
    const size = (await one.boundingBox())!
    assert.ok(size.width >= 44 && size.height >= 44, `${size.width} by ${size.height}`)
  }
  // As if a keyboard covered the lower part of the page.
  await phone.evaluate(`(() => {
    Object.defineProperty(visualViewport, 'height', { value: 400, configurable: true })
    visualViewport.dispatchEvent(new Event('resize'))
  })()`)
  await until(phone, "Math.abs(document.querySelector('.md-bar').getBoundingClientRect().bottom - 400) <= 1")
  await phone.keyboard.press('Control+a')
  await bar.getByRole('button', { name: 'Bold' }).tap()
  await phone.locator('.md-strong').getByText('Tea').waitFor()
  await bar.getByRole('button', { name: 'Undo' }).tap()
  await bar.getByRole('button', { name: 'Heading' }).tap()
  await phone.locator('.md-heading-2').getByText('Tea').waitFor()
  assert.equal(await phone.evaluate("document.activeElement.matches('.cm-content')"), true)
  assert.equal(await phone.evaluate('document.documentElement.scrollWidth'), 320)
  assert.deepEqual(await axeViolations(phone, wcag), [])
  await context.close()
})
