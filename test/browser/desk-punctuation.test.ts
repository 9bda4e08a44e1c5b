import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../testkit/waiting.ts'
import { openPiece, textOf } from './desk-piece.ts'
import { openDeskSite, saved } from './desk-site.ts'

/** Quotation marks, apostrophes, dashes and ellipses in the editor: shown as readers see them, kept as they were typed. */

const site = await openDeskSite()

test('signs are shown as readers will see them, except at the caret, and the text stays as it was typed', async () => {
  const body = 'He said "tea" -- it\'s `"hot"`...\n\n'
  const writer = await openPiece(site, body)
  const { page } = writer
  const shows = (words: string) =>
    until(async () => (await page.locator('.cm-line').allTextContents()).join('\n').trim() === words, words)
  await shows('He said “tea” – it’s "hot"…')
  // The caret is behind the mark that is typed.
  await page.keyboard.type('So "it')
  await shows('He said “tea” – it’s "hot"…\n\nSo “it')
  await page.keyboard.type('"')
  await shows('He said “tea” – it’s "hot"…\n\nSo “it"')
  await page.keyboard.type(' is')
  await shows('He said “tea” – it’s "hot"…\n\nSo “it” is')
  await page.keyboard.press('Control+Home')
  for (let right = 0; right < 8; right += 1) await page.keyboard.press('ArrowRight')
  await shows('He said "tea” – it’s "hot"…\n\nSo “it” is')
  await page.keyboard.press('Delete')
  await page.keyboard.type('"')
  await page.keyboard.press('Control+s')
  await saved(page)
  assert.equal(await writer.body(), `${body}So "it" is`)

  // What is copied is what was typed.
  await page.keyboard.press('Control+a')
  const copied = await page.evaluate(`(() => {
    const data = new DataTransfer()
    document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }))
    return data.getData('text/plain')
  })()`)
  assert.equal(copied, `${body}So "it" is`)
})

test('they are those of the language of the piece, also when it changes', async () => {
  const { page } = await openPiece(site, 'Er sagt "Tee".\n\n')
  const shows = (words: string) => until(async () => (await textOf(page).textContent())?.trim() === words, words)
  await shows('Er sagt “Tee”.')
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByLabel('Language').fill('de')
  await page.getByRole('button', { name: 'Done' }).click()
  await shows('Er sagt „Tee“.')
})
