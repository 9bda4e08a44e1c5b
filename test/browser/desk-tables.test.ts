import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../testkit/waiting.ts'
import { axeViolations, screenshot, wcag } from './browser.ts'
import { type OpenPiece, openPiece } from './desk-piece.ts'
import { openDeskSite, saved } from './desk-site.ts'

/** Tables are edited as tables, by mouse, keyboard and touch; rows that nobody touched stay as they were written. */

const site = await openDeskSite()
const given = '|Tea|  Grams |\n|---|:-:|\n|*Green* | 3 \\| 4|\n| Black | 2 |'

const grid = (page: Page) => page.getByRole('group', { name: 'Table', exact: true })
const cell = (page: Page, text: string) => grid(page).locator('th, td', { hasText: text })
const field = (page: Page) => page.locator('.md-cell:not([hidden])')
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Table', exact: true })
const act = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const isFocused = (page: Page) => field(page).and(page.locator(':focus')).waitFor()

async function withTable(table = given): Promise<OpenPiece & { now(): Promise<string> }> {
  const writer = await openPiece(site, `One.\n\n${table}\n\nTwo.`)
  if (table === given) await grid(writer.page).waitFor()
  return {
    ...writer,
    now: async () => {
      await writer.page.keyboard.press('Control+s')
      await saved(writer.page)
      const text = await writer.body()
      assert.ok(text.startsWith('One.\n\n') && text.endsWith('\n\nTwo.'), text)
      return text.slice(6, -6)
    },
  }
}

