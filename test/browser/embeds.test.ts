import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { openBrowser, openPage } from './browser.ts'
import { openHost } from './embeds-host.ts'

/** embed.js on a site that is not ours, in a real browser. */

const { admin, app } = await testSite({ BASE_URL: 'http://127.0.0.1' })
const { base } = await listen(app)
const browser = await openBrowser()
const host = await openHost(browser, base)

const ada = await makeWriter(admin, {
  slug: 'ada',
  name: 'Ada Okafor',
  role: 'Essayist',
  location: 'Lagos',
  bio: 'Writes about kitchens & patience.',
  avatarUrl: `${host.origin}/portrait.svg`,
  website: 'https://ada.example/about',
  socials: { newsletter: 'https://ada.example/letters' },
  verified: true,
  websiteVerified: true,
})
for (let month = 0; month < 7; month += 1) {
  await makePiece(admin, ada, { headline: `Piece ${month + 1}`, publishedAt: new Date(Date.UTC(2026, month, 2)) })
}
await makeWriter(admin, { slug: 'bo', name: 'Bo Barely' })

const kinds = ['badge', 'card', 'list', 'bio'] as const
const widget = (kind: string, slug = 'ada', more = '') =>
  `<div data-service-widget="${kind}" data-slug="${slug}" ${more}><a href="/">own words</a></div>`
const script = `<script async src="${base}/embed.js"></script>`

/** The minimal CSP of a strict page. */
const strict = `default-src 'none'; script-src ${base}; connect-src ${base}; img-src ${host.origin}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`

describe('on a page that allows nothing but the script, its requests and portraits, and requires Trusted Types', () => {
  test('all four widgets are drawn, and nothing is complained of', async () => {
    const visit = await host.open(kinds.map((kind) => widget(kind)).join('') + script, { policy: strict })
    await visit.drawn(4)
    const [badge, card, list, bio] = await visit.texts()
    assert.equal(badge, 'Ada Okafor')
    assert.match(
      card ?? '',
      /^Ada OkaforEssayist · LagosFollowWrites about kitchens & patience\.7 pieces, latest 2 Jul 2026/,
    )
    assert.match(list ?? '', /^Ada OkaforFollowPiece 72 Jul 2026Piece 62 Jun 2026.*Piece 32 Mar 2026All pieces/)
    assert.match(bio ?? '', /kitchens & patience\.ada\.example verifiedNewsletter7 pieces/)
    for (const markup of await visit.markup()) assert.match(markup, /aria-label="Identity verified"/)
    const follows = await visit.page.evaluate(
      "__watch.roots().flatMap((root) => [...root.querySelectorAll('.follow')].map((a) => a.href))",
    )
    assert.deepEqual(follows, Array(3).fill(`${base}/desk/follow/author/ada`))
    const styled = await visit.page.evaluate(
      "__watch.roots().every((root) => getComputedStyle(root.firstElementChild).borderTopStyle === 'solid')",
    )
    assert.ok(styled, 'a widget is without its style')
    assert.deepEqual(visit.complaints, [])
  })

  test('it asks the site once for each writer and each feed, and nobody else but for portraits', async () => {
    const body = [...kinds, ...kinds].map((kind) => widget(kind)).join('')
    const visit = await host.open(body + script, { policy: strict })
    await visit.drawn(8)
    await visit.scanned()
    assert.deepEqual(
      visit.requests.filter((request) => !/favicon|localhost:\d+\/$/.test(request)).sort(),
      [
        `${base}/api/public/authors/ada`,
        `${base}/author/ada/feed.json`,
        `${base}/embed.js`,
        `${host.origin}/portrait.svg`,
      ].sort(),
    )
  })

  test('where the policy lets no portrait through, the widget does without', async () => {
    const visit = await host.open(widget('card') + script, { policy: strict.replace(`img-src ${host.origin}; `, '') })
    await visit.drawn(1)
    await until(async () => !(await visit.markup())[0]?.includes('<img'))
    assert.match((await visit.texts())[0] ?? '', /^Ada Okafor/)
  })
})

