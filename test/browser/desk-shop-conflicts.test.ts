import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withholdProduct } from '../../server/features/products/publish.ts'
import type { Product } from '../../server/features/products/schema.ts'
import { inTransaction } from '../../testkit/factories.ts'
import { openDeskSite } from './desk-site.ts'

/** A listing that is refused, changed elsewhere, left unsaved or taken out: nothing typed is lost, nothing overwritten. */

const site = await openDeskSite()

test('what the server refuses is said beside its field, which takes the focus, and nothing typed is lost', async () => {
  const visitor = await site.signedIn()
  const { page, go, look } = visitor
  await go('/desk/shop/new')
  await page.getByLabel('Name').fill('A')
  await page.getByLabel('Price').fill('about ten')
  await page.getByLabel('Payment link').fill('http://pay.example')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Enter a number with up to two decimal places').waitFor()
  await page.getByText('Enter a full web address').waitFor()
  assert.equal(await page.evaluate('document.activeElement.labels[0].textContent'), 'Price')
  await look('shop-refused')
  await page.getByLabel('Price').fill('10')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Enter a number with up to two decimal places').waitFor({ state: 'detached' })
  await page.getByText('Enter a full web address').waitFor()
  assert.equal(await page.evaluate('document.activeElement.labels[0].textContent'), 'Payment link')
  await page.getByLabel('Payment link').fill('https://pay.example')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved').waitFor()
  assert.equal(await page.locator('[aria-invalid]').count(), 0)
  await page.reload()
  assert.equal(await page.getByLabel('Price').inputValue(), '10.00')
})

