import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { openPagesSite, pathOf } from '../../testkit/pages-site.ts'
import { until as untilTrue } from '../../testkit/waiting.ts'
import { axeViolations, openBrowser, openPage, painted, until, visual, watchComplaints } from './browser.ts'

/** Pages in a browser: small, without layout shifts, accessible, and complete without scripts. */

const { base, admin, site } = await openPagesSite({ SEARCH_BUDGET: '5000' })
const browser = await openBrowser()

const accented = await makePiece(admin, site.ada, {
  headline: 'Zürich, naïve: a café',
  sub: 'Über Æther and Œuvre — “señor”, said the façade.',
  body_md: `*Ångström* and **Øresund**.\n\n${'The naïve café in Zürich was, as it were, a façade of façades. '.repeat(150)}`,
})
/** The same piece in seven languages, twice in German, by one writer. */
const wolfe = await makeWriter(admin, { name: 'Hubert Wolfe', slug: 'wolfe' })
const english = await makePiece(admin, wolfe, { headline: 'On rain' })
for (const [locale, headline] of [
  ['de', 'Über Regen'],
  ['de', 'Vom Regen'],
  ['fr', 'De la pluie'],
  ['es', 'De la lluvia'],
  ['pt-BR', 'Da chuva'],
  ['ja', '雨について'],
  ['ar', 'في المطر'],
] as const)
  await makePiece(admin, wolfe, { headline, locale, body_md: headline, translationOf: english })

const kinds: Readonly<Record<string, string>> = {
  home: '/',
  category: '/category/life',
  author: '/author/ada-okafor',
  piece: site.rich.path,
  'a piece from right to left': site.arabic.path,
  'a piece from elsewhere': site.elsewhere.path,
  'home in one language': '/?language=ar',
  'a category in one language': '/category/life?language=en',
  'an author in one language': '/author/ada-okafor?language=en',
  'a piece in several languages': '/author/wolfe/on-rain',
  'a translation': '/author/wolfe/uber-regen',
  'a translation from right to left': `/author/wolfe/${encodeURIComponent('في-المطر')}`,
  search: '/search?q=tea',
  'a search in one language': '/search?q=tea&language=en',
  'an empty search': '/search',
  shop: '/shop',
  'a search of the shop': '/shop?q=tea',
  listing: '/shop/the-tea-notebook',
  'a listing from right to left': '/shop/listing',
  about: '/about',
  trust: '/trust',
  'how a piece was published': `/p/${site.rich.id}/receipt`,
  privacy: '/privacy',
  'a page that is not there': '/nothing',
}
const desktop = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }

/** Every rule at both widths and in both schemes once; in the other two combinations the rules that depend on them. */
const looks = [
  { viewport: desktop, colorScheme: 'light', rules: {} },
  { viewport: desktop, colorScheme: 'dark', rules: visual },
  { viewport: phone, colorScheme: 'dark', rules: {} },
  { viewport: phone, colorScheme: 'light', rules: visual },
] as const

test('axe finds nothing to object to on any kind of page, light or dark, on a phone or a desk', async () => {
  const page = await openPage(browser, { reducedMotion: 'reduce' })
  for (const [kind, path] of Object.entries(kinds)) {
    await page.goto(base + path)
    for (const { viewport, colorScheme, rules } of looks) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await axeViolations(page, rules), [], `${kind}, ${colorScheme}, ${viewport.width}`)
    }
  }
})

test('no page has a script that runs, breaks its own policy, or is wider than its window', async () => {
  const page = await openPage(browser, { viewport: { width: 320, height: 700 } })
  // A missing picture at pictures.example is no fault of the page.
  const complaints = watchComplaints(page, /ERR_NAME_NOT_RESOLVED|status of 404/)
  for (const [kind, path] of Object.entries(kinds)) {
    await page.goto(base + path)
    const types = await page.evaluate('[...document.scripts].map((script) => script.type)')
    assert.ok(
      (types as string[]).every((type) => type === 'application/ld+json'),
      kind,
    )
    for (const width of [800, 320]) {
      await page.setViewportSize({ width, height: 700 })
      const needed = await page.evaluate('document.documentElement.scrollWidth')
      assert.equal(needed, width, `${kind} is wider than its window`)
    }
  }
  assert.deepEqual(complaints, [])
})