describe('looks', () => {
  test('the widget in the page and the widget in a frame are the same, mark for mark', async () => {
    const visit = await host.open(
      kinds
        .map((kind) =>
          widget(kind, 'ada', 'data-theme="dark" data-tone="verified" data-limit="3" data-target="_blank"'),
        )
        .join('') + script,
    )
    await visit.drawn(4)
    const drawn = await visit.markup()
    for (const [index, kind] of kinds.entries()) {
      await visit.page.goto(`${base}/embed/ada/${kind}?theme=dark&tone=verified&limit=3`)
      const framed = await visit.page.evaluate("document.querySelector('main').innerHTML")
      // The site uses its configured address, the script the one it was loaded from.
      assert.equal(framed, drawn[index]?.replaceAll(new URL(base).host, '127.0.0.1'))
    }
  })

  test('the theme, the accent and the target are as asked, and the default where they are unknown', async () => {
    const visit = await host.open(
      widget('card', 'ada', 'data-theme="dark" data-accent="#0a7d5a" data-target="_top"') +
        widget('card', 'ada', 'data-theme="sepia" data-accent="red" data-target="evil"') +
        widget('card', 'ada', 'data-theme="auto"') +
        script,
      { dark: true },
    )
    await visit.drawn(3)
    const found = (await visit.page.evaluate(`__watch.widgets().map((element) => {
      const widget = __watch.rootOf(element).firstElementChild
      const { colorScheme, backgroundColor } = getComputedStyle(widget)
      const rule = getComputedStyle(widget.querySelector('.site'), '::after').borderBottomColor
      return { colorScheme, backgroundColor, rule, target: widget.querySelector('a').getAttribute('target') }
    })`)) as Record<string, string | null>[]
    const [asked, odd, auto] = found
    assert.deepEqual([asked?.['colorScheme'], asked?.['rule'], asked?.['target']], ['dark', 'rgb(10, 125, 90)', '_top'])
    assert.deepEqual([odd?.['colorScheme'], odd?.['target']], ['light', null])
    assert.notEqual(odd?.['rule'], 'rgb(255, 0, 0)')
    assert.equal(auto?.['backgroundColor'], asked?.['backgroundColor'])
    assert.notEqual(odd?.['backgroundColor'], asked?.['backgroundColor'])
  })

  test("the page's own style does not reach in, and the widget's does not reach out", async () => {
    const wild =
      '<style>* { color: lime !important; text-transform: uppercase; letter-spacing: 9px } a, p { font-size: 40px !important }</style>'
    const read = `(() => { const link = __watch.roots()[0].querySelector('.name a'); const { color, textTransform, letterSpacing, fontSize } = getComputedStyle(link); return [color, textTransform, letterSpacing, fontSize].join() })()`
    const [calm, loud] = [await host.open(widget('card') + script), await host.open(wild + widget('card') + script)]
    await calm.drawn(1)
    await loud.drawn(1)
    assert.equal(await loud.page.evaluate(read), await calm.page.evaluate(read))
  })
})

