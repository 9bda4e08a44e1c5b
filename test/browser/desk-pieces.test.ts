import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from './browser.ts'
import { type DeskSite, openDeskSite, type Visitor } from './desk-site.ts'

/** The index of a writer's pieces. */

const site = await openDeskSite()

const headlines = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()

async function sendByKey(site: DeskSite, visitor: Visitor): Promise<void> {
  const { key } = await visitor.ask('POST', '/keys', { name: 'Night train' })
  const sent = await fetch(`${site.base}/api/v1/pieces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      headline: 'What the timetable hides',
      body_md: '## Platform 4\n\nThe **last** train waits.',
    }),
  })
  assert.equal(sent.status, 201)
}

test('a desk without pieces invites to the first', async () => {
  const { page, go, look } = await site.signedIn()
  await go('/desk')
  await page.getByRole('heading', { level: 2, name: 'No pieces yet' }).waitFor()
  await page.getByRole('searchbox').waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('searchbox').count(), 0)
  await look('pieces-none')
  await page.getByRole('link', { name: 'Write your first piece' }).click()
  await page.waitForURL('**/desk/edit/pieces/new')
})

test('pieces are shown with their state, found by a word, and filtered by state, in the address', async () => {
  const visitor = await site.signedIn()
  const { page, go, look } = visitor
  const tea = await visitor.publish('The long boil', 'A kettle, patience, and _leaves_.', {
    sub: 'Why good tea takes time',
  })
  await visitor.ask('PATCH', `/pieces/${tea}`, { body_md: 'A kettle, more patience, and leaves.' })
  await visitor.begin('Notes on a bridge', 'It sways a little, and that is **by design**. '.repeat(12))
  const submitted = await visitor.begin('Seven doors', 'One is always locked.')
  const { nonce } = await visitor.ask('POST', `/pieces/${submitted}/preview`)
  await visitor.ask('POST', `/pieces/${submitted}/submit`, { nonce })
  await sendByKey(site, visitor)

  await go('/desk')
  await page.getByRole('link', { name: 'What the timetable hides' }).waitFor()
  const index = page.getByRole('list', { name: /Your pieces/ })
  const entry = (words: string) => index.getByRole('listitem').filter({ hasText: words })
  assert.match((await entry('The long boil').textContent()) ?? '', /Published.*Unpublished changes.*Why good tea takes/)
  assert.match(
    (await entry('timetable').textContent()) ?? '',
    /Draft.*Drafted by “Night train”.*Platform 4 The last train waits/,
  )
  assert.match((await entry('Seven doors').textContent()) ?? '', /In review/)
  await look('pieces')

  await page.getByRole('searchbox').fill('sways')
  await page.waitForURL('**/desk?q=sways')
  await page.getByRole('link', { name: 'Seven doors' }).waitFor({ state: 'detached' })
  assert.deepEqual(await headlines(page), ['Notes on a bridge'])
  await page.getByRole('searchbox').fill('no such word')
  await page.getByRole('heading', { name: 'No results for “no such word”' }).waitFor()
  await look('pieces-nothing-found')
  await page.getByRole('link', { name: 'Show all pieces' }).click()
  await page.getByRole('link', { name: 'Drafts 2' }).click()
  await page.waitForURL('**/desk?status=draft')
  await page.getByRole('link', { name: 'Seven doors' }).waitFor({ state: 'detached' })
  assert.deepEqual((await headlines(page)).toSorted(), ['Notes on a bridge', 'What the timetable hides'])
  await page.getByRole('link', { name: 'From the API' }).click()
  await page.getByRole('link', { name: 'Notes on a bridge' }).waitFor({ state: 'detached' })
  assert.deepEqual(await headlines(page), ['What the timetable hides'])
  await page.reload()
  await page.getByRole('link', { name: 'What the timetable hides' }).waitFor()
  assert.deepEqual(await headlines(page), ['What the timetable hides'])
})

test('a deleted draft comes back when that is undone, or from the trash, until it is deleted for good', async () => {
  const visitor = await site.signedIn()
  const { page, go, look } = visitor
  const id = await visitor.begin('A mistake', 'Of mine.')
  await visitor.begin('A keeper', 'Of mine too.')
  await go('/desk')
  const remove = async () => {
    await page.getByRole('button', { name: 'More actions for “A mistake”' }).click()
    await page.getByRole('menuitem', { name: 'Move to trash' }).click()
    await page.getByRole('link', { name: 'A mistake' }).waitFor({ state: 'detached' })
  }
  await remove()
  await until(page, 'document.activeElement.textContent === "A keeper"')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'A mistake' }).waitFor()
  await remove()
  assert.equal((await visitor.ask('GET', '/pieces/counts')).counts.draft, 1)
  assert.equal((await visitor.context.request.get(`${site.base}/desk/api/pieces/${id}`)).status(), 404)

  await page.getByRole('link', { name: 'Trash' }).click()
  await page.waitForURL('**/desk/trash')
  await page.getByRole('button', { name: 'Restore “A mistake”' }).waitFor()
  await look('trash')
  await page.getByRole('button', { name: 'Restore “A mistake”' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  await look('trash-empty')
  await page.getByRole('link', { name: 'Go to your pieces' }).click()
  await page.getByRole('link', { name: 'A mistake' }).waitFor()

  await remove()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('button', { name: 'Delete permanently: “A mistake”' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “A mistake” permanently?' })
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  await visitor.ask('DELETE', `/pieces/${await visitor.begin('Another', 'Of mine.')}`)
  await page.reload()
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  assert.deepEqual((await visitor.ask('GET', '/trash')).pieces, [])
})

test('the index is used by keyboard alone: find, move, open, begin', async () => {
  const visitor = await site.signedIn()
  const { page, go } = visitor
  const first = await visitor.begin('One', 'First of three.')
  await visitor.begin('Two', 'Second of three.')
  await visitor.begin('Three', 'Third of three.')
  await go('/desk')
  await page.getByRole('link', { name: 'Three' }).waitFor()
  const focused = () => page.evaluate('document.activeElement.textContent')
  for (const [key, headline] of [
    ['j', 'Three'],
    ['j', 'Two'],
    ['j', 'One'],
    ['j', 'One'],
    ['k', 'Two'],
  ] as const) {
    await page.keyboard.press(key)
    assert.equal(await focused(), headline)
  }
  await page.keyboard.press('/')
  await page.keyboard.type('first')
  await page.waitForURL('**/desk?q=first')
  await page.getByRole('link', { name: 'Three' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('j')
  assert.equal(await focused(), 'One')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/desk/edit/pieces/${first}`)
  await page.goBack()
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('New piece').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await page.waitForURL('**/desk/edit/pieces/new')
})

test('what does not fit on a page comes when it is asked for', async () => {
  const visitor = await site.signedIn()
  const { page, go } = visitor
  for (let number = 1; number <= 32; number += 1) await visitor.begin(`Number ${number}`, 'Words.')
  await go('/desk')
  await page.getByRole('link', { name: 'Number 32' }).waitFor()
  assert.equal((await headlines(page)).length, 30)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('link', { name: 'Number 1', exact: true }).waitFor()
  assert.equal((await headlines(page)).length, 32)
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
})
