import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { servedSite, testApp } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { makePieceInLocale, pathOf } from '../../testkit/pages-site.ts'
import { axeViolations, openBrowser, openPage, painted, screenshot, until } from './browser.ts'
import { layoutProblems } from './layout-check.ts'

/** How the text of a piece looks: its pictures, tables, lists and headlines. */

const media = { MEDIA_URL: mediaFolder().url }
const { base, admin, url } = await servedSite(media)
// Over https, as the testkit's clients of the desk expect it.
const app = await testApp(url, media)
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
const desk = deskOf(app, ada)
const upload = async (number: number, width: number, height: number) =>
  uploaderOf(app, ada).upload(await photograph(number, { width, height }))
const [small, large] = [await upload(1, 240, 160), await upload(2, 1600, 900)]

const browser = await openBrowser()
const page = await openPage(browser, { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
const external = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#567' } })
  .png()
  .toBuffer()
await page.route('https://a.example/**', (route) =>
  route.request().url().endsWith('/there.png')
    ? route.fulfill({
        body: external,
        contentType: 'image/png',
        headers: { 'cross-origin-resource-policy': 'cross-origin' },
      })
    : route.fulfill({ status: 404 }),
)

/** Publishes through the desk, which knows the sizes of uploaded pictures, and visits. */
async function visit(body_md: string, headline = 'A piece'): Promise<void> {
  const id = await desk.begin({ headline, body_md })
  await desk.act('publish', id)
  await page.goto(base + (await pathOf(admin, id)))
}

const boxOf = async (selector: string): Promise<{ x: number; width: number; height: number }> => {
  const { x, width, height } = (await page.locator(selector).boundingBox())!
  return { x: Math.round(x), width: Math.round(width), height: Math.round(height) }
}
/** A computed style of the first element; `of` may be a pseudo-element. */
const styleOf = (selector: string, property: string, of = '') =>
  page.evaluate(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(of)})[${JSON.stringify(property)}]`,
  ) as Promise<string>
/** Images load late; looking at all of them takes a scroll. */
async function loadAll(): Promise<void> {
  await page.evaluate('for (const image of document.images) image.loading = "eager"')
  await page.evaluate('Promise.allSettled([...document.images].map((image) => image.decode()))')
  await painted(page)
}

test('a small picture takes its own size, and a broken one no more than its words', async () => {
  await visit(
    `![Small](/media/${small})\n\n![There](https://a.example/there.png)\n\n![Gone, and nothing but these words](https://a.example/gone.png)\n\nEnd.`,
  )
  await loadAll()
  const size = async (alt: string) => {
    const { width, height } = await boxOf(`img[alt="${alt}"]`)
    return [width, height]
  }
  assert.deepEqual(await size('Small'), [240, 160])
  assert.deepEqual(await size('There'), [300, 200])
  assert.ok((await boxOf('img[alt^="Gone"]')).height < 60)
  await screenshot(page, 'reading-small')
})

test('a picture of ours moves nothing when it comes, whatever its width', async () => {
  const held = Promise.withResolvers<void>()
  await page.route('**/media/**', async (route) => {
    await held.promise
    await route.continue()
  })
  await visit(`![A](/media/${large})\n\n![B](/media/${large}#wide "B")\n\n![C](/media/${large}#full "C")\n\nEnd.`)
  const before = await boxOf('.prose > p:last-child')
  const top = () => page.evaluate('document.querySelector(".prose > p:last-child").offsetTop')
  const early = await top()
  held.resolve()
  await loadAll()
  assert.equal(await top(), early)
  assert.deepEqual(await boxOf('.prose > p:last-child'), before)
  await page.unroute('**/media/**')
})

test('wide and full pictures leave the text on wide windows, and no window scrolls sideways', async () => {
  await visit(
    `Words before.\n\n![A](/media/${large} "As wide as the text. Photo: [Ada](https://ada.example)")\n\n![B](/media/${large}#wide "Wider")\n\nBetween.\n\n![C](/media/${large}#full "${'Verylongcaption'.repeat(20)}")\n\nAfter.`,
  )
  await loadAll()
  for (const width of [320, 390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await painted(page)
    const [text, wide, full] = [await boxOf('img[alt="A"]'), await boxOf('img[alt="B"]'), await boxOf('img[alt="C"]')]
    const clientWidth = (await page.evaluate('document.documentElement.clientWidth')) as number
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), clientWidth)
    assert.deepEqual([full.x, full.width], [0, clientWidth], `${width}`)
    assert.ok(width < 768 ? wide.width === text.width : wide.width > text.width, `${width}: ${wide.width}`)
    // Both sides alike.
    assert.ok(Math.abs(wide.x - (clientWidth - wide.x - wide.width)) <= 1, `${width}: ${wide.x}`)
    await screenshot(page, `reading-figures-${width}`, { fullPage: true })
  }
  assert.deepEqual(await layoutProblems(page, 'figures', { widths: [320, 390, 768, 1280] }), [])
  assert.deepEqual(await axeViolations(page), [])
})

