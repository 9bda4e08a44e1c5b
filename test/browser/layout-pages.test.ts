import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderEmail } from '../../server/features/emails/templates.ts'
import { addPseudoLanguages, pseudoLanguages } from '../../server/messages/pseudo.ts'
import { translatorOf } from '../../server/messages/translator.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { listen } from '../../testkit/network.ts'
import { makePagesSite } from '../../testkit/pages-site.ts'
import { openBrowser, openPage, screenshot } from './browser.ts'
import { openHost } from './embeds-host.ts'
import { countReads, hostileTexts, makeHostileSite } from './hostile-texts.ts'
import { layoutProblems, strayMarks } from './layout-check.ts'

/** All that readers see, in 40 % longer words, from left and from right, with headlines made to break it. */

addPseudoLanguages()
const { admin, url } = await testDatabase()
const site = await makePagesSite(admin)
const hostile = await makeHostileSite(admin)
await countReads(admin)
await admin.query('select app.count_topics()')
const { rows: topics } = await admin.query<{ topic: string }>('select topic from pub.topics order by topic')
const browser = await openBrowser()
const page = await openPage(browser, { reducedMotion: 'reduce' })
await page.route('https://**', (route) => route.abort())

const widths = [320, 390, 768, 1280]
const word = encodeURIComponent(hostileTexts['two hundred letters'])
const { path: markedPiece, listing: markedListing, id: marked } = hostile.find(({ slug }) => slug === 'stacked-marks')!

for (const language of pseudoLanguages) {
  const app = await testApp(url, { SITE_LANGUAGE: language, BASE_URL: 'http://127.0.0.1', CONTACT: 'us@site.test' })
  const { base } = await listen(app)
  const host = await openHost(browser, base)

  const look = async (name: string): Promise<string[]> => {
    const found = await layoutProblems(page, name, { widths })
    await screenshot(page, `layout-${language}-${name.replace(/\W+/g, '-')}`, { fullPage: true })
    return found
  }
  const visit = async (paths: readonly string[]): Promise<void> => {
    const found: string[] = []
    for (const path of paths) {
      await page.goto(base + path)
      found.push(...(await look(path.slice(0, 60))))
    }
    assert.deepEqual(found, [])
  }

  describe(`in ${language}, nothing is cut off or overlaps:`, () => {
    test('lists, search, the shop, pages of the site and errors', async () => {
      const search = ['/search', '/search?q=tea', '/search?q=o', '/search?q=nothing-at-all', `/search?q=${word}`]
      const shop = ['/shop', '/shop?q=tea', '/shop?q=nothing-at-all', `/shop?q=${word}`]
      const errors = ['/nothing', `/search?q=${'x'.repeat(201)}`, '/?cursor=wrong']
      const own = ['/about', '/privacy', '/trust']
      const lists = ['/topics', '/writers', '/trending', '/archive', '/archive/2026/03', '/author/ada-okafor/missing']
      await visit([...lists, ...topics.map(({ topic }) => `/topic/${encodeURIComponent(topic)}`)])
      await visit(['/', '/category/life', '/category/money', ...search, ...shop, ...own, ...errors])
    })

    test('pieces, receipts, listings, series and authors', async () => {
      await visit([site.rich, site.arabic, site.elsewhere].map(({ path }) => path))
      await visit(hostile.flatMap(({ slug, path, listing, series }) => [path, `/author/${slug}`, listing, series]))
      await visit(hostile.map(({ id }) => `/p/${id}/receipt`))
    })

    test('the report form, with and without mistakes, and the thanks', async () => {
      await visit([...hostile.map(({ id }) => `/desk/report/${id}`), `/desk/report/${marked}/thanks`])
      await page.goto(`${base}/desk/report/${marked}`)
      await page.evaluate(`(() => {
        const form = document.querySelector('.form-page form')
        form.noValidate = true
        document.getElementById('reason-illegal').checked = true
        document.getElementById('email').value = 'nobody'
        HTMLFormElement.prototype.submit.call(form)
      })()`)
      await page.locator('.problems').waitFor()
      assert.deepEqual(await look('a report with mistakes'), [])
    })

    test('the form to follow a writer, and the page that says to look for an email', async () => {
      await visit(hostile.flatMap(({ slug }) => [`/desk/follow/author/${slug}`, `/desk/follow/author/${slug}/sent`]))
    })

    test('guides', async () => {
      const names = ['', '/webhooks', '/configuration', '/embeds', '/tools', '/endpoints']
      await visit(names.map((name) => `/developers${name}`))
    })

    test('widgets in frames, and badges', async () => {
      for (const { slug, path } of hostile) {
        const kinds = ['badge', 'card', 'list', 'bio', `card?piece=${path.split('/').at(-1)}`]
        await visit(kinds.map((kind) => `/embed/${slug}/${kind}`))
        await page.goto(`${base}/embed/${slug}/badge.svg`)
        const strays = await page.evaluate(`[...document.querySelectorAll('path, text')].filter((one) => {
          const { left, right } = one.getBoundingClientRect()
          return left < 0 || right > document.documentElement.width.baseVal.value
        }).length`)
        assert.equal(strays, 0, `the badge of ${slug}`)
      }
    })

    test('widgets by script, on the page of another site', async () => {
      const kinds = ['badge', 'card', 'list', 'bio']
      const widgets = hostile.flatMap(({ slug }) =>
        kinds.map((kind) => `<div data-service-widget="${kind}" data-slug="${slug}"></div>`),
      )
      const { page, drawn } = await host.open(`${widgets.join('<hr>')}<script async src="${base}/embed.js"></script>`)
      await drawn(widgets.length)
      const roots = '__watch.roots()'
      assert.deepEqual(await layoutProblems(page, 'widgets', { widths, roots }), [])
    })

    test('emails that quote people', async () => {
      const found: string[] = []
      const piece = marked
      for (const [kind, text] of Object.entries(hostileTexts)) {
        const orders = [
          { template: 'changes-requested', params: { piece, headline: text, note: text } },
          { template: 'approved', params: { piece, headline: text } },
          { template: 'drafts-by-key', params: { count: 9, headlines: [text, text] } },
          { template: 'writer-suspended', params: { at: '2026-05-03T14:05:09Z', reason: text } },
          { template: 'verify-email', params: { token: 'x'.repeat(43), hours: 24 } },
        ]
        for (const order of orders) {
          const email = renderEmail(order, { name: text, base }, translatorOf(language))
          assert.ok(email, order.template)
          await page.goto('about:blank')
          await page.setContent(email.html)
          found.push(...(await look(`${order.template} with ${kind}`)))
        }
      }
      assert.deepEqual(found, [])
    })

    test('stacked marks are not painted over the lines around them', async () => {
      const found: string[] = []
      const lists = [
        '/',
        '/category/life',
        `/search?q=${encodeURIComponent(hostileTexts['stacked marks'])}`,
        '/shop',
        '/topics',
        '/writers',
        '/author/stacked-marks',
      ]
      const own = [markedPiece, markedListing, `/p/${marked}/receipt`, `/desk/report/${marked}`]
      const widgets = ['card', 'list', 'bio', 'badge'].map((kind) => `/embed/stacked-marks/${kind}`)
      for (const path of [...lists, ...own, ...widgets]) {
        await page.goto(base + path)
        found.push(...(await strayMarks(page, path)))
      }
      assert.deepEqual(found, [])
    })
  })
}
