import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { renderPiece } from '../../server/features/pieces/rendering/render-piece.ts'
import { newHighlightBudget } from '../../server/platform/markdown/code.ts'
import { markdown } from '../../server/platform/markdown/render.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makeDraft, makeWriter, publish } from '../../testkit/factories.ts'
import { bodyPayloads, linePayloads, type Payload } from '../xss/payloads.ts'
import { openBrowser } from './browser.ts'
import { openHostilePage, sheet } from './xss-page.ts'

/** No script of a writer runs: every payload in a real browser, without a CSP. */

const browser = await openBrowser()
after(() => browser.close())
const page = await openHostilePage(browser)

/** Many per page: only a payload that fails the test can swallow its neighbours. */
const perPage = 1_000

const pages = <Item>(all: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(all.length / perPage) }, (_, index) =>
    all.slice(index * perPage, (index + 1) * perPage),
  )

const named = (all: readonly Payload[], id: number): string => all.find((payload) => payload.id === id)?.name ?? `${id}`

test('no body runs a script, asks for anything but pictures, or leaves markup that nobody may write', async () => {
  const bodies = [...bodyPayloads()]
  assert.ok(bodies.length >= 5_000)
  for (const batch of pages(bodies)) {
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
  const { admin, url } = await testDatabase()
  const app = await testApp(url, { BASE_URL: 'http://127.0.0.1' })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
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