test('a table that goes on has a shadow where it does, and scrolls by keyboard', async () => {
  const row = (cell: string) => `|${` ${cell} |`.repeat(12)}`
  await visit(`${row('heading')}\n|${'---|'.repeat(12)}\n${row('a longer cell')}\n\n| a | b |\n|---|---|\n| c | d |`)
  await page.setViewportSize({ width: 390, height: 800 })
  assert.match(await styleOf('div.wide', 'backgroundAttachment'), /local.*scroll/)
  await page.locator('div.wide').first().focus()
  await page.keyboard.press('ArrowRight')
  await until(page, 'document.querySelector("div.wide").scrollLeft > 0')
  await screenshot(page, 'reading-table')
})

test('a list of tasks and other items has boxes and bullets on one line', async () => {
  await visit('- [ ] a task\n- an item\n- [x] done\n\n1. [ ] first\n2. second')
  const markers = await page.evaluate(
    '[...document.querySelectorAll(".prose li")].map((item) => getComputedStyle(item).listStyleType)',
  )
  assert.deepEqual(markers, ['none', 'disc', 'none', 'none', 'decimal'])
  const starts = (await page.evaluate(
    `[...document.querySelectorAll(".prose ul li")].map((item) => {
      const range = document.createRange()
      const text = document.createTreeWalker(item, NodeFilter.SHOW_TEXT)
      let node
      do node = text.nextNode(); while (!node.data.trim())
      range.setStart(node, node.data.search(/\\S/)); range.setEnd(node, node.data.length)
      return Math.round(range.getBoundingClientRect().x)
    })`,
  )) as number[]
  assert.ok(Math.max(...starts) - Math.min(...starts) <= 3, String(starts))
  await screenshot(page, 'reading-tasks')
})

test('contents, heading links and notes lead there and back, and print leaves them out', async () => {
  const chapter = (name: string) => `## ${name}\n\n${'word '.repeat(520)}`
  const body_md = `${chapter('One')}[^1]\n\n${chapter('Two')}\n\n${chapter('Three')}[^1]\n\nhttps://a.example/plain and [a link](https://a.example/linked).\n\n[^1]: Note.`
  const id = await makePiece(admin, ada, { headline: 'Long', body_md })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(base + (await pathOf(admin, id)))
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Three' }).click()
  assert.match(page.url(), /#s-three$/)
  await until(page, 'scrollY > 500')
  await page.getByRole('link', { name: 'Back to reference 1-2' }).click()
  assert.match(page.url(), /#fnref-1-2$/)
  assert.equal(await styleOf('#s-two .anchor', 'opacity'), '0')
  await page.getByRole('link', { name: 'Link to Two' }).focus()
  assert.equal(await styleOf('#s-two .anchor', 'opacity'), '1')
  assert.deepEqual(await axeViolations(page), [])
  await page.evaluate('scrollTo(0, 0)')
  await screenshot(page, 'reading-contents')
  await page.emulateMedia({ media: 'print' })
  for (const gone of ['.contents', '.anchor', '.site-header nav', '.piece-foot', '.share a', '.footnote-backref'])
    assert.equal(await page.locator(gone).first().isVisible(), false, gone)
  assert.equal(await page.locator('.permalink').isVisible(), true)
  assert.equal(await styleOf('.prose a[href$="/linked"]', 'content', '::after'), '" (https://a.example/linked)"')
  assert.equal(await styleOf('.prose a[href$="/plain"]', 'content', '::after'), 'none')
  await screenshot(page, 'reading-print', { fullPage: true })
  await page.emulateMedia({ media: 'screen' })
})

test('headlines of every script have room, and break between phrases where they can', async () => {
  const scripts = {
    ja: '四分間を待てない人のための、お茶とやかんについての長い覚え書き',
    zh: '关于茶与等待的四分钟：一只水壶教给我的耐心',
    ko: '차와 기다림에 대하여, 아무도 기다리고 싶어 하지 않는 사 분',
    ar: 'في مديح البطء: أربع دقائق مع إبريق الشاي',
    he: 'בשבח האיטיות: ארבע דקות עם הקומקום',
    hi: 'चाय के चार मिनट: धीरज की एक छोटी कहानी',
    th: 'สี่นาทีของชาที่ไม่มีใครอยากรอ',
  }
  for (const [locale, headline] of Object.entries(scripts)) {
    const id = await makePieceInLocale(admin, ada, locale, {
      headline,
      sub: headline,
      body_md: `## ${headline}\n\n${headline}`,
    })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(base + (await pathOf(admin, id)))
    const lineHeight = async (selector: string) =>
      Number.parseFloat(await styleOf(selector, 'lineHeight')) / Number.parseFloat(await styleOf(selector, 'fontSize'))
    assert.ok((await lineHeight('h1.title')) >= 1.3, locale)
    assert.ok((await lineHeight('.prose h2')) >= 1.3, locale)
    assert.ok((await lineHeight('.standfirst')) >= 1.6, locale)
    assert.ok((await lineHeight('.prose p')) >= 1.7, locale)
    assert.equal(await styleOf('h1.title', 'letterSpacing'), 'normal')
    const breaking = await styleOf('h1.title', 'wordBreak')
    assert.equal(breaking, { ja: 'auto-phrase', ko: 'keep-all' }[locale] ?? 'normal')
    await screenshot(page, `reading-script-${locale}`)
  }
})
