import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePieceInLocale, openPagesSite } from '../../testkit/pages-site.ts'
import { axeViolations, openBrowser, openPage, screenshot } from './browser.ts'

/** Lists in many languages: the links to them, and the choice of the search page, in both directions of writing. */

const browser = await openBrowser()
const locales = ['ar', 'he', 'ja', 'zh-Hant', 'hi', 'el', 'de', 'pt-BR', 'id', 'rm', 'yue', 'ff', 'sr-Latn', 'vi', 'ta']

for (const [language, dir, all] of [
  ['en', 'ltr', 'All languages'],
  ['ar', 'rtl', 'كل اللغات'],
] as const) {
  test(`a site that is written from ${dir} names its languages, and none is wider than a phone`, async () => {
    const { base, admin, site } = await openPagesSite({ SITE_LANGUAGE: language, SEARCH_BUDGET: '5000' })
    for (const [at, locale] of locales.entries())
      await makePieceInLocale(admin, site.ada, locale, { headline: `Tea ${at}`, sub: null, body_md: 'Tea.' })
    const page = await openPage(browser, { viewport: { width: 320, height: 700 } })
    for (const [name, path] of [
      ['home', '/'],
      ['section', '/category/ideas?language=de'],
      ['author', '/author/ada-okafor'],
      ['search', '/search?q=tea&language=pt'],
    ] as const) {
      await page.goto(base + path)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, name)
      assert.equal(await page.evaluate('getComputedStyle(document.body).direction'), dir)
      assert.deepEqual(await axeViolations(page), [], name)
      await screenshot(page, `languages-${language}-${name}`)
    }
    await page.locator('select[name=language]').selectOption('de')
    await page.locator('.search-field button').click()
    assert.equal(new URL(page.url()).searchParams.get('language'), 'de')
    await page.goto(`${base}/`)
    await page.getByRole('link', { name: 'Deutsch' }).click()
    assert.equal(await page.title(), `Deutsch · ${await page.locator('h1').textContent()}`)
    assert.equal(await page.locator('.languages [aria-current]').textContent(), 'Deutsch')
    await page.getByRole('link', { name: all }).click()
    assert.equal(page.url(), `${base}/`)
  })
}
