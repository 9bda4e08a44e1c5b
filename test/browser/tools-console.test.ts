import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testApp } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import { furnish } from '../mcp/site.ts'
import { linePayloads } from '../xss/payloads.ts'
import { axeViolations, openBrowser, openPage, screenshot, watchComplaints, wcag } from './browser.ts'

/** /developers/tools in a real browser: settings to copy, and a console that calls the tools. */

const { url, admin } = await furnish()
const evil = await makeWriter(admin, {
  slug: 'evil',
  name: '<img src=x onerror=__pwned(1)>',
  bio: '"><script>__pwned(2)</script>',
})
const payloads = [...linePayloads()].slice(0, 60)
for (const { text } of payloads)
  await makePiece(admin, evil, {
    headline: `Zz ${text}`.slice(0, 200),
    sub: text.slice(0, 200),
    body_md: text,
    category: 'ideas',
  })
const app = await testApp(url, { BASE_URL: 'http://127.0.0.1:8080' })
const { base } = await listen(app)
const browser = await openBrowser()

const screens = [
  { name: 'desktop-light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'desktop-dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const
type Screen = (typeof screens)[number]

async function visit({ viewport, colorScheme }: Screen = screens[0]) {
  const page = await openPage(browser, {
    viewport,
    colorScheme,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const complaints = watchComplaints(page)
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && /^http/.test(request.url())) complaints.push(`asks ${request.url()}`)
  })
  await page.goto(`${base}/developers/tools`)
  await page.getByLabel('Tool', { exact: true }).waitFor()
  return { page, complaints }
}

const answer = (page: Page) => page.getByRole('group', { name: 'Response', exact: true })

describe('the console', () => {
  for (const screen of screens) {
    test(`looks right and has nothing to object to, ${screen.name}`, async () => {
      const { page, complaints } = await visit(screen)
      await screenshot(page, `tools-${screen.name}`)
      await page.getByLabel('query').fill('tea')
      await page.getByLabel('limit', { exact: true }).fill('3')
      await page.getByRole('button', { name: 'Run' }).click()
      await answer(page).getByText('Results: 3').waitFor()
      await screenshot(page.locator('#console'), `tools-console-${screen.name}`)
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
      assert.ok(width <= screen.viewport.width, `the page is ${width} px wide`)
      assert.deepEqual(await axeViolations(page, wcag), [])
      assert.deepEqual(complaints, [])
    })
  }

  test('lists all eight, and draws a form from what each takes', async () => {
    const { page } = await visit()
    const tool = page.getByLabel('Tool', { exact: true })
    const names = await tool
      .locator('option')
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value))
    assert.equal(names.length, 8)
    const { tools } = (await (await fetch(`${base}/.well-known/mcp.json`)).json()) as {
      tools: { name: string; inputSchema: { properties: object } }[]
    }
    for (const { name, inputSchema } of tools) {
      await tool.selectOption(name)
      const drawn = await page.locator('#arguments code').allTextContents()
      assert.deepEqual(drawn, Object.keys(inputSchema.properties), name)
    }
  })

  test('is worked by the keyboard alone, and goes to the next page', async () => {
    const { page, complaints } = await visit()
    await page.getByLabel('Tool', { exact: true }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.type('tea')
    await page.keyboard.press('Enter')
    await answer(page).getByText('Results: 20').waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'shown')
    await answer(page).getByRole('button', { name: 'Next page' }).focus()
    await page.keyboard.press('Enter')
    await answer(page).getByText('Results: 6').waitFor()
    await page.getByText('Request and response as JSON').click()
    assert.match((await page.locator('#raw').textContent()) ?? '', /"structuredContent"/)
    assert.match((await page.locator('#asked').textContent()) ?? '', /"method": "tools\/call"/)
    assert.deepEqual(complaints, [])
  })

  test('shows one thing by its members, and what a tool cannot answer in its words', async () => {
    const { page } = await visit()
    await page.getByLabel('Tool', { exact: true }).selectOption('get_author')
    await page.getByLabel('slug').fill('ada-okafor')
    await page.keyboard.press('Enter')
    await answer(page).getByText('Ada Okafor', { exact: true }).waitFor()
    await answer(page).getByRole('link', { name: 'https://ada.example' }).waitFor()
    await page.getByLabel('slug').fill('nope')
    await page.keyboard.press('Enter')
    await answer(page).getByText('No author has the slug "nope".').waitFor()
  })

  test('shows what a hostile writer wrote as words, and runs none of it', async () => {
    const { page, complaints } = await visit()
    await page.evaluate('window.__pwned = (id) => { window.pwned = id }')
    const tool = page.getByLabel('Tool', { exact: true })
    await tool.selectOption('recent_pieces')
    await page.getByLabel('category').selectOption('ideas')
    await page.getByLabel('limit', { exact: true }).fill('60')
    await page.getByRole('button', { name: 'Run' }).click()
    await answer(page).getByText('Results: 60').waitFor()
    assert.equal(await answer(page).locator('img, script, svg, iframe').count(), 0)
    for (const link of await answer(page).getByRole('link').all())
      assert.match((await link.getAttribute('href')) ?? '', /^https?:/)
    const { items } = (await (await fetch(`${base}/api/public/pieces/recent?category=ideas`)).json()) as {
      items: { id: string }[]
    }
    const [first] = items
    await tool.selectOption('get_piece')
    await page.locator('#argument-id').fill(first!.id)
    await page.keyboard.press('Enter')
    await answer(page).getByText('content_html').waitFor()
    assert.equal(await answer(page).locator('img, script, svg, iframe').count(), 0)
    assert.equal(await page.evaluate('window.pwned'), undefined)
    assert.deepEqual(complaints, [])
  })

  test('copies a setting', async () => {
    const { page } = await visit()
    await page.getByRole('button', { name: 'Copy' }).nth(1).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      'claude mcp add --transport http standfirst http://127.0.0.1:8080/api/mcp',
    )
  })

  test('is not there without its script, and the guide is', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${base}/developers/tools`)
    await page.locator('noscript p').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Run' }).count(), 0)
  })
})
