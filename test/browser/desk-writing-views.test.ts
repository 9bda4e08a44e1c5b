import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../testkit/waiting.ts'
import { openPiece, textOf } from './desk-piece.ts'
import { openDeskSite, saved } from './desk-site.ts'

/** Outline, word goal and focus mode: by mouse, by keys and by touch. */

const site = await openDeskSite()

const sections = ['One', 'Two', 'Three', 'Four'].map((name) => `## ${name} "${name}"\n\n${'Tea is slow. '.repeat(60)}`)
const long = `${sections.join('\n\n')}\n\n### Last`

test('the outline lists the headings, marks the current one, and leads to each by click and by keys', async () => {
  const { page, look } = await openPiece(site, long)
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('menuitem', { name: 'Outline' }).click()
  const outline = page.getByRole('navigation', { name: 'Outline' })
  await outline.getByRole('button', { name: 'Last' }).and(page.locator('[aria-current=location]')).waitFor()
  assert.deepEqual(await outline.getByRole('listitem').allTextContents(), [
    'One “One”',
    'Two “Two”',
    'Three “Three”',
    'Four “Four”',
    'Last',
  ])
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Last')
  await outline.getByRole('button', { name: 'Two' }).click()
  await outline.locator('[aria-current=location]', { hasText: 'Two' }).waitFor()
  assert.equal(await page.evaluate("document.activeElement.matches('.cm-content')"), true)
  const heading = page.locator('.md-heading', { hasText: 'Two' })
  await until(async () => {
    const { y = -1 } = (await heading.boundingBox()) ?? {}
    return y > 40 && y < 300
  }, 'the heading is at the top')

  // What is written is listed.
  await page.keyboard.type('!')
  await outline.getByRole('button', { name: 'Two “Two”!' }).waitFor()
  await look('editor-outline')
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.keyboard.press('Control+Shift+O')
  await outline.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Shift+O')
  await outline.waitFor()
  await until(() => page.evaluate("document.activeElement.textContent.startsWith('Two')"), 'the current one is focused')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await outline.locator('[aria-current=location]', { hasText: 'Three' }).waitFor()
  await page.keyboard.press('Control+Shift+O')
  await page.keyboard.press('Control+Shift+O')
  await until(() => page.evaluate("document.activeElement.textContent.startsWith('Three')"), 'it is focused again')
  await page.keyboard.press('Escape')
  await outline.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate("document.activeElement.matches('.cm-content')"), true)
})

test('on a phone the outline is a sheet that closes with what is tapped, and without headings it says how to make one', async () => {
  const { page, look } = await openPiece(site, 'No headings.')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('menuitem', { name: 'Outline' }).click()
  const sheet = page.getByRole('dialog', { name: 'Outline' })
  await sheet.getByText('Start a line with ## to make a heading.', { exact: false }).waitFor()
  await look('editor-outline-empty')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await textOf(page).focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('## First')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Shift+O')
  await look('editor-outline-sheet')
  await page.setViewportSize({ width: 390, height: 844 })
  await sheet.getByRole('button', { name: 'First' }).click()
  await sheet.waitFor({ state: 'detached' })
  await until(() => page.evaluate("document.activeElement.matches('.cm-content')"), 'the text has the focus')
})

test('a word goal is kept on the device, drawn, and said once when it is reached', async () => {
  const { page, look } = await openPiece(site, 'Tea is slow.')
  await page.getByRole('button', { name: 'Set a word goal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Word goal' })
  await dialog.getByLabel('Words').fill('none')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a number from 1 to 1,000,000.').waitFor()
  await dialog.getByLabel('Words').fill('5')
  await look('editor-goal')
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.keyboard.press('Enter')
  const progress = page.getByRole('progressbar', { name: '3 of 5 words' })
  await progress.waitFor()
  const said = page.getByRole('status').getByText('Goal reached', { exact: true })
  assert.equal(await said.count(), 0)
  await textOf(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' So is milk.')
  await page.getByText('6 of 5 words · Goal reached').waitFor()
  assert.equal(await said.count(), 1)
  await saved(page)
  await look('editor-goal-reached')
  await page.reload()
  await page.getByText('6 of 5 words · Goal reached').waitFor()
  assert.equal(await said.count(), 0)
  await page.getByRole('button', { name: 'Change word goal' }).click()
  await dialog.getByRole('button', { name: 'Remove goal' }).click()
  await page.getByText('6 words', { exact: true }).waitFor()
})

test('focus mode dims all but the paragraph that is written, hides the bar and keeps the line in the middle', async () => {
  const writer = await openPiece(site, `${'A paragraph of tea.\n\n'.repeat(40)}The last one.`)
  const { page, look } = writer
  await page.keyboard.press('Control+Shift+F')
  const leave = page.getByRole('button', { name: 'Leave focus mode' })
  await leave.waitFor()
  assert.equal(await page.getByRole('button', { name: 'Details' }).count(), 0)
  const current = page.locator('.md-now')
  await current.getByText('The last one.').waitFor()
  assert.equal(await current.count(), 1)
  const colours = () =>
    page.evaluate(
      "['.md-now', '.cm-line:not(.md-now)'].map((of) => getComputedStyle(document.querySelector(of)).color)",
    )
  const [written, dimmed] = (await colours()) as string[]
  assert.notEqual(written, dimmed)
  const isInMiddle = async () =>
    Math.abs(Number(await page.evaluate("document.querySelector('.md-now').getBoundingClientRect().top")) - 430) < 60
  await until(isInMiddle, 'the line is in the middle')
  for (let line = 0; line < 3; line += 1) {
    await page.keyboard.press('Enter')
    await page.keyboard.type('More tea.')
    await until(isInMiddle, 'it stays there')
  }
  await look('editor-focus')
  await page.setViewportSize({ width: 1280, height: 860 })
  // What is open closes first.
  await page.keyboard.press('Enter')
  await page.keyboard.type('/')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  assert.equal(await leave.count(), 1)
  await page.keyboard.press('Escape')
  await leave.waitFor({ state: 'detached' })
  assert.equal(await current.count(), 0)
  await page.getByRole('button', { name: 'Details' }).waitFor()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('menuitem', { name: 'Focus mode' }).click()
  await leave.click()
  await leave.waitFor({ state: 'detached' })
})

test('the list of shortcuts has them', async () => {
  const { page } = await openPiece(site)
  await page.keyboard.press('Control+/')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const words of ['Outline', 'Focus mode']) await list.getByText(words, { exact: true }).waitFor()
})