async function paste(page: Page, data: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    for (const [type, text] of Object.entries(${JSON.stringify(data)})) data.setData(type, text)
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })()`)
}

test('a table is shown as readers see it, and a cell is edited where it is: only its row changes', async () => {
  const { page, now, look } = await withTable()
  assert.equal(await page.locator('.cm-line', { hasText: '---' }).count(), 0)
  await cell(page, 'Green').locator('em').waitFor()
  assert.equal(await cell(page, '3 | 4').count(), 1)
  await cell(page, 'Green').click()
  await isFocused(page)
  assert.equal(await field(page).inputValue(), '*Green*')
  await page.keyboard.type(' tea')
  await look('editor-table')
  await cell(page, '3 | 4').click()
  await press(page, 'End')
  await page.keyboard.type(' | 5')
  assert.equal(await now(), given.replace('*Green*', '*Green* tea').replace('4|', '4 \\| 5|'))
  await press(page, 'Control+z')
  assert.equal(await field(page).inputValue(), '3 | 4')
  await press(page, 'Control+z')
  assert.equal(await now(), given)
})

test('by mouse: rows and columns are added, moved, aligned and removed, each one step for undo', async () => {
  const { page, now, look } = await withTable()
  await cell(page, 'Green').click()
  await isFocused(page)
  const steps: [string, string][] = [
    ['Insert row below', given.replace('\n| Black', '\n|  |  |\n| Black')],
    ['Insert row above', given.replace('\n|*Green', '\n|  |  |\n|*Green')],
    ['Move row down', '|Tea|  Grams |\n|---|:-:|\n| Black | 2 |\n|*Green* | 3 \\| 4|'],
    ['Move row up', '|*Green* | 3 \\| 4|\n|---|:-:|\n|Tea|  Grams |\n| Black | 2 |'],
    ['Delete row', given.replace('|*Green* | 3 \\| 4|\n', '')],
    ['Insert column left', '|  |Tea|  Grams |\n| --- |---|:-:|\n|  |*Green* | 3 \\| 4|\n|  | Black | 2 |'],
    ['Insert column right', '|Tea|  |  Grams |\n|---| --- |:-:|\n|*Green* |  | 3 \\| 4|\n| Black |  | 2 |'],
    ['Move column right', '|  Grams |Tea|\n|:-:|---|\n| 3 \\| 4|*Green* |\n| 2 | Black |'],
    ['Delete column', '|  Grams |\n|:-:|\n| 3 \\| 4|\n| 2 |'],
    ['Align right', given.replace('|---|', '|---:|')],
  ]
  for (const [name, after] of steps) {
    await act(page, name).click()
    assert.equal(await now(), after, name)
    await isFocused(page)
    await press(page, 'Control+z')
    assert.equal(await now(), given, name)
    await press(page, 'Escape')
    await cell(page, 'Green').click()
  }
  assert.equal(await act(page, 'Move column left').getAttribute('aria-disabled'), 'true')
  await look('editor-table-bar')
  await act(page, 'Delete table').click()
  await grid(page).waitFor({ state: 'detached' })
  await press(page, 'Control+s')
  await saved(page)
  await press(page, 'Control+z')
  assert.equal(await now(), given)
})

test('by keyboard: arrows lead in and out, Tab through the cells and to a new row, Enter down, Escape to the text', async () => {
  const { page, now } = await withTable()
  await press(page, 'Control+Home', 'ArrowDown', 'ArrowDown')
  await isFocused(page)
  assert.equal(await field(page).inputValue(), 'Tea')
  assert.equal(await field(page).getAttribute('aria-label'), 'Heading of column 1')
  await press(page, 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Enter')
  assert.equal(await field(page).inputValue(), 'Black')
  await press(page, 'Tab', 'Tab')
  await page.keyboard.type('Oolong')
  await press(page, 'Tab')
  await page.keyboard.type('5')
  assert.equal(await now(), `${given}\n| Oolong | 5 |`)
  await press(page, 'ArrowUp', 'ArrowLeft', 'ArrowLeft')
  assert.equal(await field(page).inputValue(), 'Black')
  await press(page, 'Control+a', 'Control+b')
  assert.equal(await field(page).inputValue(), '**Black**')
  await press(page, 'Alt+F10', 'ArrowRight', 'ArrowRight', 'Enter')
  assert.equal(await now(), '|Tea|  Grams |\n|---|:-:|\n| **Black** | 2 |\n|*Green* | 3 \\| 4|\n| Oolong | 5 |')
  await press(page, 'Escape')
  await isFocused(page)
  assert.equal(await field(page).inputValue(), '**Black**')
  await press(page, 'Escape')
  await field(page).waitFor({ state: 'detached' })
  await page.keyboard.type('Between.')
  assert.match(await now(), /\| 5 \|\n\nBetween\.$/)
  await press(page, 'ArrowUp', 'ArrowUp')
  await isFocused(page)
  assert.equal(await field(page).inputValue(), 'Oolong')
})

test('a new table is ready to type in, and below one at the end of the text there is room to go on', async () => {
  const { page, body } = await openPiece(site, 'One.')
  await press(page, 'Enter')
  await page.keyboard.type('/table')
  await page.locator('.cm-tooltip-autocomplete').waitFor()
  await press(page, 'Enter')
  await isFocused(page)
  await page.keyboard.type('Tea')
  await press(page, 'Tab', 'Tab', 'Tab')
  await page.keyboard.type('Green')
  await press(page, 'Enter')
  await page.keyboard.type('More.')
  await press(page, 'Control+s')
  await saved(page)
  assert.equal(await body(), 'One.\n\n| Tea |  |  |\n| --- | --- | --- |\n| Green |  |  |\n\nMore.')
})

test('its Markdown can be edited as text, and is a table again when the cursor has left', async () => {
  const { page, now } = await withTable()
  await cell(page, 'Black').click()
  await isFocused(page)
  await act(page, 'Edit as text').click()
  await page.locator('.cm-line', { hasText: '|---|' }).waitFor()
  await page.keyboard.type(' tea')
  assert.equal(await grid(page).count(), 0)
  await press(page, 'ArrowDown', 'ArrowDown')
  await cell(page, 'Black tea').waitFor()
  assert.equal(await now(), given.replace('Black', 'Black tea'))
})

test('a paste of a spreadsheet makes a table in the text, and fills cells in a table', async () => {
  const { page, now } = await withTable('One and a half.')
  const sheet = '<table><tr><td>a</td><td><b>b</b></td></tr><tr><td>c</td><td>d|e</td></tr></table>'
  await press(page, 'Control+Home', 'ArrowDown', 'ArrowDown', 'End')
  await paste(page, { 'text/html': sheet, 'text/plain': 'a\tb\nc\td|e' })
  await grid(page).waitFor()
  const table = '| a | **b** |\n| --- | --- |\n| c | d\\|e |'
  assert.equal(await now(), `One and a half.\n\n${table}`)
  await press(page, 'Control+z')
  await paste(page, { 'text/plain': 'a\t**b**\nc\td|e\n' })
  await grid(page).waitFor()
  assert.equal(await now(), `One and a half.\n\n${table}`)
  await cell(page, 'd|e').click()
  await isFocused(page)
  await paste(page, { 'text/html': sheet, 'text/plain': 'a\tb\nc\td|e' })
  assert.equal(
    await now(),
    'One and a half.\n\n| a | **b** |  |\n| --- | --- | --- |\n| c | a | **b** |\n|  | c | d\\|e |',
  )
  await press(page, 'Control+z')
  assert.equal(await now(), `One and a half.\n\n${table}`)
})

test('from right to left the bar moves columns to where the writer sees them, and hostile cells are only text', async () => {
  const { page, now } = await withTable('| שלום | <img src=x onerror=alert(1)> |\n| --- | --- |\n| א | ב |')
  assert.equal(await grid(page).locator('img').count(), 0)
  assert.equal(await cell(page, '<img src=x').count(), 1)
  await page.evaluate("document.querySelector('.cm-content').dir = 'rtl'")
  await cell(page, 'א').click()
  await isFocused(page)
  await act(page, 'Move column left').click()
  assert.match(await now(), /\n\| ב \| א \|$/)
  await screenshot(page, 'editor-table-rtl')
})

/** A point in the middle of the first words that are shown. */
async function pointOf(page: Page, words: string, after: string): Promise<{ x: number; y: number }> {
  return page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.querySelector('.md-grid'), NodeFilter.SHOW_TEXT)
    while (!texts.nextNode().data.includes(${JSON.stringify(words)}));
    const range = document.createRange()
    range.setStart(texts.currentNode, texts.currentNode.data.indexOf(${JSON.stringify(words)}))
    range.setEnd(texts.currentNode, range.startOffset + ${after.length})
    const { right, top, height } = range.getBoundingClientRect()
    return { x: right, y: top + height / 2 }
  })()`)
}

