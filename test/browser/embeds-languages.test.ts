import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import { openBrowser, screenshot } from './browser.ts'
import { openHost } from './embeds-host.ts'

/** embed.js of sites in German and in Arabic, on an English page. */

const { admin, url } = await testDatabase()
const ada = await makeWriter(admin, {
  slug: 'ada',
  name: 'Ada Okafor',
  bio: 'Writes about kitchens.',
  website: 'https://ada.example/about',
  websiteVerified: true,
  verified: true,
})
for (const [month, locale] of ['en', 'de', 'ja'].entries())
  await makePiece(admin, ada, {
    headline: `Piece ${month + 1}`,
    locale,
    publishedAt: new Date(Date.UTC(2026, month + 2, 2)),
  })
await makeWriter(admin, { slug: 'bo', name: 'Bo Barely' })
const browser = await openBrowser()

const kinds = ['badge', 'card', 'list', 'bio'] as const
const widget = (kind: string, slug: string) => `<div data-service-widget="${kind}" data-slug="${slug}"></div>`

for (const { language, dir, verified, count, date, all, none } of [
  {
    language: 'de',
    dir: 'ltr',
    verified: 'Identität verifiziert',
    count: '3 Beiträge',
    date: '2. Mai 2026',
    all: 'Alle Beiträge',
    none: 'Noch nichts veröffentlicht',
  },
  {
    language: 'ar',
    dir: 'rtl',
    verified: 'هوية موثّقة',
    count: '3 مقالات',
    date: '2 مايو 2026',
    all: 'كل المقالات',
    none: 'لا شيء منشور بعد',
  },
] as const) {
  test(`the widgets of a site in ${language} speak it, in the page as in a frame`, async () => {
    const app = await testApp(url, { SITE_LANGUAGE: language, BASE_URL: 'http://127.0.0.1' })
    const { base } = await listen(app)
    const host = await openHost(browser, base)
    const body = [...kinds.map((kind) => widget(kind, 'ada')), widget('list', 'bo')].join('')
    const visit = await host.open(`${body}<script async src="${base}/embed.js"></script>`)
    await visit.drawn(5)
    await screenshot(visit.page, `embeds-${language}`)
    const [, card = '', list = '', bio = '', empty = ''] = (await visit.texts()).map((text) => plain(text ?? ''))
    assert.ok(card.includes(count) && card.includes(date), card)
    assert.ok(list.includes(date) && list.includes(all), list)
    assert.ok(bio.includes(count), bio)
    assert.ok(empty.includes(none), empty)
    const markup = await visit.markup()
    for (const drawn of markup.slice(0, 4)) assert.ok(drawn.includes(`aria-label="${verified}"`), drawn)
    for (const drawn of markup) assert.match(drawn, new RegExp(`^<\\w+ class="w [^>]* lang="${language}"`))
    assert.deepEqual(
      [...(markup[2] ?? '').matchAll(/lang="(\w+)">(Piece \d)/g)].map(([, lang, title]) => [title, lang]),
      [
        ['Piece 3', 'ja'],
        ['Piece 2', 'de'],
        ['Piece 1', 'en'],
      ],
    )
    const directions = await visit.page.evaluate(
      '__watch.roots().map((root) => getComputedStyle(root.firstElementChild).direction)',
    )
    assert.deepEqual(directions, [dir, dir, dir, dir, dir])
    assert.deepEqual(visit.complaints, [])

    for (const [index, kind] of kinds.entries()) {
      await visit.page.goto(`${base}/embed/ada/${kind}?target=_parent`)
      const framed = String(await visit.page.evaluate("document.querySelector('main').innerHTML"))
      const same = markup[index]!.replaceAll(new URL(base).host, '127.0.0.1')
      assert.equal(framed.replaceAll(' target="_parent"', ''), same)
    }
  })
}

/** Without the marks of direction, and with digits as they are in English. */
const plain = (text: string): string =>
  text
    .replace(/[\u061c\u200e\u200f]/g, '')
    .replace(/[٠-٩]/g, (digit) => String(digit.codePointAt(0)! - 0x660))
    .replace(/\u00a0/g, ' ')
