import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Dismissed, ReportPage } from '../../server/features/moderation/schema.ts'
import { servedSite } from '../../testkit/app.ts'
import { makeModerator } from '../../testkit/desk.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { axeViolations, openBrowser, openPage, screenshot, watchComplaints } from './browser.ts'

/** "Report this piece" in a real browser: without a script from the piece to the thanks, then with a moderator. */

const { admin, base } = await servedSite()
const browser = await openBrowser()

const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })

/** A page that records failed loads and CSP violations. */
async function open(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
  const page = await openPage(browser, options)
  const complaints = watchComplaints(page, /400 \(Bad Request\)/)
  page.on('request', (request) => {
    if (!request.url().startsWith(base)) complaints.push(request.url())
  })
  return { page, complaints }
}

test('a reader without scripts goes from a piece to the form and is thanked; a moderator sees it and dismisses', async () => {
  const id = await makePiece(admin, writer, { headline: 'On tea', body_md: 'Four minutes.' })
  const { page, complaints } = await open({ javaScriptEnabled: false })
  await page.goto(`${base}/author/ada/on-tea`)
  await page.getByRole('link', { name: 'Report this piece' }).click()
  await page.waitForURL(`${base}/desk/report/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Report this piece' }).waitFor()

  // A browser does not send the form before something is chosen.
  await page.getByRole('button', { name: 'Send report' }).click()
  assert.equal(page.url(), `${base}/desk/report/${id}`)

  // Errors that browsers cannot detect come back with a message.
  await page.getByRole('radio', { name: 'Something else' }).check()
  await page.getByRole('button', { name: 'Send report' }).click()
  const problem = page.getByRole('alert').getByRole('link', { name: 'Tell us in a few words what’s wrong.' })
  await problem.click()
  assert.equal(await page.locator('#note:target').count(), 1)
  assert.ok(await page.getByRole('radio', { name: 'Something else' }).isChecked())

  await page.getByLabel('What should we look at?').fill('It is my grandmother’s recipe.\nAll of it.')
  await page.getByLabel('Your email address').fill('me@reader.test')
  await page.getByRole('button', { name: 'Send report' }).click()
  await page.waitForURL(`${base}/desk/report/${id}/thanks`)
  await page.getByRole('heading', { level: 1, name: 'Report sent' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Report sent' }).waitFor()
  assert.deepEqual(await page.context().cookies(), [])
  assert.deepEqual(complaints, [])
  await page.getByRole('link', { name: 'Back to the piece' }).click()
  await page.waitForURL(`${base}/author/ada/on-tea`)

  const { ask } = await moderator()
  const { items } = await ask<ReportPage>('GET', '/desk/api/reports')
  assert.deepEqual(
    items.map(({ id, reports, newest }) => ({ id, reports, said: newest.map(({ reason, note }) => [reason, note]) })),
    [{ id, reports: 1, said: [['other', 'It is my grandmother’s recipe.\nAll of it.']] }],
  )
  assert.equal((await ask<Dismissed>('POST', `/desk/api/reports/${id}/dismiss`)).dismissed, 1)
  assert.deepEqual((await ask<ReportPage>('GET', '/desk/api/reports')).items, [])
})

/** At a page of the site, with the cookie of a session. */
async function moderator() {
  const { sessionToken } = await makeModerator(admin)
  const context = await browser.newContext({ locale: 'en-GB' })
  after(() => context.close())
  await context.addCookies([{ name: 'desk', value: sessionToken, url: base, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  await page.route(`${base}/desk/empty`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Desk</title>' }),
  )
  await page.goto(`${base}/desk/empty`)
  const ask = <Answer>(method: string, path: string) =>
    page.evaluate(
      `fetch(${JSON.stringify(path)}, { method: '${method}' }).then((answer) => answer.json())`,
    ) as Promise<Answer>
  return { ask }
}

const screens = [
  { name: 'on a desktop in light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'on a desktop in dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { name: 'on a phone in light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'on a phone in dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

for (const { name, viewport, colorScheme } of screens) {
  test(`form, problems and thanks are free of barriers and fit ${name}`, async () => {
    const id = await makePiece(admin, writer, { headline: 'W'.repeat(80) })
    const { page } = await open({ viewport, colorScheme, bypassCSP: true })
    const check = async (what: string) => {
      assert.deepEqual(await axeViolations(page), [], what)
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
      assert.ok(width <= viewport.width, `${what} is ${width} px wide`)
    }
    await page.goto(`${base}/desk/report/${id}`)
    await check('the form')
    await page.evaluate(`document.forms[document.forms.length - 1].noValidate = true`)
    await page.getByLabel('Your email address').fill('nobody')
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByRole('alert').waitFor()
    await check('the form with problems')
    await page.getByRole('radio', { name: 'Illegal content' }).check()
    await page.evaluate(`document.forms[document.forms.length - 1].noValidate = true`)
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByRole('link', { name: 'Tell us why it is illegal.' }).waitFor()
    await check('what illegal content asks for')
    await screenshot(page, `report-illegal-${name.replaceAll(' ', '-')}`, { fullPage: true })
    await page.goto(`${base}/desk/report/${id}/thanks`)
    await check('the thanks')
  })
}

test('by the keyboard: the fields come in their order, arrows choose a reason, the trap is never met', async () => {
  const id = await makePiece(admin, writer, { headline: 'By keyboard' })
  const { page } = await open({})
  await page.goto(`${base}/desk/report/${id}`)
  await page.getByRole('radio', { name: 'Spam' }).focus()
  await page.keyboard.press('ArrowDown')
  assert.ok(await page.getByRole('radio', { name: 'Harassment or hate' }).isChecked())
  const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent')
  const order: unknown[] = []
  for (let step = 0; step < 3; step++) {
    await page.keyboard.press('Tab')
    order.push(await focused())
  }
  assert.deepEqual(order, ['note', 'email', 'Send report'])
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/desk/report/${id}/thanks`)
})