test('a click in a cell puts the cursor where it is seen, past signs that are not', async () => {
  const { page, now } = await withTable('| Tea | Grams |\n| --- | --- |\n| *Green* tea\\|leaf | 3 |')
  for (const [words, after, typed] of [
    ['Green', 'Green', 's'],
    ['Green', 'Gr', 'o'],
    [' tea|leaf', ' tea|l', 'i'],
    ['Grams', '', '~'],
  ] as const) {
    const { x, y } = await pointOf(page, words, after)
    await page.mouse.click(x, y)
    await isFocused(page)
    await page.keyboard.type(typed)
  }
  assert.equal(await now(), '| Tea | ~Grams |\n| --- | --- |\n| *Groeen*s tea\\|lieaf | 3 |')
})

const selected = (page: Page) => grid(page).locator('.md-cell-selected').allTextContents()

/** What Ctrl+C or Ctrl+X would put on the clipboard. */
const copied = (page: Page, type = 'copy'): Promise<{ html: string; plain: string }> =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    document.activeElement.dispatchEvent(new ClipboardEvent('${type}', { clipboardData, bubbles: true, cancelable: true }))
    return { html: clipboardData.getData('text/html'), plain: clipboardData.getData('text/plain') }
  })()`)

test('by mouse: cells are selected by dragging or with Shift, copied as a table, emptied by Delete and filled by a paste', async () => {
  const { page, now, look } = await withTable(
    '|Tea|  Grams |Link|\n|---|:-:|-|\n|*Green* | 3 \\| 4| [a](https://b.example)|\n| Black | 2 |',
  )
  const drag = async (from: string, to: string) => {
    for (const text of [from, to]) {
      const { x, y } = (await cell(page, text).boundingBox())!
      await page.mouse.move(x + 12, y + 12, { steps: 4 })
      if (text === from) await page.mouse.down()
    }
    await page.mouse.up()
    await isFocused(page)
  }
  await drag('Grams', 'Green')
  assert.deepEqual(await selected(page), ['Tea', 'Grams', 'Green', '3 | 4'])
  await look('editor-table-selected')
  assert.deepEqual(await copied(page), {
    plain: 'Tea\tGrams\n*Green*\t3 | 4',
    html: '<table><tr><td>Tea</td><td>Grams</td></tr><tr><td><em>Green</em></td><td>3 | 4</td></tr></table>',
  })
  // From the cell that is being edited, whose words it would select within it.
  await cell(page, 'Black').click()
  await isFocused(page)
  assert.deepEqual(await selected(page), [])
  await drag('Black', '3 | 4')
  assert.deepEqual(await selected(page), ['Green', '3 | 4', 'Black', '2'])
  await cell(page, 'Tea').click()
  await grid(page)
    .locator('td')
    .nth(2)
    .click({ modifiers: ['Shift'] })
  assert.equal((await selected(page)).length, 6)
  const table = await copied(page, 'cut')
  const emptied = '||   ||\n|---|:-:|-|\n| | | |\n| Black | 2 |'
  assert.equal((await selected(page)).length, 6)
  assert.equal(await now(), emptied)
  await press(page, 'Control+z', 'Escape')
  await cell(page, 'Black').click()
  await isFocused(page)
  await paste(page, { 'text/html': table.html, 'text/plain': table.plain })
  assert.match(
    await now(),
    /\n\| Tea \| Grams \| Link \|\n\| \*Green\* \| 3 \\\| 4 \| \[a\]\(https:\/\/b\.example\) \|$/,
  )
})

test('by keyboard: Shift and arrows select cells from the end of one, arrows and Escape end it, typing replaces one', async () => {
  const { page, now } = await withTable()
  await press(page, 'Control+Home', 'ArrowDown', 'ArrowDown')
  await isFocused(page)
  await press(page, 'Home', 'Shift+End')
  assert.deepEqual(await selected(page), [])
  await press(page, 'Shift+ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowLeft')
  assert.deepEqual(await selected(page), ['Tea', 'Green', 'Black'])
  assert.match((await page.locator('.cm-announced').textContent())!, /3 cells selected$/)
  await press(page, 'Delete')
  assert.equal(await now(), '||  Grams |\n|---|:-:|\n| | 3 \\| 4|\n|  | 2 |')
  assert.equal((await selected(page)).length, 3)
  await press(page, 'Escape')
  assert.deepEqual(await selected(page), [])
  await isFocused(page)
  await press(page, 'Control+z', 'Escape')
  assert.equal(await now(), given)
  await cell(page, 'Black').click()
  await isFocused(page)
  await press(page, 'Shift+ArrowUp', 'Control+b', 'ArrowDown')
  assert.deepEqual([await selected(page), await field(page).inputValue()], [[], '*Green*'])
  await press(page, 'Shift+ArrowDown')
  await page.keyboard.type('White')
  assert.deepEqual(await selected(page), [])
  assert.equal(await now(), given.replace('Black', 'White'))
})

test('by touch: a tap opens a cell, the bar above the keyboard has buttons of 44 px, and nothing is wider than the page', async () => {
  const writer = await withTable()
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
  await cell(phone, 'Black').tap()
  await isFocused(phone)
  await phone.keyboard.type(' tea')
  await screenshot(phone, 'editor-table-touch')
  for (const one of await bar(phone).getByRole('button').all()) {
    const { height, width } = (await one.boundingBox())!
    assert.ok(height >= 44 && width >= 44, `${width} × ${height}`)
  }
  assert.deepEqual(await axeViolations(phone, wcag), [])
  for (let columns = 2; columns < 7; columns += 1) await act(phone, 'Insert column right').tap()
  assert.equal(await phone.evaluate('document.documentElement.scrollWidth'), 390)
  assert.deepEqual(await axeViolations(phone, wcag), [])
  await saved(phone)
  await until(async () => /\n\| Black tea \|(?: {2}\|){5} 2 \|\n/.test(await writer.body()), 'it has seven columns')
  await context.close()
})