describe('what the element holds', () => {
  const shown = (visit: { page: { evaluate(expression: string): Promise<unknown> } }) =>
    visit.page.evaluate(
      "[...document.querySelectorAll('[data-service-widget] a')].map((link) => link.checkVisibility() && link.getBoundingClientRect().height > 0)",
    )

  test('stays where the writer, the kind or the slug is unknown, and where the site does not answer', async () => {
    const body =
      widget('card', 'nobody') +
      widget('constructor') +
      widget('card', '../ada') +
      widget('card', '"><b>') +
      widget('', 'ada')
    const visit = await host.open(body + script)
    await visit.scanned()
    await visit.answered()
    assert.deepEqual(await shown(visit), [true, true, true, true, true])
    assert.equal((await visit.counts()).roots, 0)
    await visit.page.route(/\/api\/public\/authors\/(?!probe)/, (route) => route.abort())
    await visit.page.reload()
    const refused = visit.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/bo'))
    await visit.page.evaluate(`document.body.insertAdjacentHTML('beforeend', '${widget('card', 'bo')}')`)
    await refused
    await visit.scanned()
    assert.deepEqual(await shown(visit), [true, true, true, true, true, true])
  })

  test('where the writer is unknown, the console says so once, with the slug and where to look', async () => {
    const warnings: string[] = []
    const visit = await host.open(widget('card') + script)
    await visit.drawn(1)
    visit.page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text())
    })
    const wrong =
      widget('card', 'nobody') + widget('list', 'nobody') + widget('badge', 'Ada Okafor') + widget('bio', 'ada')
    await visit.page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(wrong)})`)
    await visit.drawn(2)
    await until(() => warnings.length >= 2, 'both are warned of')
    await visit.scanned()
    assert.deepEqual(
      warnings.map((words) => /has no writer "([^"]*)"\. data-slug .+\/author\/…$/.exec(words)?.[1]),
      ['Ada Okafor', 'nobody'],
    )
  })

  test('gives way to the widget, and comes back when the writer is no longer known', async () => {
    const visit = await host.open(widget('card') + script)
    await visit.drawn(1)
    assert.deepEqual(await shown(visit), [false])
    await visit.page.evaluate("document.querySelector('[data-service-widget]').dataset.slug = 'nobody'")
    await visit.drawn(2)
    assert.deepEqual(await shown(visit), [true])
    await visit.page.evaluate("document.querySelector('[data-service-widget]').dataset.slug = 'bo'")
    await visit.drawn(3)
    assert.match((await visit.texts())[0] ?? '', /^Bo Barely/)
  })

  test('is all there is without scripts', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false })
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: widget('card') + script }))
    await page.goto('http://localhost:1/')
    assert.equal(await page.getByText('own words').isVisible(), true)
  })
})

describe('when the page changes', () => {
  test('a thousand mutations render nothing twice and ask for nothing again', async () => {
    const visit = await host.open(kinds.map((kind) => widget(kind)).join('') + script)
    await visit.drawn(4)
    // Browsers ask for a portrait some time after it is drawn, and for an icon when they like.
    await until(() => visit.requests.includes(`${host.origin}/portrait.svg`), 'the portrait is asked for')
    const requests = () => visit.requests.filter((request) => !request.includes('favicon'))
    const before = { ...(await visit.counts()), requests: requests() }
    await visit.page.evaluate(`(async () => {
      for (let turn = 0; turn < 1000; turn += 1) {
        const [first] = __watch.widgets()
        const added = document.createElement('p')
        added.textContent = turn
        document.body.prepend(added)
        first.dataset.slug = first.dataset.slug
        first.setAttribute('class', 'c' + turn)
        document.body.append(first)
        if (turn % 2) added.remove()
        if (turn % 50 === 0) await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    })()`)
    await visit.scanned()
    assert.deepEqual({ ...(await visit.counts()), requests: requests() }, before)
  })

  test('a changed attribute is drawn once, however often it is set', async () => {
    const visit = await host.open(widget('card') + widget('badge', 'bo') + script)
    await visit.drawn(2)
    await visit.page.evaluate(`(() => {
      const [card] = __watch.widgets()
      for (let turn = 0; turn < 100; turn += 1) card.dataset.theme = turn % 2 ? 'dark' : 'auto'
    })()`)
    await visit.scanned()
    assert.equal((await visit.counts()).drawn, 3)
    assert.match((await visit.markup())[0] ?? '', /data-theme="dark"/)
  })

  test('an element that comes later is drawn, also deep inside what was added', async () => {
    const visit = await host.open(script)
    await visit.page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<main><section>${widget('badge')}</section></main>')`,
    )
    await visit.drawn(1)
    assert.deepEqual(await visit.texts(), ['Ada Okafor'])
  })

  test('an element that goes before its data comes is not drawn, and is when it comes back', async () => {
    const visit = await host.open(script)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const asked = visit.page.waitForRequest('**/api/public/authors/ada')
    await visit.page.route('**/api/public/authors/ada', async (route) => {
      await held
      await route.fallback()
    })
    await visit.page.evaluate(`document.body.insertAdjacentHTML('beforeend', '${widget('card')}')`)
    await asked
    await visit.page.evaluate('{ window.kept = __watch.widgets()[0]; kept.remove() }')
    release()
    await visit.answered()
    await visit.scanned()
    assert.deepEqual(await visit.counts(), { roots: 0, drawn: 0 })
    await visit.page.evaluate('document.body.append(kept)')
    await visit.drawn(1)
    assert.match((await visit.texts())[0] ?? '', /^Ada Okafor/)
  })

  test('an element that goes and comes back is left as it is', async () => {
    const visit = await host.open(widget('card') + script)
    await visit.drawn(1)
    await visit.page.evaluate('{ window.kept = __watch.widgets()[0]; kept.remove() }')
    await visit.scanned()
    await visit.page.evaluate('document.body.append(kept)')
    await visit.scanned()
    assert.deepEqual(await visit.counts(), { roots: 1, drawn: 1 })
  })

  test('several copies of the script draw each widget once', async () => {
    const [, pinned = ''] =
      /data-pinned="[^"]*(\/embed\/[^"]+)"/.exec(await (await fetch(`${base}/developers/embeds`)).text()) ?? []
    const visit = await host.open(
      kinds.map((kind) => widget(kind)).join('') +
        script +
        script +
        `<script src="${base}${pinned}"></script>` +
        script,
    )
    await visit.drawn(4)
    await visit.scanned()
    assert.deepEqual(await visit.counts(), { roots: 4, drawn: 4 })
    assert.equal(visit.requests.filter((request) => request.includes('/api/public/')).length, 1)
  })

  test('of ten thousand widgets the first fifty are drawn, and the others are not even read', async () => {
    const counted = `{
      const { getAttribute } = Element.prototype
      window.reads = 0
      Element.prototype.getAttribute = function (name) {
        window.reads += 1
        return Reflect.apply(getAttribute, this, [name])
      }
    }`
    const visit = await host.open(`<div id="many" hidden></div>${script}`, { before: counted })
    await visit.page.evaluate(`many.innerHTML = ${JSON.stringify(widget('badge'))}.repeat(10000)`)
    await visit.drawn(50)
    await visit.scanned()
    assert.deepEqual(await visit.counts(), { roots: 50, drawn: 50 })
    const reads = Number(await visit.page.evaluate('reads'))
    assert.ok(reads >= 50 && reads < 10_000, `${reads} attributes are read`)
  })
})
