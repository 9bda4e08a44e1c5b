import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { openBrowser } from './browser.ts'

/** /developers/reference in a real browser: it works under its own policy and asks nobody but us. */

const { url } = await testDatabase()
const app = await testApp(url, { BASE_URL: 'http://127.0.0.1' })
const base = await app.listen({ host: '127.0.0.1', port: 0 })
const browser = await openBrowser()
after(() => browser.close())

const screens = [
  { name: 'on a desktop in light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'on a phone in dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

for (const { name, viewport, colorScheme } of screens) {
  test(`the reference shows every operation ${name}, with no outside request and no breach of its policy`, async () => {
    const context = await browser.newContext({ viewport, colorScheme })
    const page = await context.newPage()
    const outside: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url())
      if (/^https?:$/.test(protocol) && host !== new URL(base).host) outside.push(request.url())
    })
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
    })
    page.on('pageerror', (error) => complaints.push(String(error)))

    await page.goto(`${base}/developers/reference`)
    await page.getByRole('heading', { name: 'Standfirst API' }).waitFor()
    await page.getByText('Search authors').first().waitFor({ state: 'attached' })
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    assert.ok(width <= viewport.width, `the page is ${width} px wide`)
    assert.deepEqual(outside, [])
    assert.deepEqual(complaints, [])
    await context.close()
  })
}