/** All requests with their transferred bytes, pictures separately. */
async function transferred(path: string): Promise<{ bytes: number; asked: string[]; pictures: string[] }> {
  const page = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  const wire = await page.context().newCDPSession(page)
  await wire.send('Network.enable')
  const types = new Map<string, string>()
  const asked: string[] = []
  const pictures: string[] = []
  let bytes = 0
  wire.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    types.set(requestId, type ?? '')
    if (type === 'Image') pictures.push(request.url)
    else asked.push(request.url)
  })
  const open = new Set<string>()
  wire.on('Network.requestWillBeSent', ({ requestId }) => open.add(requestId))
  wire.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId))
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    open.delete(requestId)
    if (types.get(requestId) !== 'Image') bytes += encodedDataLength
  })
  await page.goto(base + path)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  // Lazy content is requested by the frame that shows it.
  await painted(page)
  await page.evaluate('document.fonts.ready')
  await untilTrue(() => open.size === 0, 'everything asked for has come')
  return { bytes, asked, pictures }
}

test('a piece page takes at most 60 kB without its pictures, and asks no other site for anything but them', async () => {
  for (const path of [site.rich.path, await pathOf(admin, accented), kinds['a translation']!]) {
    const { bytes, asked, pictures } = await transferred(path)
    console.log(`${path}: ${(bytes / 1000).toFixed(1)} kB in ${asked.length} requests`)
    assert.equal(
      asked.some((url) => url.includes('/fonts/serif-400-italic.')),
      path !== kinds['a translation'],
    )
    assert.ok(bytes <= 60_000, `${bytes} bytes`)
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(`${base}/`)),
      [],
    )
    assert.deepEqual(
      // Drawn covers and the pixel that counts a read are ours.
      pictures.filter((url) => !['favicon', 'cover/', 'r/'].some((own) => url.startsWith(`${base}/${own}`))),
      path === site.rich.path ? ['https://pictures.example/teapot.jpg'] : [],
    )
  }
})

const watchShifts = `{
  const shifts = []
  const keep = (entries) => {
    for (const { value, sources } of entries) {
      for (const { node, previousRect: from, currentRect: to } of sources) {
        const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
        shifts.push(value.toFixed(5) + ' ' + node?.textContent?.trim().slice(0, 50) + ': ' + place(from) + ' -> ' + place(to))
      }
    }
  }
  const observer = new PerformanceObserver((list) => keep(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  globalThis.takeShifts = () => {
    keep(observer.takeRecords())
    return shifts
  }
}`

/** Late fonts arrive after the page was painted without them. */
async function shiftsOf(page: Page, path: string, fonts: 'in time' | 'late'): Promise<string[]> {
  const painting = Promise.withResolvers<void>()
  if (fonts === 'in time') painting.resolve()
  await page.route('**/fonts/**', async (route) => {
    await painting.promise
    await route.continue()
  })
  await page.goto(base + path, { waitUntil: 'commit' })
  if (fonts === 'late') {
    await until(page, "performance.getEntriesByName('first-contentful-paint').length")
    await painted(page)
    painting.resolve()
  }
  await page.waitForLoadState('load')
  await page.evaluate('document.fonts.ready')
  await painted(page)
  await page.unroute('**/fonts/**')
  return page.evaluate('takeShifts()') as Promise<string[]>
}

test('nothing on a page moves, whether its fonts come in time or late', async () => {
  for (const [fonts, viewport] of [
    ['in time', desktop],
    ['late', desktop],
    ['late', phone],
  ] as const) {
    const page = await openPage(browser, { viewport })
    await page.addInitScript(watchShifts)
    for (const [kind, path] of Object.entries(kinds))
      assert.deepEqual(await shiftsOf(page, path, fonts), [], `${kind} at ${viewport.width}, fonts ${fonts}`)
  }
})

