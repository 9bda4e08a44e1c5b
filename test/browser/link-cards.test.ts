import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { folderStore } from '../../server/platform/media/store.ts'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph } from '../../testkit/media.ts'
import { listen } from '../../testkit/network.ts'
import { axeViolations, openBrowser, openPage, screenshot, until } from './browser.ts'

/** The cards of links on a page. */

const folder = mediaFolder()
const { admin, app } = await testSite({ BASE_URL: 'http://127.0.0.1', MEDIA_URL: folder.url })
const { base } = await listen(app)
const browser = await openBrowser()

const cards = [
  {
    url: 'https://theguardian.example/tea',
    title: 'The case for slow tea, and against the kettle',
    site: 'The Guardian',
  },
  { url: 'https://long.example/', title: 'Donaudampfschifffahrtsgesellschaftskapitaen'.repeat(2), site: null },
  { url: 'https://arabic.example/', title: 'في مديح الشاي البطيء', site: 'مجلة' },
  { url: 'https://bare.example/', title: 'No picture here', site: 'W'.repeat(80) },
]
const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
const id = await makePiece(admin, writer, {
  headline: 'On links',
  body_md: `Before the links.\n\n${cards.map(({ url }) => `<${url}>`).join('\n\n')}\n\n<https://plain.example/not/fetched>\n\nAfter them.`,
})
const bytes = await sharp(await photograph(3, { width: 480, height: 252 }))
  .webp()
  .toBuffer()
const hash = 'a'.repeat(64)
await folderStore(folder.path).put(hash, bytes, 'image/webp')
const client = await admin.connect()
await client.query('begin; set local role svc_publisher')
for (const [at, { url, title, site }] of cards.entries())
  await client.query(
    `update pub.link_cards set title = $3, site = $4, picture = $5, picture_width = $6, picture_height = $7,
            picture_bytes = $8, tried_at = now() where piece_id = $1 and url = $2`,
    [id, url, title, site, ...(at < 3 ? [hash, 480, 252, bytes.length] : [null, null, null, null])],
  )
await client.query('commit')
client.release()

for (const [width, colorScheme] of [
  [320, 'light'],
  [390, 'dark'],
  [768, 'light'],
  [1280, 'dark'],
] as const) {
  test(`cards fit the page and are clean by axe, ${width} px wide, ${colorScheme}`, async () => {
    const page = await openPage(browser, { viewport: { width, height: 1200 }, colorScheme })
    await page.goto(`${base}/author/ada/on-links`)
    assert.equal(await page.locator('.link-card').count(), 4)
    assert.equal(await page.getByRole('link', { name: 'https://plain.example/not/fetched' }).count(), 1)
    for (const picture of await page.locator('.link-card img').all()) {
      await picture.scrollIntoViewIfNeeded()
      await until(page, "[...document.querySelectorAll('.link-card img')].some((img) => img.naturalWidth === 480)")
    }
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width)
    for (const card of await page.locator('.link-card a').all()) {
      const outer = (await card.boundingBox())!
      for (const inner of await card.locator('img, span, strong, small').all()) {
        const box = (await inner.boundingBox())!
        assert.ok(box.x >= outer.x - 1 && box.x + box.width <= outer.x + outer.width + 1, 'it is inside its card')
      }
    }
    assert.deepEqual(await axeViolations(page), [])
    await screenshot(page, `link-cards-${width}-${colorScheme}`, { fullPage: true })
    await page.close()
  })
}
