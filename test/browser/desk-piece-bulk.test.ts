import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDeskSite, type Visitor } from './desk-site.ts'

/** Acts on several pieces of the list, and of the trash. */

const site = await openDeskSite()

const box = (page: Page, headline: string) => page.getByRole('checkbox', { name: `Select “${headline}”`, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected pieces' })
const press = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true }).click()
const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

async function withDrafts(count: number): Promise<Visitor> {
  const visitor = await site.signedIn()
  for (let number = 1; number <= count; number += 1) await visitor.begin(`Number ${number}`, 'Words.')
  return visitor
}

const drafts = async ({ ask }: Visitor) => (await ask('GET', '/pieces/counts')).counts.draft

test('a range of drafts is moved to the trash at once, and comes back when that is undone', async () => {
  const visitor = await withDrafts(5)
  const { page, go, look } = visitor
  await go('/desk')
  await box(page, 'Number 4').click()
  await box(page, 'Number 2').click({ modifiers: ['Shift'] })
  await bar(page).getByText('3 selected').waitFor()
  assert.equal(await box(page, 'Number 3').isChecked(), true)
  assert.equal(await bar(page).getByRole('button', { name: 'Unpublish' }).count(), 0)
  await look('pieces-selected')
  await press(page, 'Move to trash')
  await page.getByText('3 pieces moved to the trash.').waitFor()
  await page.getByRole('link', { name: 'Number 3' }).waitFor({ state: 'detached' })
  await bar(page).waitFor({ state: 'detached' })
  assert.equal(await drafts(visitor), 2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Number 3' }).waitFor()
  assert.equal(await drafts(visitor), 5)
})

test('pieces are selected by keyboard alone', async () => {
  const visitor = await withDrafts(4)
  const { page, go } = visitor
  await go('/desk')
  await page.getByRole('link', { name: 'Number 4' }).waitFor()
  for (const key of ['j', 'x', 'j', 'j']) await page.keyboard.press(key)
  assert.equal(await box(page, 'Number 4').isChecked(), true)
  await box(page, 'Number 2').focus()
  await page.keyboard.press('Shift+Space')
  await bar(page).getByText('3 selected').waitFor()
  await page.keyboard.press('Space')
  await bar(page).getByText('2 selected').waitFor()
  assert.equal(await box(page, 'Number 2').isChecked(), false)
  await press(page, 'Select all')
  await bar(page).getByText('4 selected').waitFor()
  await press(page, 'Clear selection')
  await bar(page).waitFor({ state: 'detached' })
})

test('what cannot be done to a piece is said with the reason, and the rest is done', async () => {
  const visitor = await withDrafts(2)
  const { page, go, look } = visitor
  const id = await visitor.publish('In public', 'Words.')
  await go('/desk')
  await box(page, 'In public').click()
  await press(page, 'Select all')
  await press(page, 'Move to trash')
  await page.getByText('2 pieces moved to the trash.').waitFor()
  const notice = page.getByRole('alert').filter({ hasText: '1 piece stayed as it was:' })
  assert.match((await notice.textContent()) ?? '', /In public.*npublish/)
  assert.equal(await box(page, 'In public').isChecked(), true)
  await look('pieces-not-moved')
  assert.equal((await visitor.ask('GET', `/pieces/${id}`)).piece.status, 'approved')

  await press(page, 'Unpublish')
  await page.getByRole('dialog', { name: 'Unpublish 1 piece?' }).waitFor()
  await confirm(page, 'Unpublish')
  await page.getByText('1 piece unpublished.').waitFor()
  await notice.waitFor({ state: 'detached' })
  assert.equal((await visitor.ask('GET', `/pieces/${id}`)).piece.status, 'draft')
})

test('a category and a tag are set on several pieces, but not over a change made elsewhere', async () => {
  const visitor = await withDrafts(2)
  const { page, go, ask } = visitor
  const full = await visitor.begin('Full', 'Words.', { tags: ['1', '2', '3', '4', '5', '6', '7', '8'] })
  await go('/desk')
  await box(page, 'Full').click()
  await press(page, 'Select all')
  await press(page, 'Set category')
  const set = page.getByRole('dialog').getByRole('button', { name: 'Set category' })
  assert.equal(await set.isDisabled(), true)
  await page.getByLabel('Category', { exact: true }).selectOption('Culture')
  await set.click()
  await page.getByText('3 pieces changed.').waitFor()
  const listed = async (): Promise<{ headline: string; category: string; tags: string[]; id: string }[]> =>
    (await ask('GET', '/pieces?sort=headline')).pieces
  assert.deepEqual(
    (await listed()).map(({ category }) => category),
    ['culture', 'culture', 'culture'],
  )

  const [, first] = await listed()
  await page.getByRole('link', { name: 'Number 1' }).waitFor()
  await box(page, 'Full').click()
  await press(page, 'Select all')
  await ask('PATCH', `/pieces/${first!.id}`, { sub: 'From another device' })
  await press(page, 'Add tag')
  await page.getByRole('combobox', { name: 'Tag' }).fill('slow')
  await page.keyboard.press('Enter')
  const notice = page.getByRole('alert').filter({ hasText: '2 pieces stayed as they were:' })
  await notice.getByText('It already has 8 tags.').waitFor()
  await notice.getByText('Number 1').waitFor()
  assert.deepEqual(
    (await listed()).map(({ headline, tags }) => [headline, tags.includes('slow')]),
    [
      ['Full', false],
      ['Number 1', false],
      ['Number 2', true],
    ],
  )
  assert.equal((await ask('GET', `/pieces/${full}`)).piece.tags.length, 8)
})

test('several pieces are restored from the trash', async () => {
  const visitor = await withDrafts(3)
  const { page, go, ask, look } = visitor
  for (const { id } of (await ask('GET', '/pieces')).pieces) await ask('DELETE', `/pieces/${id}`)
  await go('/desk/trash')
  await box(page, 'Number 1').click()
  await box(page, 'Number 2').click({ modifiers: ['Shift'] })
  await look('trash-selected')
  await press(page, 'Restore')
  await page.getByText('2 pieces restored to your drafts.').waitFor()
  await box(page, 'Number 1').waitFor({ state: 'detached' })
  assert.equal(await drafts(visitor), 2)
})
