import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderPiece } from '../../server/features/pieces/rendering/render-piece.ts'
import { newHighlightBudget } from '../../server/platform/markdown/code.ts'
import { markdown } from '../../server/platform/markdown/render.ts'
import { testSite } from '../../testkit/app.ts'
import { inTransaction, makeDraft, makePiece, makeProduct, makeWriter, publish } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import { openPagesSite, pathOf } from '../../testkit/pages-site.ts'
import { addressPayloads, bodyPayloads, linePayloads, type Payload } from '../xss/payloads.ts'
import { openBrowser } from './browser.ts'
import { openHostilePage, sheet } from './xss-page.ts'

/** No script of a writer runs: every payload in a real browser, without a CSP. */

const browser = await openBrowser()
const page = await openHostilePage(browser)

/** Many per page: only a payload that fails the test can swallow its neighbours. */
const perPage = 1_000

const batches = <Item>(all: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

const named = (all: readonly Payload[], id: number): string => all.find((payload) => payload.id === id)?.name ?? `${id}`

test('no body runs a script, asks for anything but pictures, or leaves markup that nobody may write', async () => {
  const bodies = [...bodyPayloads()]
  assert.ok(bodies.length >= 5_000)
  for (const batch of batches(bodies, perPage)) {
    const texts = batch.map(({ id, text }) => ({
      id,
      html: renderPiece({ headline: 'H', sub: null, body_md: text }).html,
    }))
    const { ran, others } = await page.show(sheet(texts))
    assert.deepEqual(
      ran.map((id) => named(batch, id)),
      [],
    )
    assert.deepEqual(others, [])
  }
  console.log(`${bodies.length} hostile bodies in Chromium, 0 executions`)
})

/** The pipeline with both defences disabled: raw HTML and any URL pass, and nothing is sanitised. */
function renderUnsafely(source: string): string {
  const { validateLink } = markdown
  markdown.set({ html: true })
  markdown.validateLink = () => true
  const html = markdown.render(source, { budget: newHighlightBudget() })
  markdown.set({ html: false })
  markdown.validateLink = validateLink
  return html
}

test('the same page catches a rendering that is not safe', async () => {
  const wanted = /^(tag \d+ as paragraph|address \d+ as link), plain$/
  const tried = [...bodyPayloads()].filter(({ name }) => wanted.test(name))
  const ran: string[] = []
  const others: string[] = []
  // One per page, since an unsafe text swallows its neighbours.
  for (const payload of tried) {
    const seen = await page.show(sheet([{ id: payload.id, html: renderUnsafely(payload.text) }]))
    if (seen.ran.includes(payload.id)) ran.push(payload.name)
    others.push(...seen.others)
  }
  const ofKind = (kind: string) => ran.filter((name) => name.startsWith(kind)).length
  console.log(`of ${tried.length} payloads not made safe, ${ofKind('tag')} tags and ${ofKind('address')} addresses ran`)
  assert.ok(ofKind('tag') > 40)
  assert.ok(ofKind('address') > 5)
  for (const kind of [/^request /, /^frame /, /^\d+ has on\w+=/, /^\d+ has SCRIPT$/, /^\d+ has href=javascript:/]) {
    assert.ok(
      others.some((other) => kind.test(other)),
      `nothing like ${kind} was seen`,
    )
  }
})

test('no name and no headline runs a script where the API answers, though nothing but its type says what it is', async () => {
  const { admin, app } = await testSite({ BASE_URL: 'http://127.0.0.1' })
  const { base } = await listen(app)
  const lines = [...linePayloads()].filter(({ name }) => name.endsWith('plain'))
  const writer = await makeWriter(admin, { name: lines[4]!.text, bio: lines[0]!.text, shown: true })
  const ids: string[] = []
  for (const { text } of lines) {
    const headline = text.replace(/[\u0000-\u001f\u200b-\u206f]/g, '')
    const id = await makeDraft(admin, writer, { headline, sub: headline, body_md: text.replaceAll('\u0000', '') })
    await publish(admin, writer, id)
    ids.push(id)
  }
  const visits = [
    ...ids.map((id) => `/api/public/pieces/${id}`),
    '/api/public/pieces/recent?limit=50',
    '/api/public/pieces/search?q=onerror&limit=50',
    `/api/public/authors/${writer.slug}`,
    `/api/public/pieces/%3Cscript%3E__pwned(1)%3C%2Fscript%3E`,
    `/api/public/pieces/search?q=%3Cscript%3E__pwned(1)%3C%2Fscript%3E`,
  ]
  for (const path of visits) assert.deepEqual(await page.visit(base + path), { ran: [], others: [] }, path)

  const answer = await (await fetch(`${base}/api/public/pieces/${ids[4]}`)).text()
  assert.match(answer, /onerror/)
  const control = await page.show(answer)
  assert.ok(control.ran.length > 0, 'the same answer as a page is not caught')
})

/** Nor on our pages. */

const { base, admin } = await openPagesSite({ SEARCH_BUDGET: '5000' })

/** Every body is rendered above; one in so many is also opened on its page. `HOSTILE_PAGES=1`: all. */
const pagesEvery = Number(process.env['HOSTILE_PAGES'] ?? 7)

/** Feeds have the same markup as pages; one batch in so many is also read there. `HOSTILE_FEEDS=1`: all. */
const feedsEvery = Number(process.env['HOSTILE_FEEDS'] ?? 8)

/** Requests that our pages make themselves. */
const ours = new RegExp(
  `^request ${base}/(?:style\\.|fonts/|favicon\\.svg|cover/\\d+/[a-z_]+/[\\da-f]{12}/[^/?]+\\.svg|r/[\\w-]+\\.gif)`,
)

async function visit(path: string, status = 200): Promise<void> {
  // As the browser spells it.
  const { ran, others } = await page.visit(new URL(path, base).href, status)
  assert.deepEqual({ ran, others: others.filter((other) => !ours.test(other)) }, { ran: [], others: [] }, path)
}

/** As a browser opens a feed, and as a feed reader embeds its HTML in a page. */
async function readFeeds(slug: string): Promise<void> {
  await visit(`/author/${slug}/feed.xml`)
  await visit(`/author/${slug}/feed.json`)
  const feed = await fetch(`${base}/author/${slug}/feed.json`)
  const { items } = (await feed.json()) as { items: { content_html: string }[] }
  const set = sheet(items.map(({ content_html: html }, id) => ({ id, html })))
  assert.deepEqual(await page.show(set), { ran: [], others: [] }, `the feed of ${slug}`)
}

/** One line, as it is stored: names and headlines hold no control characters. */
const line = ({ text }: Payload): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').trim()

/** Written directly to the database, as if every validation had failed. */
const asPublisher = (text: string, values: unknown[]): Promise<unknown> =>
  inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query(text, values)
  })

