import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../testkit/waiting.ts'
import { screenshot } from './browser.ts'
import { openPiece } from './desk-piece.ts'
import { openDeskSite, saved } from './desk-site.ts'

/** How headings, lists, quotes and tasks are set in the editor. */

const site = await openDeskSite()

test('a click on the checkbox of a task changes one character, and undo brings it back', async () => {
  const { page, body, look } = await openPiece(site, '## Tea\n\n- [ ] Boil\n* [X] Wait\n\nEnd.')
  const now = async () => {
    await page.keyboard.press('Control+s')
    await saved(page)
    return body()
  }
  const boxes = page.getByRole('checkbox', { name: 'Done' })
  await look('editor-tasks')
  await boxes.first().click()
  assert.equal(await now(), '## Tea\n\n- [x] Boil\n* [X] Wait\n\nEnd.')
  await boxes.last().click()
  assert.equal(await now(), '## Tea\n\n- [x] Boil\n* [ ] Wait\n\nEnd.')
  assert.equal(await boxes.first().isChecked(), true)
  assert.equal(await boxes.last().isChecked(), false)
  await page.keyboard.press('Control+z')
  assert.match(await now(), /\* \[X\] Wait/)
})

/** Where a word begins. */
const leftOf =
  (page: Page) =>
  async (word: string): Promise<unknown> =>
    page.evaluate(`(() => {
      const walker = document.createTreeWalker(document.querySelector('.cm-content'), 4)
      while (walker.nextNode()) {
        const at = walker.currentNode.data.indexOf('${word}')
        if (at < 0) continue
        const range = document.createRange()
        range.setStart(walker.currentNode, at)
        range.setEnd(walker.currentNode, at + 1)
        const { left, top } = range.getBoundingClientRect()
        return [Math.round(left), Math.round(top)].join()
      }
    })()`)

test('the words of a heading and of a task stay where they are when the cursor comes', async () => {
  const { page } = await openPiece(site, 'One.\n\n## Tea\n\n- [ ] Boil\n\nEnd.', { showsSigns: true })
  const left = leftOf(page)
  const before = [await left('Tea'), await left('Boil')]
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.locator('.md-hang').waitFor()
  await screenshot(page, 'editor-heading-mark')
  const atHeading = await left('Tea')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.locator('.md-hang').waitFor({ state: 'detached' })
  assert.deepEqual([atHeading, await left('Boil')], before)
})

test('list marks are bullets and numbers in the margin, a quote has a bar, and no word moves when the cursor comes', async () => {
  const { page, look, body } = await openPiece(
    site,
    'One.\n\n- Green\n  * Sencha\n    + Gyokuro\n\n7. Boil\n7. Pour\n\n> Slow\n> tea\n\nEnd.',
  )
  const markers = () => page.locator('.md-marker').allTextContents()
  assert.deepEqual(await markers(), ['•', '◦', '▪', '8.'])
  assert.equal(await page.getByText('>').count(), 0)
  await look('editor-lists')
  const left = leftOf(page)
  const words = ['Green', 'Sencha', 'Gyokuro', 'Boil', 'Pour', 'Slow', 'tea']
  const places = async () => Promise.all(words.map(left))
  const before = await places()
  await page.keyboard.press('Control+Home')
  for (let line = 0; line < 11; line += 1) {
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Home')
    assert.deepEqual(await places(), before)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    assert.deepEqual(await places(), before)
  }
  // In the place of a mark its Markdown is shown.
  await page.getByText('Green').click()
  await page.keyboard.press('Home')
  await until(async () => (await markers())[0] !== '•', 'the source is shown')
  assert.match(await body(), /^One\.\n\n- Green\n {2}\* Sencha/)
})
