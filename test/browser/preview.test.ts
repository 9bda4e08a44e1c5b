import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph } from '../../testkit/media.ts'
import { freePort, serve } from '../../testkit/network.ts'
import { until as untilTrue } from '../../testkit/waiting.ts'
import { openBrowser, until, watchComplaints } from './browser.ts'

/** A preview in a real browser: sandboxed, pixel-identical to the public page, and framed only by us. */

const { url, admin } = await testDatabase()
const port = await freePort()
const base = `http://localhost:${port}`
const app = await testApp(url, { BASE_URL: base, MEDIA_URL: mediaFolder().url })
await app.listen({ host: 'localhost', port })
const browser = await openBrowser()

const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', bio: 'Writes of tea.' })

async function ask(method: 'POST' | 'PUT', path: string, payload: object | Buffer) {
  const answer = await app.inject({
    method,
    url: `/desk/api/${path}`,
    headers: {
      cookie: `desk=${writer.sessionToken}`,
      'sec-fetch-site': 'same-origin',
      ...(Buffer.isBuffer(payload) ? { 'content-type': 'image/jpeg' } : {}),
    },
    payload,
  })
  assert.ok(answer.statusCode < 300, answer.body)
  return answer.json()
}

await ask('PUT', 'profile/avatar', await photograph(1))
const { media } = await ask('POST', 'media', await photograph(2))
const { piece } = await ask('POST', 'pieces', {
  headline: 'On tea',
  sub: 'Four minutes, and no more.',
  body_md: `Some *words* before.\n\n![A field](${media.url})\n\nSome words after.`,
})

async function openPage() {
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } })
  after(() => page.close())
  return { page, complaints: watchComplaints(page) }
}

/** In a page of this origin that frames it. */
const framing = (address: string) =>
  `<!doctype html><title>Host</title><iframe src="${address}" width="900" height="800"></iframe>`

test('a preview looks like the public page to the pixel, with its picture and its portrait', async () => {
  const preview = await ask('POST', `pieces/${piece.id}/preview`, {})
  const { page, complaints } = await openPage()
  const look = async (address: string): Promise<Buffer> => {
    await page.goto(address)
    await page.evaluate('document.fonts.ready')
    await until(page, '[...document.images].every(({ complete }) => complete)')
    const broken = await page.evaluate(
      '[...document.images].filter((one) => one.naturalWidth === 0).map((one) => one.src)',
    )
    assert.deepEqual(broken, [], address)
    return page.screenshot({ fullPage: true })
  }
  const before = await look(base + preview.page)
  await ask('POST', `pieces/${piece.id}/publish`, { nonce: preview.nonce })
  const after = await look(`${base}/author/ada/on-tea`)
  assert.ok(before.equals(after), 'the two differ')
  assert.deepEqual(complaints, [])
})

test('the desk may frame it, another origin may not, and it can run and ask nothing', async () => {
  const { page: address } = await ask('POST', `pieces/${piece.id}/preview`, {})
  const host = await serve((_request, response) =>
    response.setHeader('content-type', 'text/html').end(framing(base + address)),
  )
  const { page } = await openPage()

  await page.route(`${base}/host`, (route) => route.fulfill({ contentType: 'text/html', body: framing(address) }))
  await page.goto(`${base}/host`)
  const framed = page.frameLocator('iframe')
  await framed.getByRole('heading', { level: 1, name: 'On tea' }).waitFor()
  const inside = page.frames().find((frame) => frame.url().includes('/desk/preview/'))!
  const family = await inside.evaluate<string>('getComputedStyle(document.querySelector("h1")).fontFamily')
  assert.match(family, /serif/i)
  assert.equal(await inside.evaluate('self.origin'), 'null')

  await page.goto(`${host.base}/`)
  await untilTrue(() => page.frames()[1]?.url().startsWith('chrome-error:'), 'the frame is refused')
  assert.equal(await page.frameLocator('iframe').getByRole('heading', { name: 'On tea' }).count(), 0)
})