test('no body runs a script on the page of its piece', async () => {
  const writer = await makeWriter(admin)
  const id = await makePiece(admin, writer, { headline: 'Bodies' })
  const path = await pathOf(admin, id)
  const bodies = [...bodyPayloads()]
  assert.ok(bodies.length >= 5_000)
  const rendered = bodies
    .filter((_, index) => index % pagesEvery === 0)
    .map(({ text }) => renderPiece({ headline: 'H', sub: null, body_md: text }).html)
  for (const [number, batch] of batches(rendered, 800).entries()) {
    await asPublisher('update pub.piece_contents set html = $2 where piece_id = $1', [id, batch.join('\n')])
    await visit(path)
    if (number % feedsEvery === 0) await readFeeds(writer.slug)
  }
  console.log(`${rendered.length} hostile bodies on piece pages and in feeds in Chromium, 0 executions`)
})

test('no name, headline, standfirst, bio or address of a writer runs a script on any page', async () => {
  const lines = [...linePayloads()]
  const addresses = [...addressPayloads()]
  const writer = await makeWriter(admin, { verified: true, websiteVerified: true })
  const ids: string[] = []
  for (let index = 0; index < 25; index++)
    ids.push(
      await makePiece(admin, writer, {
        headline: `Place ${index}`,
        category: 'money',
        externalUrl: 'https://a.example',
      }),
    )
  const paths = await Promise.all(ids.map((id) => pathOf(admin, id)))
  for (const [number, batch] of batches(lines, ids.length).entries()) {
    for (const [index, payload] of batch.entries()) {
      const text = line(payload)
      await asPublisher(
        'update pub.pieces set headline = $2, sub = $2, summary = $2, tags = array[$3], external_url = $4, locale = $5 where id = $1',
        [
          ids[index],
          text,
          text.slice(0, 32),
          addresses[(number + index) % addresses.length]!.text.replaceAll('\u0000', ''),
          text,
        ],
      )
    }
    const [first = batch[0]!, second = first, third = first] = batch
    const address = addresses[number % addresses.length]!.text.replaceAll('\u0000', '')
    await asPublisher(
      `update pub.authors set name = $2, role = $3, location = $3, bio = $4, website = $5, avatar_url = $5,
              socials = jsonb_build_object('x', $5::text, 'newsletter', $5::text) where id = $1`,
      [writer.id, line(first), line(second), line(third), address],
    )
    for (const path of ['/category/money', `/author/${writer.slug}`, paths[number % paths.length]!]) await visit(path)
    await visit(`/search?q=${encodeURIComponent(line(first).slice(0, 150))}`)
    if (number % feedsEvery === 0) await readFeeds(writer.slug)
  }
  console.log(
    `${lines.length} hostile lines and ${addresses.length} addresses on lists, pieces, authors and searches, 0 executions`,
  )
})