test('text is set in the face of the site, with old-style figures in prose and tabular ones in tables', async () => {
  const page = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  // The second visit has the fonts already.
  for (const path of ['/', site.rich.path, site.rich.path]) {
    await page.goto(base + path)
    await page.evaluate('document.fonts.ready')
  }
  const wire = await page.context().newCDPSession(page)
  await wire.send('DOM.enable')
  await wire.send('CSS.enable')
  const { root } = await wire.send('DOM.getDocument')
  for (const selector of ['h1', '.prose > p:nth-of-type(2)', '.prose em', '.prose strong', '.standfirst']) {
    const { nodeId } = await wire.send('DOM.querySelector', { nodeId: root.nodeId, selector })
    const { fonts } = await wire.send('CSS.getPlatformFontsForNode', { nodeId })
    assert.deepEqual(
      fonts.filter(({ familyName }) => familyName !== 'Standfirst Serif').map(({ familyName }) => familyName),
      [],
      selector,
    )
  }
  const figures = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).fontVariantNumeric`)
  assert.match(String(await figures('.prose p')), /oldstyle-nums/)
  assert.match(String(await figures('.prose td')), /tabular-nums/)
})

test('a line of text is 62 to 68 characters long where there is room, and letters are 18 to 20 px', async () => {
  for (const viewport of [desktop, phone]) {
    const page = await openPage(browser, { viewport })
    for (const path of [site.rich.path, await pathOf(admin, accented)]) await page.goto(base + path)
    const { size, perLine } = (await page.evaluate(`(() => {
      const paragraph = document.querySelector('.prose > p:nth-of-type(2)')
      const range = document.createRange()
      range.selectNodeContents(paragraph)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      return { size: parseFloat(getComputedStyle(paragraph).fontSize), perLine: paragraph.textContent.length / lines }
    })()`)) as { size: number; perLine: number }
    assert.ok(size >= 18 && size <= 20, `${size} px`)
    if (viewport.width > 1000) assert.ok(perLine >= 62 && perLine <= 68, `${perLine} characters`)
  }
})

test('a keyboard goes through a page from top to bottom, sees where it is, and can skip to the text', async () => {
  const page = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  await page.goto(base + site.rich.path)
  const focused = `(() => {
    const { textContent, href } = document.activeElement
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
    const all = [...document.querySelectorAll('a[href], input, button, [tabindex]')]
    return { words: textContent.trim(), href, ring: outlineStyle + outlineWidth, at: all.indexOf(document.activeElement) }
  })()`
  const stops: { words: string; ring: string; at: number }[] = []
  for (let stop = 0; stop < 20; stop++) {
    await page.keyboard.press('Tab')
    stops.push((await page.evaluate(focused)) as (typeof stops)[number])
  }
  assert.deepEqual(
    stops.slice(0, 16).map(({ words }) => words),
    [
      ...['Skip to content', 'Standfirst', 'Search', 'Write'],
      ...['Building', 'Leading', 'Culture', 'Money', 'Life', 'Civic', 'Ideas', 'Society'],
      ...['Culture', 'Ada Okafor', 'Follow', '1'],
    ],
  )
  assert.ok(stops.every(({ ring }) => ring === 'solid2px'))
  assert.ok(stops.every(({ at }, index) => at > (stops[index - 1]?.at ?? -1)))

  await page.goto(base + site.rich.path)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.equal(((await page.evaluate(focused)) as { words: string }).words, 'Culture')
})

test('pages can be read and searched without a script, from the front page to a piece', async () => {
  const page = await openPage(browser, { javaScriptEnabled: false })
  await page.goto(base)
  await Promise.all([page.waitForNavigation(), page.getByRole('link', { name: 'Search' }).click()])
  await page.getByRole('searchbox').fill('four minutes')
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  await Promise.all([page.waitForNavigation(), page.getByRole('link', { name: /On tea/ }).click()])
  assert.equal(page.url(), base + site.rich.path)
  assert.equal(
    await page.getByRole('heading', { level: 1 }).textContent(),
    'On tea, and the four minutes nobody wants to wait',
  )
})
