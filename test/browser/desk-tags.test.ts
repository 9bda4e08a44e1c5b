import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPiece } from './desk-piece.ts'
import { openDeskSite, saved } from './desk-site.ts'

/** Tags complete from the writer's own and those of the site. */

const site = await openDeskSite()

test('a tag is completed by keyboard or with the pointer, and any other can be typed', async () => {
  const visitor = await openPiece(site)
  const { page, ask, look, id } = visitor
  await visitor.begin('Steam', 'Words.', { tags: ['Slow living', 'Slow trains'] })
  await visitor.publish('Pots', 'Words.', { tags: ['Slow pots'] })
  await site.admin.query('select app.count_topics()')
  await page.getByRole('button', { name: 'Details' }).click()
  const field = page.getByRole('combobox', { name: 'Tags' })
  const options = page.getByRole('listbox', { name: 'Suggested tags' }).getByRole('option')
  const added = page.getByRole('list', { name: 'Added tags' })
  await field.pressSequentially('slow')
  await options.first().waitFor()
  assert.deepEqual((await options.allTextContents()).toSorted(), ['Slow living', 'Slow pots', 'Slow trains'])
  await page.keyboard.press('ArrowDown')
  const first = (await options.first().textContent())!
  assert.equal(await field.getAttribute('aria-activedescendant'), await options.first().getAttribute('id'))
  await look('tag-suggestions')
  await page.keyboard.press('Enter')
  await added.getByText(first).waitFor()
  assert.equal(await field.inputValue(), '')

  await field.pressSequentially('slow')
  await options.first().waitFor()
  assert.ok(!(await options.allTextContents()).includes(first), 'what was added is not offered again')
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  await page.getByRole('dialog', { name: 'Details' }).waitFor()
  await field.pressSequentially(' p')
  await options.getByText('Slow pots').click()
  await added.getByText('Slow pots').waitFor()

  await field.pressSequentially('slow')
  await options.first().waitFor()
  await page.keyboard.press('Enter')
  await added.getByRole('button', { name: 'Remove slow', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await saved(page)
  assert.deepEqual((await ask('GET', `/pieces/${id}`)).piece.tags, [first, 'Slow pots', 'slow'])
})
