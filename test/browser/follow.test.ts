import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { servedSite } from '../../testkit/app.ts'
import { makePiece, makeSeries, makeWriter } from '../../testkit/factories.ts'
import { readerKeys as keys } from '../../testkit/followers.ts'
import { axeViolations, openBrowser, openPage, screenshot, watchComplaints } from './browser.ts'
import { layoutProblems } from './layout-check.ts'

/** Following by email in a real browser, without a script and by keyboard, from a piece to the last email. */

const { admin, base } = await servedSite()
const browser = await openBrowser()

const writer = await makeWriter(admin, {
  slug: 'ada',
  name: 'Ada Okafor',
  bio: 'Writes about tea, weather and the patience that both ask for.',
})
const tea = await makePiece(admin, writer, {
  headline: 'On tea',
  body_md: 'Four minutes.',
  category: 'ideas',
  tags: ['Tea'],
})
await makeSeries(admin, writer, 'Slow tea', [tea])

async function open(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
  const page = await openPage(browser, options)
  const complaints = watchComplaints(page, /400 \(Bad Request\)|404 \(Not Found\)/)
  page.on('request', (request) => {
    if (!request.url().startsWith(base)) complaints.push(request.url())
  })
  return { page, complaints }
}

/** The link in the email that asks to confirm. */
async function linkFor(address: string): Promise<string> {
  const { rows } = await admin.query('select id from app.readers where address_hash = any ($1)', [
    keys.addressHashes(address),
  ])
  return `${base}/desk/following/${keys.readerToken(rows[0].id)}`
}

/** Tab until this is focused. */
async function tabTo(page: Page, what: string): Promise<void> {
  const focused = () =>
    page.evaluate('(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()')
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab')
    if ((await focused()) === what) return
  }
  assert.fail(`Tab never reaches ${what}`)
}

test('a reader follows from a piece by keyboard, confirms, chooses weekly emails, and stops', async () => {
  const { page, complaints } = await open({ javaScriptEnabled: false })
  const address = 'kim@reader.test'
  await page.goto(`${base}/author/ada/on-tea`)
  await tabTo(page, 'Follow Ada Okafor by email')
  await page.keyboard.type(address)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/desk/follow/author/ada/sent`)
  await page.getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()

  const link = await linkFor(address)
  await page.goto(link)
  await tabTo(page, 'Confirm')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${link}?done=confirmed`)
  assert.equal(await page.getByRole('status').textContent(), 'Confirmed.')

  await page.getByLabel('How often').selectOption('weekly')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.waitForURL(`${link}?done=changed`)
  assert.equal(await page.getByLabel('How often').inputValue(), 'weekly')

  await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter')
  await page.waitForURL(`${link}?done=stopped`)
  await page.getByRole('heading', { level: 1, name: /You follow nothing/ }).waitFor()
  assert.equal((await admin.query('select from app.readers')).rowCount, 0)
  assert.deepEqual(await page.context().cookies(), [])
  assert.deepEqual(complaints, [])
})

test('the page with all the ways follows weekly, and its trap is never met by keyboard', async () => {
  const { page } = await open({ javaScriptEnabled: false })
  await page.goto(`${base}/author/ada`)
  await page.getByRole('link', { name: 'Follow Ada Okafor' }).first().press('Enter')
  await page.waitForURL(`${base}/desk/follow/author/ada`)
  await page.getByLabel('Your email address').fill('lee@reader.test')
  await page.keyboard.press('Tab')
  for (const _ of ['daily', 'weekly']) await page.keyboard.press('ArrowDown')
  assert.ok(await page.getByRole('radio', { name: 'Weekly' }).isChecked())
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/desk/follow/author/ada/sent`)
  await page.goto(await linkFor('lee@reader.test'))
  await page.getByText('Weekly').waitFor()
  await page.getByRole('button', { name: 'Stop all emails' }).click()
  await page.getByRole('heading', { level: 1, name: /You follow nothing/ }).waitFor()
})

const screens = [
  { name: 'on a desktop in light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'on a desktop in dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { name: 'on a phone in light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'on a phone in dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

/** Sends the form without the browser's own checks. */
async function send(page: Page, path: string, address: string): Promise<void> {
  await page.goto(`${base}/desk/follow/${path}`)
  await page.evaluate(`document.querySelector('.form-page form').noValidate = true`)
  await page.getByLabel('Your email address').fill(address)
  await page.getByRole('button', { name: 'Follow' }).click()
}

for (const [at, { name, viewport, colorScheme }] of screens.entries()) {
  test(`every page of following is free of barriers and fits ${name}`, async () => {
    const { page, complaints } = await open({ viewport, colorScheme, bypassCSP: true })
    const check = async (what: string) => {
      assert.deepEqual(await axeViolations(page), [], what)
      assert.deepEqual(await layoutProblems(page, what, { widths: [viewport.width] }), [])
      await screenshot(page, `follow-${what.replaceAll(' ', '-')}-${name.replaceAll(' ', '-')}`, { fullPage: true })
    }
    for (const [what, path] of [
      ['piece', '/author/ada/on-tea'],
      ['author', '/author/ada'],
      ['section', '/category/ideas'],
      ['topic', '/topic/tea'],
      ['series', '/author/ada/series/slow-tea'],
      ['front page', '/'],
      ['form', '/desk/follow/author/ada'],
      ['bad link', '/desk/following/none'],
      ['stop', `/desk/following/stop/${keys.emailToken('00000000-0000-4000-8000-000000000000')}`],
    ] as const) {
      await page.goto(base + path)
      await check(what)
    }
    await send(page, 'author/ada', 'nobody')
    await page.getByRole('alert').waitFor()
    await check('problems')
    const address = `reader-${at}@reader.test`
    for (const path of ['author/ada', 'site', 'topic/tea']) await send(page, path, address)
    await page.waitForURL(/\/sent$/)
    await check('sent')
    await page.goto(await linkFor(address))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('status').waitFor()
    await send(page, 'series/ada/slow-tea', address)
    await page.waitForURL(/\/sent$/)
    await page.goto(`${await linkFor(address)}?done=changed`)
    await check('following')
    assert.deepEqual(complaints, [])
  })
}
