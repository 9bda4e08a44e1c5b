import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { openDeskSite, writerAtDesk } from './desk-site.ts'

/** Covers of every shape fit their boxes on every screen, and nothing moves when they arrive. */

const site = await openDeskSite()

const shapes = { portrait: [700, 1900], panorama: [2000, 320], square: [600, 600], tiny: [40, 30] } as const

/** What moved, what is too wide, and boxes in lists that are not 3 by 2 or not filled. */
const measured = `(async () => {
  await Promise.all([...document.images].map((image) => { image.loading = 'eager'; return image.decode().catch(() => {}) }))
  const shift = await new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value }).observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
  })
  const covers = [...document.querySelectorAll('img.cover')].map((image) => image.getBoundingClientRect())
  const figure = document.querySelector('.piece-cover img')?.getBoundingClientRect()
  return {
    shift,
    isTooWide: document.documentElement.scrollWidth > innerWidth,
    ratios: covers.filter(({ width, height }) => Math.abs(width / height - 1.5) > 0.05).length,
    isTooHigh: figure !== undefined && figure.height > innerHeight,
    isTooNarrow: figure !== undefined && figure.width < 200,
  }
})()`

test('pages with covers of every shape stay still, from 320 to 1920 pixels', async () => {
  const { page, publish } = await writerAtDesk(site)
  const addresses = ['/']
  for (const [name, [width, height]] of Object.entries(shapes)) {
    const picture = await sharp({ create: { width, height, channels: 3, background: '#456' } })
      .jpeg()
      .toBuffer()
    const response = await page.request.post(`${site.base}/desk/api/media`, {
      data: picture,
      headers: { 'content-type': 'image/jpeg', 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(response.status(), 201, await response.text())
    const { media } = await response.json()
    // Without accents: their font may arrive late, and moves the rest of its line.
    const caption = 'A caption with Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft'
    const id = await publish(`A ${name}`, 'Text.', {
      cover: { image: media.url, alt: name, caption, credit: 'x'.repeat(200), focus: { x: 10, y: 90 } },
    })
    addresses.push(`/p/${id}`)
  }
  const reader = await site.visit()
  for (const width of [320, 768, 1920]) {
    await reader.page.setViewportSize({ width, height: 800 })
    for (const address of addresses) {
      await reader.page.goto(site.base + address)
      assert.deepEqual(
        await reader.page.evaluate(measured),
        { shift: 0, isTooWide: false, ratios: 0, isTooHigh: false, isTooNarrow: false },
        `${address} at ${width}`,
      )
    }
  }
})
