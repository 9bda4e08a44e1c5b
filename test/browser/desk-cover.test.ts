import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { until } from '../../testkit/waiting.ts'
import { focused, openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** A cover is chosen in the details of a piece, cropped around its focal point, and seen by readers. */

const site = await openDeskSite()

const picture = (colour: string, width = 900, height = 600): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .toBuffer()

test('a cover is uploaded, described, focused by pointer and by keys, removed and restored, and readers see it', async () => {
  const { page, go, look, ask, begin } = await writerAtDesk(site)
  const id = await begin('A harbour', 'The boats come in.')
  const coverOf = async () => (await ask('GET', `/pieces/${id}`)).piece.cover
  await go(`/desk/edit/pieces/${id}`)
  await page.getByRole('button', { name: 'Details' }).click()
  const drawer = page.getByRole('dialog', { name: 'Details' })
  await drawer.getByText('Without a picture, this cover is drawn for your piece.', { exact: false }).waitFor()
  await drawer.getByLabel('Cover picture').setInputFiles({
    name: 'harbour.jpg',
    mimeType: 'image/jpeg',
    buffer: await picture('#285a8c'),
  })
  const point = drawer.getByRole('slider', { name: 'Focal point' })
  await point.waitFor()
  await drawer.getByLabel('Alt text').fill('A harbour at dusk')
  await drawer.getByLabel('Caption (optional)').fill('The old harbour')
  await drawer.getByLabel('Credit (optional)').fill('Ada Okafor')

  assert.equal(await point.getAttribute('aria-valuetext'), '50% from the left, 50% from the top')
  await point.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowDown')
  assert.equal(await point.getAttribute('aria-valuetext'), '48% from the left, 60% from the top')
  for (let press = 0; press < 5; press++) await page.keyboard.press('Shift+ArrowDown')
  assert.equal(await point.getAttribute('aria-valuetext'), '48% from the left, 100% from the top')
  const frame = drawer.locator('div:has(> [role=slider])')
  const box = (await frame.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.8)
  await page.mouse.up()
  assert.equal(await point.getAttribute('aria-valuetext'), '20% from the left, 80% from the top')
  await look('editor-cover')

  await drawer.getByRole('button', { name: 'Remove cover' }).click()
  await until(async () => (await coverOf()) === null)
  assert.equal(await focused(page), 'Restore cover')
  await drawer.getByRole('button', { name: 'Restore cover' }).click()
  await point.waitFor()
  await drawer.getByRole('button', { name: 'Done' }).click()
  await saved(page)
  const kept = await coverOf()
  assert.deepEqual(kept, {
    image: kept.image,
    alt: 'A harbour at dusk',
    caption: 'The old harbour',
    credit: 'Ada Okafor',
    focus: { x: 20, y: 80 },
  })

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const preview = page.frameLocator('iframe')
  await preview.getByRole('img', { name: 'A harbour at dusk' }).waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()

  const reader = await site.visit()
  await reader.page.goto(`${site.base}/`)
  const listed = reader.page.locator('img.cover.x2.y8')
  assert.equal(await listed.getAttribute('alt'), '')
  const decoded = (selector: string) =>
    reader.page.evaluate(`document.querySelector('${selector}').decode().then(() => true)`)
  assert.ok(await decoded('img.cover.x2.y8'))
  await reader.page.getByRole('link', { name: 'A harbour' }).first().click()
  const shown = reader.page.getByRole('figure')
  await shown.getByRole('img', { name: 'A harbour at dusk' }).waitFor()
  assert.ok(await decoded('figure img'))
  assert.match((await shown.textContent()) ?? '', /The old harbour.*Ada Okafor/s)
})

test('a picture of the text becomes the cover, with its alt text', async () => {
  const { page, go, ask, begin } = await writerAtDesk(site)
  const response = await page.request.post(`${site.base}/desk/api/media`, {
    data: await picture('#8c5a28', 400, 900),
    headers: { 'content-type': 'image/jpeg', 'sec-fetch-site': 'same-origin' },
  })
  const { media } = await response.json()
  const id = await begin('A tower', `Look:\n\n![A tower \\[north\\]](${media.url})`)
  await go(`/desk/edit/pieces/${id}`)
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Use “A tower [north]” as the cover' }).click()
  await page.getByRole('slider', { name: 'Focal point' }).waitFor()
  assert.equal(await focused(page), 'Focal point')
  assert.equal(await page.getByLabel('Alt text').inputValue(), 'A tower [north]')
  await page.getByRole('button', { name: 'Done' }).click()
  await saved(page)
  assert.equal((await ask('GET', `/pieces/${id}`)).piece.cover.image, media.url)
})

test('a cover that was changed elsewhere too is a conflict, and one changed elsewhere alone is taken', async () => {
  const { page, go, ask, begin } = await writerAtDesk(site)
  const upload = async (colour: string) => {
    const response = await page.request.post(`${site.base}/desk/api/media`, {
      data: await picture(colour),
      headers: { 'content-type': 'image/jpeg', 'sec-fetch-site': 'same-origin' },
    })
    return (await response.json()).media.url
  }
  const [first, second] = [await upload('#111'), await upload('#eee')]
  const id = await begin('Two covers', 'Text.', { cover: { image: first, alt: 'First' } })
  const elsewhere = (cover: object) => ask('PATCH', `/pieces/${id}`, { cover }, { 'if-match': '*' })
  await go(`/desk/edit/pieces/${id}`)
  await page.getByRole('button', { name: 'Details' }).waitFor()

  await elsewhere({ image: second, alt: 'Second' })
  await page.getByRole('textbox', { name: 'Headline' }).fill('Two covers, one text')
  await saved(page)
  const merged = (await ask('GET', `/pieces/${id}`)).piece
  assert.deepEqual([merged.headline, merged.cover.alt], ['Two covers, one text', 'Second'])

  await elsewhere({ image: second, alt: 'Theirs' })
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByLabel('Alt text').fill('Mine')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Keep this version' }).click()
  await saved(page)
  assert.equal((await ask('GET', `/pieces/${id}`)).piece.cover.alt, 'Mine')
})
