import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawBadge } from '../../server/http/embeds/badge.ts'
import { translatorOf } from '../../server/messages/translator.ts'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { addressPayloads, linePayloads, type Payload } from '../xss/payloads.ts'
import { openBrowser, openPage } from './browser.ts'
import { openHost, type Visit } from './embeds-host.ts'
import { openHostilePage, untilClicksRan } from './xss-page.ts'

/** Widgets on hostile pages, and widgets of hostile writers. */

const { admin, app } = await testSite({ BASE_URL: 'http://127.0.0.1' })
const { base } = await listen(app)
const browser = await openBrowser()
const host = await openHost(browser, base)

const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', bio: 'Of kitchens.', verified: true })
await makePiece(admin, ada, { headline: 'On tea' })

const kinds = ['badge', 'card', 'list', 'bio'] as const
const widget = (kind: string, slug = 'ada') =>
  `<div data-service-widget="${kind}" data-slug="${slug}"><a href="/">own words</a></div>`
const widgets = kinds.map((kind) => widget(kind)).join('')
const script = `<script src="${base}/embed.js"></script>`

async function areDrawn(visit: Visit): Promise<void> {
  await visit.drawn(4)
  const [badge, card, list, bio] = await visit.texts()
  assert.equal(badge, 'Ada Okafor')
  assert.match(card ?? '', /^Ada OkaforFollowOf kitchens\.1 piece/)
  assert.match(list ?? '', /^Ada OkaforFollowOn tea/)
  assert.match(bio ?? '', /Of kitchens\./)
}

describe('a page that means no good', () => {
  test('names elements after what a script looks up, and all is drawn from the site all the same', async () => {
    const names = [
      'currentScript',
      'querySelectorAll',
      'createElementNS',
      'body',
      'head',
      'documentElement',
      'fetch',
      'document',
      'location',
      'setTimeout',
      'MutationObserver',
      'Promise',
      'CSSStyleSheet',
      'performance',
      '__proto__',
      'constructor',
      'getAttribute',
      'attributes',
      'parentNode',
      'children',
    ]
    const clobbering = names
      .map(
        (name) =>
          `<img name="${name}" id="${name}" src="" alt=""><form name="${name}"><input name="${name}" id="${name}"></form><a id="${name}" name="src" href="https://evil.test/embed.js"></a>`,
      )
      .join('')
    const own = `<form><input name="getAttribute"><input name="attachShadow"><input name="isConnected"><input name="dataset">${widgets}</form>`
    const visit = await host.open(clobbering + own + script)
    await areDrawn(visit)
    assert.deepEqual(
      visit.requests.filter((request) => request.includes('evil')),
      [],
    )
    assert.deepEqual(visit.complaints, [])
  })

  test('replaces every method the script could call, after it has loaded, and all is drawn all the same', async () => {
    const visit = await host.open(script)
    const restored = visit.page.waitForEvent('console', (message) => message.text() === 'restored')
    await visit.page.evaluate(replaceEverything(widgets))
    await restored
    assert.ok(Number(await visit.page.evaluate('replaced')) > 300)
    await areDrawn(visit)
    assert.deepEqual(visit.complaints, [])
  })

  for (const [what, before] of Object.entries({
    'has no fetch': 'delete window.fetch',
    'has a fetch that throws': "window.fetch = () => { throw new Error('no') }",
    'has no shadow roots': 'delete Element.prototype.attachShadow',
    'lets nobody observe it': 'delete window.MutationObserver',
    'has frozen its prototypes':
      'for (const type of [Object, Array, Function, Promise, Map, WeakMap, RegExp]) Object.freeze(type.prototype)',
    'has methods on every object':
      "for (const name of ['filter', 'slug', 'extra']) Object.prototype[name] = Array.prototype[name + '2'] = () => { throw new Error(name) }",
  })) {
    test(`${what} from the start: no error reaches it, and its own words stay or the widgets are drawn`, async () => {
      const visit = await host.open(widgets + script, { before: `{ ${before} }` })
      await visit.answered()
      const texts = await visit.texts()
      assert.ok(texts.every((text) => text === null) || texts[0] === 'Ada Okafor', JSON.stringify(texts))
      assert.deepEqual(visit.complaints, [])
    })
  }
})

const lines = [...linePayloads()]
const addresses = [...addressPayloads()]

