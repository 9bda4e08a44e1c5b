import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations, screenshot, until, wcag } from './browser.ts'
import { openPiece, textOf } from './desk-piece.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** The first piece of a writer who knows no Markdown: everything is formatted, and no sign of it is typed or seen. */

const site = await openDeskSite()

const shownText = (page: Page): Promise<string> => page.evaluate("document.querySelector('.cm-content').innerText")

/** Nothing of what Markdown would write: these texts have no such character themselves. */
async function seesNoSigns(page: Page): Promise<void> {
  assert.doesNotMatch(await shownText(page), /[*_#>~`[\]()]|https?:/)
}

test('by keyboard: bold, italic, a heading, a list, a quote and a link, and no sign is ever on the screen', async () => {
  const { page, go, ask, look } = await writerAtDesk(site)
  await go('/desk/edit/pieces/new')
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      await seesNoSigns(page)
    }
  }
  const type = async (text: string) => {
    for (const sign of text) await press(sign === ' ' ? 'Space' : sign)
  }
  await page.keyboard.type('On tea')
  await press('Enter', 'Enter')
  await type('Tea is ')
  await press('Control+b')
  await type('very slow')
  await press('Control+b')
  await type(' and ')
  await press('Control+i')
  await type('old')
  await press('Control+i')
  await type('s, too.')
  await press('Enter')
  // The menu shows what each entry writes, beside the text.
  await page.keyboard.type('/head')
  await page.getByRole('option', { name: 'Heading' }).first().waitFor()
  await press('Enter')
  await type('What you need')
  await press('Enter')
  await page.keyboard.type('/list')
  await page.getByRole('option', { name: 'List' }).first().waitFor()
  await press('Enter')
  await type('A kettle')
  await press('Enter')
  await type('A cup')
  await press('Enter', 'Enter')
  await page.keyboard.type('/quote')
  await page.getByRole('option', { name: 'Quote' }).first().waitFor()
  await press('Enter')
  await type('Wait.')
  await press('Enter', 'Enter')
  await type('Read more')
  await press('Control+Shift+ArrowLeft', 'Control+k')
  await page.getByRole('textbox', { name: 'Link address' }).fill('example.org/tea')
  await press('Enter')
  await type(' here.')
  await page.keyboard.press('Control+s')
  await saved(page)
  await look('editor-first-piece')
  const id = page.url().split('/').at(-1)
  assert.equal(
    (await ask('GET', `/pieces/${id}`)).piece.body_md,
    [
      'Tea is **very slow** and *old*s, too.',
      '## What you need',
      '- A kettle\n- A cup',
      '> Wait.',
      'Read [more](https://example.org/tea) here.',
    ].join('\n\n'),
  )
})

test('by mouse: clicks and arrows place the cursor where it is seen, and what is typed looks like its neighbour', async () => {
  const { page, body } = await openPiece(site, 'Tea is **slow** now.\n\n## Needs\n\n> Wait.')
  const text = textOf(page)
  await text.getByText('slow').click({ position: { x: 2, y: 10 } })
  await page.keyboard.press('End')
  await seesNoSigns(page)
  for (let step = 0; step < ' now.'.length; step += 1) await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('er')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('by ')
  await text.getByText('Needs').click()
  await page.keyboard.press('Home')
  await page.keyboard.type('Real ')
  await seesNoSigns(page)
  await text.getByText('Wait').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Backspace')
  await seesNoSigns(page)
  await page.keyboard.press('Control+s')
  await saved(page)
  assert.equal(await body(), 'Tea is **slower** by now.\n\n## Real Needs\n\nWait.')
})

test('by touch: the bar formats what is typed next, and the last letter takes its signs along', async () => {
  const writer = await writerAtDesk(site)
  const context = await site.browser.newContext({
    locale: 'en-GB',
    viewport: { width: 390, height: 700 },
    hasTouch: true,
    isMobile: true,
    storageState: await writer.context.storageState(),
  })
  const phone = await context.newPage()
  const id = await writer.begin('On tea', 'Tea is')
  await phone.goto(`${site.base}/desk/edit/pieces/${id}`)
  await textOf(phone).tap()
  await phone.keyboard.press('Control+End')
  const bold = phone.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Bold', exact: true })
  await phone.keyboard.type(' ')
  await bold.tap()
  assert.equal(await bold.getAttribute('aria-pressed'), 'true')
  await phone.keyboard.type('so slow')
  await screenshot(phone, 'editor-first-piece-touch')
  await seesNoSigns(phone)
  await bold.tap()
  assert.equal(await bold.getAttribute('aria-pressed'), 'false')
  await phone.keyboard.type(' x')
  for (let letter = 0; letter < ' x'.length; letter += 1) await phone.keyboard.press('Backspace')
  for (let letter = 0; letter < 'so slow'.length; letter += 1) {
    await phone.keyboard.press('Backspace')
    await seesNoSigns(phone)
  }
  await phone.keyboard.type('old.')
  await phone.keyboard.press('Control+s')
  await saved(phone)
  assert.equal((await writer.ask('GET', `/pieces/${id}`)).piece.body_md, 'Tea is old.')
  assert.deepEqual(await axeViolations(phone, wcag), [])
  await context.close()
})

test('who writes Markdown can have its signs shown, on this device', async () => {
  const { page, body } = await openPiece(site, 'Tea is **slow**')
  await seesNoSigns(page)
  const toggle = page.getByRole('button', { name: 'Show Markdown' })
  await toggle.click()
  await textOf(page).focus()
  await until(page, "document.querySelector('.cm-content').innerText.includes('**slow**')")
  await page.reload()
  await textOf(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('!')
  await until(page, "document.querySelector('.cm-content').innerText.includes('**slow**!')")
  await page.keyboard.press('Control+s')
  await saved(page)
  assert.equal(await body(), 'Tea is **slow**!')
})
