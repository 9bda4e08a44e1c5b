import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { photograph } from '../../testkit/media.ts'
import { openDeskSite } from './desk-site.ts'

/** Orders and columns of the list of pieces, and acts on one piece from there. */

const site = await openDeskSite()

const headlines = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()

const fromMenu = async (page: Page, headline: string, act: string) => {
  await page.getByRole('button', { name: `More actions for “${headline}”` }).click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}

test('pieces are sorted by what is chosen above their columns, and the address keeps it', async () => {
  const visitor = await site.signedIn()
  const { page, go, look } = visitor
  const tea = await visitor.publish('Tea', 'Leaves.', { sub: 'Why good tea takes time, and what to do meanwhile' })
  await visitor.begin('Bridges', 'They sway a little, and that is by design. '.repeat(12))
  const bread = await visitor.publish('Bread', 'Flour and time.')
  await visitor.begin(
    'A draft with a headline that is long enough to need more than a single line of the list',
    'Words.',
  )
  for (const [id, reads] of [
    [tea, 12_345],
    [bread, 7],
  ] as const) {
    await site.admin.query(
      'insert into app.piece_reads (piece_id, author_id, reads) select id, writer_id, $2 from app.pieces where id = $1',
      [id, reads],
    )
  }
  await go('/desk')
  const sorting = page.getByRole('navigation', { name: 'Sort by' })
  await sorting.getByRole('link', { name: 'Reads' }).click()
  await page.waitForURL('**/desk?sort=reads')
  await page.getByRole('list', { name: 'Your pieces, most read first' }).waitFor()
  await page.locator('main li h2').first().filter({ hasText: 'Tea' }).waitFor()
  assert.deepEqual((await headlines(page)).slice(0, 2), ['Tea', 'Bread'])
  const entry = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Tea', exact: true }) })
  assert.match((await entry.textContent()) ?? '', /Published.*Reads 12,345.*Published just now.*Edited just now/)
  await look('pieces-by-reads')

  await sorting.getByRole('link', { name: 'Headline' }).click()
  await page.locator('main li h2').first().filter({ hasText: 'A draft' }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Tea', exact: true }).waitFor()
  assert.equal((await headlines(page)).slice(1).join(), 'Bread,Bridges,Tea')
  assert.equal(await sorting.locator('[aria-current]').textContent(), 'Headline ↑')

  await page.getByRole('link', { name: 'Drafts 2' }).click()
  await page.waitForURL('**/desk?status=draft&sort=headline')
  await page.getByRole('link', { name: 'All 4' }).click()
  await sorting.getByRole('link', { name: 'Published' }).click()
  await page.locator('main li h2').first().filter({ hasText: 'Bread' }).waitFor()
  await sorting.getByRole('link', { name: 'Edited' }).click()
  await page.waitForURL((url) => url.search === '')
  await entry.getByRole('link', { name: '12,345' }).click()
  await page.waitForURL(`**/desk/stats/${tea}`)
})

test('the link of a public piece is copied from its menu, and a draft has none', async () => {
  const visitor = await site.signedIn()
  const { page, go, context } = visitor
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = await visitor.publish('The long boil', 'A kettle.')
  await visitor.begin('Notes', 'Words.')
  await go('/desk')
  await fromMenu(page, 'The long boil', 'Copy link')
  await page.getByText('Link copied.').waitFor()
  const { piece } = await visitor.ask('GET', `/pieces/${id}`)
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), piece.url)
  await page.getByRole('button', { name: 'More actions for “Notes”' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
  assert.deepEqual(await page.getByRole('menuitem').filter({ visible: true }).allTextContents(), [
    'Open piece',
    'Preview and publish',
    'History',
    'Duplicate',
    'Move to trash',
  ])
  await page.getByRole('menuitem', { name: 'Open piece' }).filter({ visible: true }).click()
  await page.waitForURL('**/desk/edit/pieces/*')
})

test('a duplicate is a draft with the same text and details, opens at once, and is never public', async () => {
  const visitor = await site.signedIn()
  const { page, go } = visitor
  const upload = await page.request.post(`${site.base}/desk/api/media`, {
    headers: { 'content-type': 'image/jpeg', 'sec-fetch-site': 'same-origin' },
    data: await photograph(1),
  })
  const { media } = await upload.json()
  const headline = 'H'.repeat(200)
  const id = await visitor.publish(headline, 'A *kettle*,\r\nand patience.', {
    sub: 'Why good tea takes time',
    category: 'culture',
    tags: ['tea', 'Slow living'],
    frame: 'origin',
    style: 'note',
    locale: 'en-GB',
    external_url: 'https://elsewhere.test/tea',
    cover: { image: media.url, alt: 'A cup', caption: 'Green tea', credit: 'Ada', focus: { x: 20, y: 80 } },
  })
  await go('/desk')
  await fromMenu(page, headline, 'Duplicate')
  await page.waitForURL(/\/desk\/edit\/pieces\/[0-9a-f-]{36}$/)
  const copyId = page.url().slice(-36)
  assert.notEqual(copyId, id)
  const [{ piece: original }, { piece: copy }] = [
    await visitor.ask('GET', `/pieces/${id}`),
    await visitor.ask('GET', `/pieces/${copyId}`),
  ]
  assert.equal(copy.headline, `Copy of ${'H'.repeat(191)}…`)
  for (const member of ['sub', 'body_md', 'category', 'tags', 'frame', 'style', 'locale', 'external_url', 'cover']) {
    assert.deepEqual(copy[member], original[member], member)
  }
  assert.ok(copy.cover)
  assert.deepEqual([copy.status, copy.url, copy.published_at], ['draft', null, null])
  assert.equal(original.headline, headline)
  await page.getByRole('textbox', { name: 'Headline' }).waitFor()
})