test('a listing changed elsewhere is not overwritten: both versions are named, and one is chosen', async () => {
  const visitor = await site.signedIn()
  const { page, go, look, ask } = visitor
  const id = await visitor.sell('A lamp', { summary: 'Bright.' })
  await go(`/desk/shop/${id}`)
  for (const [choice, theirs, wanted] of [
    ['Use the other version', 'Brighter.', 'Brighter.'],
    ['Keep this version', 'Brightest.', 'Mine, dim.'],
  ] as const) {
    await ask('PATCH', `/products/${id}`, { summary: theirs })
    await page.getByLabel('Summary').fill('Mine, dim.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('This listing was edited in another window or on another device.').waitFor()
    await alert.getByText(theirs).waitFor()
    assert.equal((await ask('GET', `/products/${id}`)).product.summary, theirs)
    if (choice === 'Keep this version') await look('shop-stale')
    await alert.getByRole('button', { name: choice }).click()
    await alert.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Summary').inputValue(), wanted)
    assert.equal((await ask('GET', `/products/${id}`)).product.summary, wanted)
  }
  await ask('PATCH', `/products/${id}`, { summary: 'Another hand.' })
  await page.getByRole('button', { name: 'List in shop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'List in shop' }).click()
  await page.getByText('This listing was edited somewhere else.').waitFor()
  assert.equal(await page.getByLabel('Summary').inputValue(), 'Another hand.')
  assert.equal((await fetch(`${site.base}/api/public/products/${id}`)).status, 404)
})

test('a held Ctrl+S or Ctrl+Enter saves once, and what is typed meanwhile is saved after it', async () => {
  const visitor = await site.signedIn()
  const { page, go, ask } = visitor
  const id = await visitor.sell('A lamp')
  await go(`/desk/shop/${id}`)
  const waiting: (() => void)[] = []
  const saves: unknown[] = []
  await page.route(`**/desk/api/products/${id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    saves.push(route.request().postDataJSON().summary)
    await new Promise<void>((go) => waiting.push(go))
    await route.continue()
  })
  const until = async (count: number) => {
    while (saves.length < count) await page.evaluate('new Promise(requestAnimationFrame)')
  }
  await page.getByLabel('Summary').fill('Bright.')
  const { keyboard } = page
  await keyboard.down('Control')
  // Held down: a second `down` without an `up` is a key repeat.
  for (const key of ['s', 's', 's']) await keyboard.down(key)
  await keyboard.up('s')
  await keyboard.press('s')
  await keyboard.press('Enter')
  await keyboard.up('Control')
  await until(1)
  await page.getByLabel('Summary').fill('Brighter.')
  await keyboard.press('Control+s')
  await keyboard.press('Control+s')
  waiting[0]?.()
  const dialog = page.getByRole('dialog', { name: 'List this in the shop?' })
  await dialog.waitFor()
  await until(2)
  waiting[1]?.()
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.deepEqual(saves, ['Bright.', 'Brighter.'])
  assert.equal(await page.getByRole('alert').count(), 0)
  const { summary, revision } = (await ask('GET', `/products/${id}`)).product
  assert.deepEqual([summary, revision], ['Brighter.', 3])
})

test('what is asked about is what was saved, and that is what readers get', async () => {
  const visitor = await site.signedIn()
  const { page, go } = visitor
  const id = await visitor.sell('A lamp')
  await go(`/desk/shop/${id}`)
  let send = () => {}
  const held = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route(`**/desk/api/products/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await held
    await route.continue()
  })
  await page.getByLabel('Name').fill('A bright lamp')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.getByRole('button', { name: 'List in shop' }).click()
  await sent
  await page.getByLabel('Name').fill('A lamp that is still being thought about')
  send()
  const dialog = page.getByRole('dialog', { name: 'List this in the shop?' })
  await dialog.getByText('A bright lamp · pay.example', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'List in shop' }).click()
  await page.getByRole('heading', { level: 2, name: 'Listed in the shop' }).waitFor()
  const listed = await fetch(`${site.base}/api/public/products/${id}`)
  assert.equal(((await listed.json()) as { product: Product }).product.name, 'A bright lamp')
  assert.equal(await page.getByLabel('Name').inputValue(), 'A lamp that is still being thought about')
  await page.getByText('Unsaved changes').waitFor()
})

test('withdrawing with something unsaved overwrites nothing that another window has saved', async () => {
  const visitor = await site.signedIn()
  const { page, look, ask } = visitor
  const id = await visitor.sell('A lamp', { summary: 'Bright.' })
  await ask('POST', `/products/${id}/publish`, { revision: 1 })
  const other = await visitor.context.newPage()
  for (const one of [page, other]) await one.goto(`${site.base}/desk/shop/${id}`)
  await page.getByLabel('Summary').fill('Mine, dim.')
  await other.getByLabel('Summary').fill('Brighter.')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await other.getByText('Listed with unpublished changes').waitFor()

  await page.getByRole('button', { name: 'Remove from shop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from shop' }).click()
  await page.getByRole('heading', { level: 2, name: 'Removed from the shop' }).waitFor()
  const alert = page.getByRole('alert')
  await alert.getByText('This listing was edited in another window or on another device.').waitFor()
  await alert.getByText('Brighter.').waitFor()
  await look('shop-withdrawn-stale')
  assert.equal(await page.getByLabel('Summary').inputValue(), 'Mine, dim.')
  const refused = page.waitForResponse((answer) => answer.status() === 412)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await refused
  await alert.getByText('Brighter.').waitFor()
  assert.equal((await ask('GET', `/products/${id}`)).product.summary, 'Brighter.')
  await alert.getByRole('button', { name: 'Keep this version' }).click()
  await alert.waitFor({ state: 'detached' })
  assert.equal((await ask('GET', `/products/${id}`)).product.summary, 'Mine, dim.')
})

test('whoever leaves with something unsaved is asked first, by link, by Back and by closing the page', async () => {
  const visitor = await site.signedIn()
  const { page, go, look, ask } = visitor
  const id = await visitor.sell('A lamp')
  await go('/desk/shop')
  await page.getByRole('link', { name: 'A lamp' }).click()
  await page.getByLabel('Summary').fill('Bright.')
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  const nav = page.getByRole('navigation', { name: 'Desk' })
  await nav.getByRole('link', { name: 'Pieces' }).click()
  await dialog.waitFor()
  await look('shop-leaving')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await page.getByLabel('Summary').inputValue(), 'Bright.')

  await page.goBack()
  await dialog.waitFor()
  assert.ok(page.url().endsWith(id))
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.goBack()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('link', { name: 'A lamp' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/desk/shop')
  assert.equal((await ask('GET', `/products/${id}`)).product.summary, null)

  await page.getByRole('link', { name: 'A lamp' }).click()
  await page.getByLabel('Summary').fill('Bright.')
  await nav.getByRole('link', { name: 'Pieces' }).click()
  await dialog.getByRole('button', { name: 'Save and leave' }).click()
  await page.getByRole('heading', { level: 1, name: 'Pieces' }).waitFor()
  assert.equal((await ask('GET', `/products/${id}`)).product.summary, 'Bright.')

  await go(`/desk/shop/${id}`)
  await page.getByLabel('Summary').fill('Brighter.')
  const asked = page.waitForEvent('dialog').then(async (question) => {
    await question.dismiss()
    return question.type()
  })
  await page.close({ runBeforeUnload: true })
  assert.equal(await asked, 'beforeunload')
})

test('a listing that the site took out says why and how to appeal, and offers no listing again', async () => {
  const visitor = await site.signedIn()
  const { page, go, look, ask } = visitor
  const id = await visitor.sell('A cure for everything')
  await ask('POST', `/products/${id}/publish`, { revision: 1 })
  await go(`/desk/shop/${id}`)
  await page.getByRole('button', { name: 'Remove from shop' }).waitFor()
  await inTransaction(site.admin, async (client) => {
    await client.query('set local role svc_owner')
    assert.equal(await withholdProduct(client, 'a-cure-for-everything', 'It heals nothing.'), true)
  })
  await go(`/desk/shop/${id}`)
  const notice = page.getByRole('alert')
  await notice.getByText('It heals nothing.').waitFor()
  assert.match(
    (await notice.getByRole('link', { name: 'See the full decision or appeal' }).getAttribute('href')) ?? '',
    /^\/desk\/decisions\/[0-9a-f-]{36}$/,
  )
  await page.getByText('Removed by a moderator').waitFor()
  assert.equal(await page.getByRole('button', { name: /List in shop|Update|Remove from shop/ }).count(), 0)
  await look('shop-withheld')
})
