import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { docsPages, docsPath } from '../../server/http/docs-toc.ts'
import { testSite } from '../../testkit/app.ts'
import { listen } from '../../testkit/network.ts'
import { axeViolations, openBrowser, openPage, screenshot, watchComplaints } from './browser.ts'

/** /developers in a real browser: accessible, at every width, without scripts. */

const { app } = await testSite({ BASE_URL: 'http://127.0.0.1' })
const { base } = await listen(app)
const browser = await openBrowser()

const looks = [
  { name: 'a desk in light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'a phone in dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const
/** The index, a long page with tables and code, and the API reference. */
const kinds = { index: '/developers', webhooks: '/developers/webhooks', reference: '/developers/reference' }

const unfold = 'for (const one of document.querySelectorAll("details")) one.open = true'

for (const { name, viewport, colorScheme } of looks) {
  test(`axe finds nothing to object to on ${name}, with everything unfolded too`, async () => {
    const page = await openPage(browser, { viewport, colorScheme })
    for (const [kind, path] of Object.entries(kinds)) {
      await page.goto(base + path)
      await screenshot(page, `docs-${kind}-${viewport.width}-${colorScheme}`)
      await page.evaluate(unfold)
      assert.deepEqual(await axeViolations(page), [], path)
    }
  })
}

test('no page is wider than 320 px, whatever is unfolded', async () => {
  const page = await openPage(browser, { viewport: { width: 320, height: 700 } })
  for (const one of docsPages) {
    await page.goto(base + docsPath(one))
    await page.evaluate(unfold)
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    assert.ok(width <= 320, `${one.name} is ${width} px wide`)
  }
})

const focused = (page: Page): Promise<unknown> =>
  page.evaluate('document.activeElement.tagName + " " + document.activeElement.textContent')

async function tabUntil(page: Page, words: string): Promise<number> {
  for (let presses = 1; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focused(page)) === words) return presses
  }
  return assert.fail(`the keyboard does not reach ${words}`)
}

test('the keyboard reaches every page from every page', async () => {
  const wide = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  await wide.goto(`${base}/developers/style`)
  assert.equal(
    await tabUntil(wide, 'A Developers'),
    13,
    'after the skip link, wordmark, search, desk and eight sections',
  )
  await tabUntil(wide, 'A Configuration')
  await wide.keyboard.press('Enter')
  await wide.waitForURL('**/developers/configuration')
  assert.equal(await wide.locator('[aria-current="page"]').textContent(), 'Configuration')

  const phone = await openPage(browser, { viewport: { width: 390, height: 844 } })
  await phone.goto(`${base}/developers/style`)
  assert.equal(await phone.getByRole('link', { name: 'Configuration' }).isVisible(), false)
  await tabUntil(phone, 'SUMMARY All pages')
  await phone.keyboard.press('Enter')
  await tabUntil(phone, 'A Configuration')
  await phone.keyboard.press('Enter')
  await phone.waitForURL('**/developers/configuration')
})

test('a heading can be linked to, and the link leads to it', async () => {
  const page = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  await page.goto(`${base}/developers/webhooks`)
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Retries' }).click()
  assert.equal(new URL(page.url()).hash, '#retries')
  const top = Number(await page.evaluate('document.querySelector("#retries").getBoundingClientRect().top'))
  assert.ok(top >= 0 && top < 100, `the heading is ${top} px from the top`)
  await page.close()
})

test('every sample of code can be copied, and no button hides a part of it', async () => {
  for (const width of [390, 1280]) {
    const page = await openPage(browser, {
      viewport: { width, height: 844 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    for (const name of ['quickstart', 'drafting', 'tools', 'reference', 'running']) {
      await page.goto(`${base}/developers/${name}`)
      await page.evaluate(unfold)
      const samples = page.locator('pre:visible')
      assert.ok((await samples.count()) > 1, name)
      assert.equal(await page.getByRole('button', { name: 'Copy', exact: true }).count(), await samples.count(), name)
      for (const sample of await page.locator('.sample').all()) {
        const code = (await sample.locator('pre').boundingBox())!
        const button = (await sample.getByRole('button').boundingBox())!
        assert.ok(button.y + button.height <= code.y || button.x >= code.x + code.width, `${name}: covered`)
        // A phone has no space to lose.
        if (width === 390) assert.equal(code.width, (await sample.boundingBox())!.width, name)
      }
    }
    await page.goto(`${base}/developers/quickstart`)
    const first = page.locator('.sample').first()
    await first.getByRole('button').click()
    await first.getByText('Copied').waitFor()
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      (await first.locator('pre').textContent())?.trimEnd(),
    )
    await screenshot(page, `docs-quickstart-${width}`)
    await page.close()
  }
})

test('on paper there is the text, whole, and nothing to press', async () => {
  const page = await openPage(browser, { viewport: { width: 700, height: 900 } })
  await page.goto(`${base}/developers/tools`)
  await page.emulateMedia({ media: 'print' })
  for (const gone of ['.guide-ways', '.guide-sections', '.guide-neighbours', '.console', '.copy', '.anchor'])
    assert.equal(await page.locator(gone).first().isVisible(), false, gone)
  const cut = '[...document.querySelectorAll("pre")].filter((pre) => pre.scrollWidth > pre.clientWidth).length'
  assert.equal(await page.evaluate(cut), 0, 'code that is cut off')
  await page.close()
})

test('the reference leads to every call, without a script, an outside request or a breach of its policy', async () => {
  const page = await openPage(browser, { viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
  const outside: string[] = []
  const complaints = watchComplaints(page)
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(base).host) outside.push(request.url())
  })
  await page.goto(`${base}/developers/reference`)
  const calls = page.getByRole('navigation', { name: 'All calls' })
  await calls.getByRole('link', { name: 'Create a draft' }).click()
  assert.equal(new URL(page.url()).hash, '#createPiece')
  const call = page.getByRole('region', { name: 'Create a draft' })
  assert.ok(await call.getByText('POST /api/v1/pieces', { exact: true }).isVisible())
  await page.goBack()
  await calls.getByRole('link', { name: 'Objects' }).click()
  const object = page.getByRole('region', { name: 'PieceHit' })
  assert.equal(await object.getByText('date_published').isVisible(), false, 'long lists of fields are collapsed')
  await object.getByText('Fields: ').first().click()
  assert.equal(await object.getByText('date_published').isVisible(), true)
  assert.deepEqual(outside, [])
  assert.deepEqual(complaints, [])
})