test('no word or address of a listing runs a script in the shop', async () => {
  const lines = [...linePayloads()]
  const addresses = [...addressPayloads()]
  const writer = await makeWriter(admin)
  const ids: string[] = []
  for (let index = 0; index < 20; index++) ids.push(await makeProduct(admin, writer, { name: `Shelf ${index}` }))
  for (const [number, batch] of batches(lines, ids.length).entries()) {
    for (const [index, payload] of batch.entries()) {
      const address = addresses[(number + index) % addresses.length]!.text.replaceAll('\u0000', '')
      await asPublisher(
        `update pub.products set name = $2, summary = $2, description = $3, category = $2, payment_url = $4, image = $5,
                image_alt = $2, image_width = 10, image_height = 10 where id = $1`,
        [ids[index], line(payload), payload.text.replaceAll('\u0000', ''), address, `"'><${line(payload)}`],
      )
    }
    // The pictures of the page are requested and missing; only scripts that run count.
    for (const path of [`/shop?seller=${writer.slug}`, `/author/${writer.slug}`, `/shop/shelf-${number % ids.length}`])
      assert.deepEqual((await page.visit(new URL(path, base).href, 200)).ran, [], path)
  }
  console.log(`${lines.length} hostile lines in listings, 0 executions`)
})

test('no address of a page runs a script, whatever stands in it', async () => {
  for (const { text } of [...linePayloads()].slice(0, 15)) {
    const word = encodeURIComponent(text.replaceAll('\u0000', '').trim())
    for (const path of [
      `/${word}`,
      `/author/${word}`,
      `/author/a/${word}`,
      `/category/${word}`,
      `/shop/${word}`,
      `/p/${word}`,
    ])
      await visit(path, 404)
    await visit(`/search?q=${word}`)
    await visit(`/shop?q=${word}`)
  }
})

test('the same pages are caught when markup is not escaped', async () => {
  const writer = await makeWriter(admin)
  const id = await makePiece(admin, writer, { headline: 'Caught' })
  await asPublisher('update pub.piece_contents set html = $2 where piece_id = $1', [
    id,
    '<img src=x onerror=__pwned(7)>',
  ])
  assert.deepEqual((await page.visit(base + (await pathOf(admin, id)))).ran.slice(0, 1), [7])
})
