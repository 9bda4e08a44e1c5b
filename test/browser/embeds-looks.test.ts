import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { frameSizes } from '../../embed/release.ts'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import {
  axeViolations,
  openBrowser,
  openPage,
  painted,
  until,
  visual,
  watchComplaints,
  watchRequests,
} from './browser.ts'
import { patiently } from './embeds-host.ts'

/** Accessibility of the widgets and their playground: readable, usable by keyboard, of the right size. */

const { admin, app } = await testSite({ BASE_URL: 'http://127.0.0.1' })
const { base } = await listen(app)
const browser = await openBrowser()

const ada = await makeWriter(admin, {
  slug: 'ada',
  name: 'Ada Okafor',
  role: 'Essayist',
  location: 'Lagos',
  bio: 'Writes about kitchens, patience and what both have to do with software. Before that she ran a bakery for eleven years, which taught her to distrust anything that is finished too early.',
  avatarUrl: 'https://portraits.test/ada.png',
  website: 'https://ada.example/about',
  socials: { x: 'https://x.example/ada', newsletter: 'https://ada.example/letters' },
  verified: true,
  websiteVerified: true,
})
for (const headline of [
  'The kettle and the compiler',
  'What a bakery taught me about finishing things',
  'On being late',
  'Four minutes',
  'Bread',
  'Salt',
]) {
  await makePiece(admin, ada, { headline, sub: 'A standfirst that says what follows, in one sentence and no more.' })
}
await makeWriter(admin, {
  slug: 'david',
  name: 'דוד גרוסמן',
  role: 'סופר',
  bio: 'כותב על סבלנות ועל מטבחים.',
  verified: true,
})

/** A widget is embedded in a page that has its own headline. */
const inPlace = { rules: { 'page-has-heading-one': { enabled: false } } }

async function visitor(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openPage(browser, options)
  await patiently(page.context(), base)
  await page.route('https://portraits.test/**', (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    }),
  )
  return page
}

const piece = 'card?piece=the-kettle-and-the-compiler'
const addresses = ['badge', 'card', 'list', 'bio', piece].flatMap((kind) => [
  `/embed/ada/${kind}`,
  `/embed/david/${kind}`,
])

for (const [theme, scheme] of [
  ['light', 'dark'],
  ['dark', 'light'],
  ['auto', 'dark'],
] as const) {
  test(`axe finds no fault with any widget: theme ${theme} for a reader who prefers ${scheme}`, async () => {
    const page = await visitor({ colorScheme: scheme, viewport: { width: 390, height: 700 } })
    for (const address of [...addresses, '/embed/nobody/card']) {
      for (const tone of ['', '&tone=verified']) {
        await page.goto(`${base}${address}${address.includes('?') ? '&' : '?'}theme=${theme}${tone}`)
        assert.deepEqual(await axeViolations(page, tone ? visual : inPlace), [], address)
        assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 390, `${address} is too wide`)
      }
    }
  })
}

test('a frame of the published size shows the whole widget of an ordinary writer', async () => {
  const page = await visitor()
  for (const [kind, { width, height }] of Object.entries(frameSizes)) {
    await page.setViewportSize({ width, height })
    await page.goto(`${base}/embed/ada/${kind === 'piece' ? piece : kind}`)
    const bottom = "Math.ceil(document.querySelector('.w').getBoundingClientRect().bottom)"
    assert.equal(await page.evaluate(bottom), height, `${kind} leaves a strip`)
    const needed = Number(await page.evaluate(`document.querySelector('.w').style.minHeight = 0; ${bottom}`))
    assert.ok(needed <= height && needed > height * 0.6, `${kind} needs ${needed} of ${height} px`)
  }
})

test('a widget fills its frame, whatever size the frame has', async () => {
  const page = await visitor()
  for (const [width, height] of [
    [200, 700],
    [900, 500],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const address of addresses) {
      await page.goto(`${base}${address}`)
      const box = await page.locator('.w').boundingBox()
      assert.deepEqual(box, { x: 0, y: 0, width, height }, address)
    }
  }
})

/** Words that stand on more than one line. */
const brokenWords = `[...document.querySelectorAll('.w, .w *')].flatMap((element) => [...element.childNodes])
  .filter((node) => node.nodeType === Node.TEXT_NODE)
  .flatMap((node) => [...node.data.matchAll(/[^\\s-]+/g)].filter((match) => {
    const range = document.createRange()
    range.setStart(node, match.index)
    range.setEnd(node, match.index + match[0].length)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
  }).map(([word]) => word))`

test('no ordinary word is broken in a widget of 200 px', async () => {
  const page = await visitor({ viewport: { width: 200, height: 600 } })
  for (const address of addresses) {
    await page.goto(`${base}${address}`)
    assert.deepEqual(await page.evaluate(brokenWords), [], address)
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 200, `${address} is too wide`)
  }
})

