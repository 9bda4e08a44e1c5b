import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { focused, openDeskSite, pressUntil } from './desk-site.ts'

/** A writer makes a series and puts it in order; readers go from part to part. */

const site = await openDeskSite()

const parts = (page: Page) => page.getByRole('list', { name: 'Pieces, in order' }).locator('li p').allTextContents()
const saved = (page: Page) => page.waitForResponse((answer) => answer.request().method() === 'PUT')

test('a series is made and ordered at the desk, and readers go from part to part', async () => {
  const visitor = await site.signedIn({ name: 'Ada Okafor' })
  const { page, go, look, ask } = visitor
  const first = await visitor.publish('The long boil')
  await visitor.publish('Seven doors')
  await visitor.publish('Cold cups')
  await ask('POST', '/pieces', { headline: 'Not yet', body_md: 'A draft.' })

  await go('/desk')
  await page.getByRole('link', { name: 'Series' }).click()
  await page.getByRole('heading', { level: 2, name: 'No series yet' }).waitFor()
  await look('series-none')
  await page.getByRole('link', { name: 'New series' }).click()
  await page.getByRole('heading', { level: 1, name: 'New series' }).waitFor()
  await page.getByLabel('Title').fill('Slow tea')
  await page.getByLabel('Description').fill('Four minutes, again and again.')
  for (const headline of ['Cold cups', 'Not yet', 'Seven doors', 'The long boil'])
    await page.getByRole('button', { name: `Add “${headline}”` }).click()
  assert.deepEqual(await parts(page), ['Cold cups', 'Not yet', 'Seven doors', 'The long boil'])

  const row = (words: string) => page.getByRole('listitem').filter({ hasText: words })
  const handle = async (words: string) => (await row(words).getByTitle('Drag to reorder').boundingBox())!
  const [from, to] = [await handle('The long boil'), await handle('Cold cups')]
  await page.mouse.move(from.x + 4, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + 4, to.y + 2, { steps: 6 })
  await page.locator('[data-drag="before"]').waitFor()
  await page.mouse.up()
  assert.deepEqual(await parts(page), ['The long boil', 'Cold cups', 'Not yet', 'Seven doors'])

  const answer = saved(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await answer
  await page.getByText('Saved and published.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Slow tea' }).waitFor()
  assert.match(page.url(), /\/desk\/series\/[0-9a-f-]{36}$/)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Slow tea' }).waitFor()
  assert.deepEqual(await parts(page), ['The long boil', 'Cold cups', 'Not yet', 'Seven doors'])
  await look('series-edit')
  await page.setViewportSize({ width: 320, height: 640 })
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 320)
  await page.setViewportSize({ width: 1280, height: 860 })

  await page.getByRole('link', { name: 'View' }).click()
  await page.getByRole('heading', { level: 1, name: 'Slow tea' }).waitFor()
  assert.deepEqual(await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents(), [
    'The long boil',
    'Cold cups',
    'Seven doors',
  ])
  await look('series')
  await page.getByRole('link', { name: 'The long boil' }).click()
  await page.getByText('Part 1 of 3 of Slow tea').waitFor()
  const around = page.getByRole('navigation', { name: 'Series' })
  assert.equal(await around.getByRole('link', { name: 'Previous part' }).count(), 0)
  await around.getByRole('link', { name: 'Next part Cold cups' }).click()
  await page.getByText('Part 2 of 3 of Slow tea').waitFor()
  await look('series-part')
  await around.getByRole('link', { name: 'Next part Seven doors' }).click()
  await page.getByText('Part 3 of 3 of Slow tea').waitFor()
  await around.getByRole('link', { name: 'Previous part Cold cups' }).click()
  await page.getByText('Part 2 of 3 of Slow tea').waitFor()

  await ask('POST', `/pieces/${first}/unpublish`)
  await page.reload()
  await page.getByText('Part 1 of 2 of Slow tea').waitFor()
})