describe('a writer who means no good', () => {
  /** What the site would answer if no validation had stopped such a writer. */
  const authorOf = ({ text }: Payload, address: Payload) => ({
    ok: true,
    author: {
      slug: 'x',
      name: text,
      bio: text,
      role: text,
      niche: text,
      location: text,
      avatar_url: address.text,
      website: address.text,
      identity_verified: true,
      website_verified: true,
      socials: { x: address.text, newsletter: address.text, [text]: address.text },
      stats: { pieces_count: text, last_published_at: null },
      urls: { profile: address.text },
    },
  })
  const feedOf = ({ text }: Payload, address: Payload) => ({
    home_page_url: address.text,
    authors: [{ name: text }],
    items: [
      {
        title: text,
        url: address.text,
        date_published: '2026-01-02T00:00:00Z',
        authors: [{ identity_verified: true }],
      },
    ],
  })

  test('runs nothing in any widget, whatever their name, their bio and their addresses are', async () => {
    const perPage = 12
    let batch: Payload[] = []
    const visit = await host.open('')
    const ran: unknown[] = []
    await visit.page.exposeFunction('__pwned', (id: number) => void ran.push(id))
    visit.page.on('dialog', (dialog) => void dialog.dismiss().then(() => ran.push('a dialog')))
    visit.page.on('frameattached', () => ran.push('a frame'))
    visit.page.context().on('page', () => ran.push('a window'))
    await visit.page.route(/\/(api|author)\//, (route) => {
      const address = route.request().url()
      const line = batch[Number(/x(\d+)/.exec(address)?.[1])]!
      const wrong = addresses[line.id % addresses.length]!
      const json = address.endsWith('feed.json') ? feedOf(line, wrong) : authorOf(line, wrong)
      return route.fulfill({ headers: { 'access-control-allow-origin': '*' }, json })
    })
    for (let first = 0; first < lines.length; first += perPage) {
      batch = lines.slice(first, first + perPage)
      await visit.show(batch.flatMap((_, index) => kinds.map((kind) => widget(kind, `x${index}`))).join('') + script)
      await visit.drawn(batch.length * 4)
      await visit.page.evaluate(pokeWidgets)
      await untilClicksRan(visit.page)
      const strange = await visit.page.evaluate(strangeInWidgets)
      assert.deepEqual([ran, strange], [[], []], batch.map(({ name }) => name).join())
    }
    console.log(`${lines.length} hostile writers in four widgets each, 0 executions`)
    for (const { text } of lines.slice(0, 20))
      await visit.page.evaluate(`document.body.innerHTML = ${JSON.stringify(text)}`)
    await until(() => ran.length > 3, 'the same words as markup are caught')
  })

  test('runs nothing in a badge, as a picture opened by itself or set into a page, with no policy in the way', async () => {
    const page = await openHostilePage(browser)
    const drawn = lines.map(({ text }) =>
      drawBadge(translatorOf('en'), { name: text, siteName: text, theme: 'light', verified: true, tone: 'verified' }),
    )
    assert.deepEqual(await page.show(`<!doctype html><body>${drawn.join('')}`), { ran: [], others: [] })
    await page.close()

    const alone = await openPage(browser)
    const ran: unknown[] = []
    await alone.exposeFunction('__pwned', (id: number) => void ran.push(id))
    let shown = ''
    await alone.route('**/*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: shown }))
    for (const svg of drawn.slice(0, drawn.length / 3)) {
      shown = svg
      await alone.goto('http://hostile.test/badge.svg')
      assert.equal(
        await alone.evaluate(
          'document.documentElement.querySelectorAll("parsererror, script, foreignObject, a, image").length',
        ),
        0,
      )
    }
    assert.deepEqual(ran, [])
  })

  test('runs nothing in a frame, with no policy in the way', async () => {
    const page = await openHostilePage(browser)
    for (const [index, { text }] of lines.filter(({ name }) => name.endsWith('plain')).entries()) {
      const address = addresses[index % addresses.length]!.text.replaceAll('\0', '')
      const line = text.replaceAll('\0', '').slice(0, 80)
      await makeWriter(admin, {
        slug: `h${index}`,
        name: line,
        bio: text.replaceAll('\0', ''),
        role: line,
        location: line,
        avatarUrl: address,
        website: address,
        socials: { x: address },
        verified: true,
      })
      const { ran, others } = await page.visit(`${base}/embed/h${index}/bio`)
      assert.deepEqual(ran, [], line)
      const strange = others.filter((other) => !/\/embed\/[0-9a-f]{16}\.css$/.test(other))
      assert.deepEqual(strange, [], line)
    }
    await page.close()
  })
})