test('the foot of a widget has the name of the site', async () => {
  const page = await visitor()
  for (const kind of ['card', 'list', 'bio', piece]) {
    await page.goto(`${base}/embed/ada/${kind}`)
    assert.equal(await page.locator('.site').textContent(), 'Standfirst', kind)
  }
})

test('a widget does not move where the reader wants no motion', async () => {
  const page = await visitor({ reducedMotion: 'reduce' })
  await page.goto(`${base}/embed/ada/card`)
  assert.equal(await page.evaluate("getComputedStyle(document.querySelector('a')).transitionDuration"), '0s')
})

test('a link that has the focus shows it', async () => {
  const page = await visitor()
  await page.goto(`${base}/embed/ada/card`)
  await page.keyboard.press('Tab')
  const focused = await page.evaluate(
    '[document.activeElement.textContent, getComputedStyle(document.activeElement).outlineStyle, getComputedStyle(document.activeElement).outlineWidth]',
  )
  assert.deepEqual(focused, ['Ada Okafor', 'solid', '2px'])
})

describe('the playground', () => {
  const open = async (options: { width: number; dark: boolean }) => {
    const page = await visitor({
      viewport: { width: options.width, height: 900 },
      colorScheme: options.dark ? 'dark' : 'light',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const complaints = watchComplaints(page)
    const answered = watchRequests(page)
    await page.goto(`${base}/developers/embeds`)
    await until(page, "document.getElementById('by-script').textContent !== ''")
    return {
      page,
      complaints,
      answered,
      snippet: async (id: string) => (await page.locator(`#${id}`).textContent()) ?? '',
    }
  }

  for (const [width, dark] of [
    [1280, false],
    [390, true],
  ] as const) {
    test(`has no fault that axe finds, ${width} px wide, ${dark ? 'dark' : 'light'}`, async () => {
      const { page, complaints, answered } = await open({ width, dark })
      await answered()
      await painted(page)
      assert.deepEqual(await axeViolations(page), [])
      assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width)
      assert.deepEqual(complaints, [])
    })
  }

  test('writes what is chosen, shows it, and copies it', async () => {
    const { page, snippet, complaints } = await open({ width: 1280, dark: false })
    assert.match(
      await snippet('by-script'),
      /<div data-service-widget="card" data-slug="\w+">[\s\S]*<script async src="http:\/\/127\.0\.0\.1\/embed\.js"><\/script>/,
    )
    await page.getByLabel('Writer', { exact: true }).fill(`${base}/author/ada`)
    await page.getByLabel('list').check()
    await page.getByLabel('Pieces').fill('3')
    await page.getByLabel('dark').check()
    await page.getByLabel('Accent', { exact: true }).check()
    const attributes =
      'data-service-widget="list" data-slug="ada" data-theme="dark" data-limit="3" data-accent="#0a6e5c"'
    await until(page, `document.getElementById('by-script').textContent.includes(${JSON.stringify(attributes)})`)
    assert.match(
      await snippet('by-pinned'),
      /src="http:\/\/127\.0\.0\.1\/embed\/[0-9a-f]{16}\.js"\s+integrity="sha384-[^"]{64}"\s+crossorigin="anonymous"/,
    )
    assert.match(await snippet('by-frame'), /embed\/ada\/list\?theme=dark&amp;limit=3&amp;accent=%230a6e5c"/)
    assert.match(await snippet('by-picture'), /embed\/ada\/badge\.svg\?theme=dark"/)
    assert.equal(await snippet('by-oembed'), 'http://127.0.0.1/oembed?url=http%3A%2F%2F127.0.0.1%2Fauthor%2Fada')
    // In the name that readers know, as text.
    await until(page, "document.getElementById('by-script').textContent.includes('>Ada Okafor</a>')")
    assert.match(await snippet('by-frame'), / title="Ada Okafor" /)
    assert.match(await snippet('by-picture'), / alt="Ada Okafor"/)
    await page.getByRole('button', { name: 'Copy: Without JavaScript (iframe)' }).click()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), await snippet('by-frame'))
    assert.deepEqual(complaints, [])
  })

  test('the frame it writes is a frame that works', async () => {
    const { page, snippet } = await open({ width: 1280, dark: false })
    await page.getByLabel('Writer', { exact: true }).fill('ada')
    await until(page, "document.getElementById('by-frame').textContent.includes('/embed/ada/')")
    const [, address = ''] = /src="http:\/\/127\.0\.0\.1([^"]+)"/.exec(await snippet('by-frame')) ?? []
    assert.equal((await fetch(`${base}${address}`)).status, 200)
  })

  test('says that nobody is there, instead of showing nothing', async () => {
    const { page } = await open({ width: 1280, dark: false })
    await page.getByLabel('Writer', { exact: true }).fill('nobody-at-all')
    await page.getByText('No writer found at /author/nobody-at-all. Check the slug.').waitFor({ state: 'visible' })
    await page.getByLabel('Writer', { exact: true }).fill('<img src=x onerror=alert(1)>')
    await page.getByText('Enter an author slug to see a preview.').waitFor({ state: 'visible' })
  })
})
