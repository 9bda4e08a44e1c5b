import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Product } from '../../server/features/products/schema.ts'
import { mediaFolder, photograph } from '../../testkit/media.ts'
import { until } from './browser.ts'
import { focused, openDeskSite, pressUntil, type Visitor } from './desk-site.ts'

/** A writer's shop: describing, previewing, listing, sorting and withdrawing products. */

const site = await openDeskSite({ MEDIA_URL: mediaFolder().url })

const known = (id: string) => fetch(`${site.base}/api/public/products/${id}`)
const shown = async (id: string) => ((await (await known(id)).json()) as { product: Product }).product
const names = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''
const order = async ({ ask }: Visitor): Promise<string[]> =>
  (await ask('GET', '/products')).products.map((product: { name: string }) => product.name)
const ordered = (page: Page) => page.waitForResponse((answer) => answer.url().endsWith('/products/order'))

/** As if a file came from another window. */
async function dropOn(page: Page, words: string, bytes: Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (sign) => sign.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], 'kettle.jpg', { type: 'image/jpeg' }))
    return data
  })()`)
  await page.getByText(words).dispatchEvent('drop', { dataTransfer })
}

test('a shop without listings invites to the first', async () => {
  const { page, go, look } = await site.signedIn()
  await go('/desk/shop')
  await page.getByRole('heading', { level: 2, name: 'No listings yet' }).waitFor()
  await look('shop-none')
  await page.getByRole('link', { name: 'Add a listing' }).click()
  await page.getByRole('heading', { level: 1, name: 'New listing' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/desk/shop/new')
})

test('a listing is described with a picture and related writing, and listed after a question', async () => {
  const visitor = await site.signedIn({ name: 'Ada Okafor' })
  const { page, go, look } = visitor
  await visitor.publish('The long boil')
  await visitor.publish('Seven doors')
  await go('/desk/shop/new')
  const card = page.getByRole('region', { name: 'Preview' })
  await page.getByLabel('Name').fill('The kettle book')
  await page.getByLabel('Summary').fill(`Twelve kettles and the people who mended them. ${'x'.repeat(230)}`)
  await page.getByText('23 left').waitFor()
  await page.getByLabel('Summary').fill('Twelve kettles and the people who mended them.')
  await page.getByLabel('Price').fill('19,5')
  await page.getByLabel('Currency').selectOption('GBP')
  await card.getByText('£19.50').waitFor()
  await page.getByLabel('Payment link').fill('www.kettles.example/buy')
  await card.getByText('Buy at kettles.example').waitFor()
  await page.getByLabel('Category').fill('Book')
  await page.getByLabel('Description').fill('Printed in Porto.\n\nSigned on request.')

  const picture = { name: 'kettle.jpg', mimeType: 'image/jpeg', buffer: await photograph(7) }
  const heic = { name: 'IMG_1.HEIC', buffer: readFileSync(new URL('../../testkit/heic/turned.heic', import.meta.url)) }
  await page.getByLabel('Picture file').setInputFiles({ ...picture, mimeType: 'text/plain' })
  await page.getByText('This file type isn’t supported.').waitFor()
  await page.getByLabel('Picture file').setInputFiles(picture)
  await page.getByLabel('Alt text').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByLabel('Picture file').setInputFiles({ ...heic, mimeType: '' })
  await page.getByLabel('Alt text').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await dropOn(page, 'or drop one here', await photograph(8))
  await page.getByLabel('Alt text').fill('A copper kettle')
  await card.getByRole('img', { name: 'A copper kettle' }).waitFor()
  await page.getByLabel('Find one of your pieces').fill('boil')
  await page.getByRole('button', { name: 'Add “Seven doors”' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add “The long boil”' }).click()
  await card.getByText('The long boil').waitFor()
  await until(page, '[...document.images].every((image) => image.naturalWidth > 0)')
  await look('shop-filling')

  await page.getByRole('button', { name: 'List in shop' }).click()
  const dialog = page.getByRole('dialog', { name: 'List this in the shop?' })
  await dialog.getByText('The kettle book · £19.50 · kettles.example').waitFor()
  const id = idIn(page)
  assert.equal((await known(id)).status, 404)
  await look('shop-question')
  await dialog.getByRole('button', { name: 'List in shop' }).click()
  await page.getByRole('heading', { level: 2, name: 'Listed in the shop' }).waitFor()
  assert.equal(await focused(page), 'Listed in the shop')
  const product = await shown(id)
  assert.deepEqual(product.price, { amount: '19.50', currency: 'GBP' })
  assert.equal(product.payment_url, 'https://www.kettles.example/buy')
  assert.deepEqual(
    product.related_pieces.map(({ title }) => title),
    ['The long boil'],
  )
  assert.equal((await fetch(product.image_url ?? '')).status, 200)
  assert.equal(
    await page
      .getByRole('main')
      .getByRole('link', { name: /\/shop\// })
      .getAttribute('href'),
    product.url,
  )
  await look('shop-listed')
})

test('readers keep what they have until it is updated, lose it when it is withdrawn, and deleting can be undone', async () => {
  const visitor = await site.signedIn()
  const { page, go } = visitor
  const id = await visitor.sell('The kettle book', { price: { amount: '19.5', currency: 'GBP' } })
  await visitor.ask('POST', `/products/${id}/publish`, { revision: 1 })
  await go(`/desk/shop/${id}`)
  await page.getByLabel('Price').fill('21')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Listed with unpublished changes').waitFor()
  assert.equal((await shown(id)).price?.amount, '19.50')
  await page.getByRole('button', { name: 'Update listing' }).click()
  await page
    .getByRole('dialog', { name: 'Update this listing?' })
    .getByRole('button', { name: 'Update listing' })
    .click()
  await page.getByRole('heading', { level: 2, name: 'Listing updated' }).waitFor()
  assert.equal((await shown(id)).price?.amount, '21.00')

  await page.getByLabel('Summary').fill('Typed, and not saved.')
  await page.getByRole('button', { name: 'Remove from shop' }).click()
  await page
    .getByRole('dialog', { name: 'Remove this from the shop?' })
    .getByRole('button', { name: 'Remove from shop' })
    .click()
  await page.getByRole('heading', { level: 2, name: 'Removed from the shop' }).waitFor()
  assert.equal((await known(id)).status, 404)
  assert.equal(await page.getByLabel('Summary').inputValue(), 'Typed, and not saved.')
  await page.getByText('Unsaved changes').waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 2, name: 'No listings yet' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'The kettle book' }).waitFor()
  await page.getByRole('button', { name: 'More actions for “The kettle book”' }).click()
  const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await deleted
  assert.deepEqual(await order(visitor), [])
})

test('listings are shown with their states and ordered by dragging, and the order is kept', async () => {
  const visitor = await site.signedIn()
  const { page, go, look, ask } = visitor
  const { media } = await (
    await visitor.context.request.post(`${site.base}/desk/api/media`, {
      headers: { origin: site.base, 'content-type': 'image/jpeg' },
      data: await photograph(9),
    })
  ).json()
  await visitor.sell('A draft', { summary: 'Not for anyone yet.' })
  const listed = await visitor.sell('A print', {
    price: { amount: '40', currency: 'EUR' },
    category: 'Print',
    summary: 'Two colours on heavy paper, made by hand in a cold cellar with a warm radio.',
    image: media.hash,
  })
  const changed = await visitor.sell('A course', { price: { amount: '0', currency: 'EUR' } })
  for (const id of [listed, changed]) await ask('POST', `/products/${id}/publish`, { revision: 1 })
  await ask('PATCH', `/products/${changed}`, { summary: 'On four evenings.' })

  await go('/desk/shop')
  await page.getByRole('link', { name: 'A course' }).waitFor()
  const entry = (words: string) => page.getByRole('listitem').filter({ hasText: words })
  assert.match((await entry('A draft').textContent()) ?? '', /^A?Draft/)
  assert.match((await entry('A print').textContent()) ?? '', /^Listed(?! with).*€40\.00.*Print/)
  assert.match((await entry('A course').textContent()) ?? '', /^A?Listed with unpublished changes.*Free/)
  await until(page, '[...document.images].every((image) => image.naturalWidth > 0)')
  await look('shop')
  await page.setViewportSize({ width: 320, height: 640 })
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 320)
  await page.setViewportSize({ width: 1280, height: 860 })

  const handle = async (words: string) => (await entry(words).getByTitle('Drag to reorder').boundingBox())!
  const from = await handle('A course')
  const to = await handle('A draft')
  await page.mouse.move(from.x + 4, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + 4, to.y + to.height / 2 + 3, { steps: 4 })
  await page.mouse.move(to.x + 4, to.y + 2, { steps: 4 })
  await page.locator('[data-drag="before"]').waitFor()
  const dropped = ordered(page)
  await page.mouse.up()
  await dropped
  assert.deepEqual(await names(page), ['A course', 'A draft', 'A print'])
  assert.deepEqual(await order(visitor), ['A course', 'A draft', 'A print'])
  await page.reload()
  await page.getByRole('link', { name: 'A course' }).waitFor()
  assert.deepEqual(await names(page), ['A course', 'A draft', 'A print'])
})

test('a listing is made, listed and moved by keyboard alone', async () => {
  const visitor = await site.signedIn()
  const { page, go } = visitor
  await visitor.sell('First')
  await visitor.sell('Second')
  await go('/desk/shop')
  await page.getByRole('link', { name: 'Second' }).waitFor()
  const { keyboard } = page
  await pressUntil(page, 'Tab', 'Add a listing')
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'New listing' }).waitFor()
  await pressUntil(page, 'Tab', 'Name')
  await keyboard.type('Third')
  await pressUntil(page, 'Tab', 'Payment link')
  await keyboard.type('https://pay.example/third')
  await keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  await keyboard.press('Control+Enter')
  await page.getByRole('dialog', { name: 'List this in the shop?' }).waitFor()
  await pressUntil(page, 'Tab', 'List in shop')
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 2, name: 'Listed in the shop' }).waitFor()
  assert.equal((await known(idIn(page))).status, 200)
  await pressUntil(page, 'Tab', 'Go to your shop')
  await keyboard.press('Enter')
  await page.getByRole('link', { name: 'Third' }).waitFor()

  await pressUntil(page, 'Tab', 'Move “Third” up')
  for (const wanted of [
    ['First', 'Third', 'Second'],
    ['Third', 'First', 'Second'],
  ]) {
    const kept = ordered(page)
    await keyboard.press('Enter')
    await kept
    assert.deepEqual(await names(page), wanted)
    assert.equal(await focused(page), 'Move “Third” up')
  }
  await page.getByText('“Third” is now 1 of 3.').waitFor({ state: 'attached' })
  await keyboard.press('Enter')
  assert.deepEqual(await names(page), ['Third', 'First', 'Second'])
  await pressUntil(page, 'Tab', 'Move “Third” down')
  const kept = ordered(page)
  await keyboard.press('Enter')
  await kept
  assert.deepEqual(await order(visitor), ['First', 'Third', 'Second'])
})

test('a first save whose answer was lost makes one listing, with what was typed last', async () => {
  const visitor = await site.signedIn()
  const { page, go } = visitor
  await go('/desk/shop/new')
  let isLost = false
  await page.route('**/desk/api/products?id=*', async (route) => {
    if (isLost) return route.continue()
    isLost = true
    await route.fetch()
    await route.abort()
  })
  await page.getByLabel('Name').fill('A lamp')
  await page.getByLabel('Payment link').fill('https://pay.example')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('The site can’t be reached.').waitFor()
  assert.deepEqual(await order(visitor), ['A lamp'])
  await page.getByLabel('Name').fill('A brighter lamp')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'A brighter lamp' }).waitFor()
  assert.deepEqual(await order(visitor), ['A brighter lamp'])
})