/** Built-ins are replaced while the widgets are drawn, and restored after four are drawn or after 1,000 polls. */
const replaceEverything = (html: string): string => `(() => {
  const { ownKeys, getOwnPropertyDescriptor: read, defineProperty: define, deleteProperty: remove } = Reflect
  const later = setTimeout
  const container = document.createElement('div')
  container.innerHTML = ${JSON.stringify(html)}
  const put = document.body.append.bind(document.body, container)

  const prototypes = [
    Array, String, RegExp, Map, WeakMap, Set, Date, Promise, Number, Function, Intl.DateTimeFormat, Response, Headers, URL,
    Performance, Node, Element, HTMLElement, Document, DocumentFragment, ShadowRoot, EventTarget, CSSStyleSheet,
    MutationObserver, AbortSignal, HTMLScriptElement,
  ].map((type) => type.prototype)
  const places = [...prototypes, Object, Reflect, JSON, Symbol, Array, Promise, AbortSignal, Math]
  const replaced = []
  const replace = (place, name, lie) => {
    const was = read(place, name)
    if (was && !was.configurable) return
    replaced[replaced.length] = { place, name, was, lie }
  }
  let heard = 0
  const lie = () => { heard += 1 }
  for (const place of places) {
    for (const name of ownKeys(place)) {
      const { value, get } = read(place, name)
      if (name === 'constructor') continue
      if (typeof value === 'function') replace(place, name, { value: lie, configurable: true, writable: true })
      else if (get) replace(place, name, { get: lie, set: lie, configurable: true })
    }
  }
  for (const name of ['fetch', 'setTimeout', 'MutationObserver', 'Promise', 'CSSStyleSheet', 'WeakMap', 'Map', 'Date', 'Array', 'Object', 'URL', 'AbortSignal', 'performance', 'Reflect'])
    replace(window, name, { value: lie, configurable: true, writable: true })
  // Scripts that assign instead of defining, or omit an option, run into these.
  for (const name of 'kind tone theme base target at answer signal method mode childList subtree name urls 0 1 2 get set value'.split(' '))
    replace(Object.prototype, name, { get: lie, set: lie, configurable: true })

  for (let at = 0; at < replaced.length; at += 1) define(replaced[at].place, replaced[at].name, replaced[at].lie)
  put()
  let looks = 0
  const restore = () => {
    looks += 1
    if (__watch.drawn < 4 && looks < 1000) {
      later(restore, 20)
      return
    }
    for (let at = replaced.length - 1; at >= 0; at -= 1) {
      const { place, name, was } = replaced[at]
      if (was) define(place, name, was)
      else remove(place, name)
    }
    window.replaced = replaced.length
    console.info('restored')
  }
  later(restore, 20)
})()`

/** Clicks, hovers and focuses everything in a widget; external links are not followed. */
const pokeWidgets = `(() => {
  for (const root of __watch.roots()) {
    root.addEventListener('click', (event) => {
      const link = event.target.closest('a')
      if (link && /^https?:$/.test(link.protocol)) event.preventDefault()
    }, true)
    for (const element of root.querySelectorAll('*')) {
      for (const type of ['mouseover', 'pointerover', 'focus', 'load', 'error', 'begin']) element.dispatchEvent(new Event(type))
      if (element.click) element.click()
    }
  }
})()`

const strangeInWidgets = `(() => {
  const tags = new Set('DIV ARTICLE P A SPAN IMG UL OL LI TIME SLOT svg circle path'.split(' '))
  const strange = []
  for (const root of __watch.roots()) {
    for (const element of root.querySelectorAll('*')) {
      if (!tags.has(element.tagName)) strange.push(element.tagName)
      for (const { name, value } of element.attributes) {
        if (/^on|^style$|^srcdoc$/.test(name)) strange.push(name)
        if (/^(href|src)$/.test(name) && !/^https?:\\/\\//i.test(value)) strange.push(value)
      }
      if (element.localName === 'a' && !/^https?:$/.test(element.protocol)) strange.push(element.href)
    }
  }
  return strange
})()`