test('a series is made and moved by keyboard alone, and nothing unsaved is lost without a question', async () => {
  const visitor = await site.signedIn()
  const { page, go } = visitor
  const { keyboard } = page
  await visitor.publish('First')
  await visitor.publish('Second')
  await go('/desk/series/new')
  await page.getByLabel('Title').waitFor()
  await pressUntil(page, 'Tab', 'Title')
  await keyboard.type('Both')
  await page.getByRole('button', { name: 'Add “First”' }).waitFor()
  for (const headline of ['First', 'Second']) {
    await pressUntil(page, 'Tab', `Add “${headline}”`)
    await keyboard.press('Enter')
  }
  assert.deepEqual(await parts(page), ['First', 'Second'])
  await pressUntil(page, 'Shift+Tab', 'Move “Second” up')
  await keyboard.press('Enter')
  await page.getByText('“Second” is now 1 of 2.').waitFor()
  assert.deepEqual(await parts(page), ['Second', 'First'])
  await pressUntil(page, 'Tab', 'Remove “Second”')
  await keyboard.press('Enter')
  assert.equal(await focused(page), 'Remove “First”')
  await keyboard.press('Enter')
  assert.equal(await focused(page), 'Find one of your pieces')
  await keyboard.type('nothing like it')
  await page.getByText('No pieces match “nothing like it”.').waitFor()
  await keyboard.press('Control+A')
  await keyboard.type('First')
  await page.getByRole('button', { name: 'Add “Second”' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add “First”' }).click()
  assert.equal(await focused(page), 'Find one of your pieces')
  await page.getByText('“First” is now 1 of 1.').waitFor()

  await page.getByRole('link', { name: 'Series' }).first().click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  const answer = saved(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await answer
  await page.getByText('Saved and published.').waitFor()

  await page.route('**/desk/api/series/*', async (route) => {
    await page.getByLabel('Description').fill('Typed while it is saved.')
    await route.continue()
  })
  await page.getByLabel('Title').fill('Both of them')
  const other = saved(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await other
  await page.getByRole('heading', { level: 1, name: 'Both of them' }).waitFor()
  assert.equal(await page.getByLabel('Description').inputValue(), 'Typed while it is saved.')
  await page.unroute('**/desk/api/series/*')

  await page.getByLabel('Title').fill('Typed, and not saved')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 2, name: 'No series yet' }).waitFor()
})

test('a series that was edited elsewhere too is overwritten or loaded as the writer chooses', async () => {
  const { page, go, look, ask, complaints } = await site.signedIn()
  const id = crypto.randomUUID()
  const put = (title: string, revision: number | null) =>
    ask('PUT', `/series/${id}`, { title, description: null, pieces: [], revision })
  const titles = async () => (await ask('GET', '/series')).series.map(({ title }: { title: string }) => title)
  // The answer 412 is what this test is about.
  page.on('console', () => complaints.splice(0))
  await put('Begun', null)
  await go(`/desk/series/${id}`)
  const conflict = page.getByText('This series was edited in another window', { exact: false })
  const save = async (title: string) => {
    await page.getByLabel('Title').fill(title)
    await page.getByRole('button', { name: 'Save' }).click()
    await conflict.waitFor()
  }
  await put('Theirs', 1)
  await save('Mine')
  await look('series-conflict')
  assert.deepEqual(await titles(), ['Theirs'])
  await page.getByRole('button', { name: 'Keep this version' }).click()
  await conflict.waitFor({ state: 'detached' })
  assert.equal(await focused(page), 'Mine')
  assert.deepEqual(await titles(), ['Mine'])

  await put('Theirs again', 3)
  await save('Mine again')
  await page.getByRole('button', { name: 'Use the other version' }).click()
  await conflict.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Title').inputValue(), 'Theirs again')
  await page.getByRole('heading', { level: 1, name: 'Theirs again' }).waitFor()
  assert.deepEqual(await titles(), ['Theirs again'])
  complaints.splice(0)
})
