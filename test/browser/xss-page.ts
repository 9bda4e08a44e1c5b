import assert from 'node:assert/strict'
import type { Browser, Page, Route } from 'playwright-core'
import { until } from '../../testkit/waiting.ts'

/**
 * A page in a real browser that records everything a hostile text may do: call `__pwned`, open a dialog, a frame or a
 * window, request anything but a picture over https, or leave forbidden markup. The CSP is removed, so that the text
 * itself is tested.
 */
interface HostilePage {
  /** Opens a document made by the test as a page. */
  show(html: string): Promise<Sightings>
  /** Opens an address of the site without its CSP; checks the status if given. */
  visit(url: string, status?: number): Promise<Sightings>
  close(): Promise<void>
}

interface Sightings {
  /** What `__pwned` was called with. */
  readonly ran: number[]
  readonly others: string[]
}

const address = 'http://hostile.test/'

export async function openHostilePage(browser: Browser): Promise<HostilePage> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  let seen: Sightings = { ran: [], others: [] }
  let shown = ''
  let visited = ''

  await page.exposeFunction('__pwned', (id: number) => void seen.ran.push(id))
  page.on('dialog', (dialog) => {
    seen.others.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('frameattached', (frame) => seen.others.push(`frame ${frame.url()}`))
  page.on('websocket', (socket) => seen.others.push(`socket ${socket.url()}`))
  context.on('page', (other) => {
    seen.others.push(`window ${other.url()}`)
    void other.close()
  })

  await context.route('**/*', async (route) => {
    const request = route.request()
    const url = request.url()
    if (url === address) return route.fulfill({ contentType: 'text/html; charset=utf-8', body: shown })
    if (url === visited) return withoutPolicy(route)
    if (!(request.resourceType() === 'image' && url.startsWith('https:'))) {
      // A browser asks every site for its icon.
      if (!url.endsWith('/favicon.ico')) seen.others.push(`request ${url}`)
    }
    return route.abort()
  })

  async function open(url: string, status?: number): Promise<Sightings> {
    seen = { ran: [], others: [] }
    const answer = await page.goto(url)
    if (status !== undefined) assert.equal(answer?.status(), status, url)
    await page.evaluate(pokeEverything)
    await untilClicksRan(page)
    seen.others.push(...((await page.evaluate(strangeMarkup)) as string[]))
    return seen
  }

  return {
    show(html) {
      shown = html
      visited = ''
      return open(address)
    },
    visit(url, status) {
      visited = url
      return open(url, status)
    },
    close: () => context.close(),
  }
}

/**
 * Waits until clicked javascript: URLs have run, by clicking one more, since they run in order in later tasks. Then waits
 * for two painted frames, for what starts with one.
 */
export async function untilClicksRan(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    globalThis.__lastClick = () => requestAnimationFrame(() => requestAnimationFrame(resolve))
    const link = document.createElementNS('http://www.w3.org/1999/xhtml', 'a')
    link.href = 'javascript:void __lastClick()'
    document.documentElement.append(link)
    link.click()
    link.remove()
  }).then(() => undefined)`)
}

async function withoutPolicy(route: Route): Promise<void> {
  // A server that shares this process with rendering may be busy for a moment, and says so.
  const response = await until(async () => {
    const answer = await route.fetch()
    return answer.status() !== 503 && answer
  }, `${route.request().url()} is answered by a server that is not busy`)
  // The fetched body is no longer compressed.
  const {
    'content-security-policy': _,
    'content-encoding': _coded,
    'content-length': _length,
    ...headers
  } = response.headers()
  await route.fulfill({ response, headers })
}

/** Texts side by side, each in an element with its number. */
export const sheet = (texts: readonly { readonly id: number; readonly html: string }[]): string =>
  `<!doctype html><meta charset="utf-8"><title>x</title><body>${texts
    .map(({ id, html }) => `<div data-payload="${id}">${html}</div>`)
    .join('\n')}`

/** Clicks, hovers and focuses everything, as a hostile text waits for. External links are not followed, forms not sent. */
const pokeEverything = `(() => {
  addEventListener('click', (event) => {
    const link = event.target.closest && event.target.closest('a')
    if (link && /^(https?|mailto):$/.test(link.protocol)) event.preventDefault()
  }, true)
  addEventListener('submit', (event) => event.preventDefault(), true)
  const events = ['mouseover', 'mouseenter', 'pointerover', 'focus', 'toggle', 'animationstart', 'load', 'error', 'begin']
  for (const element of document.querySelectorAll('*')) {
    for (const type of events) element.dispatchEvent(new Event(type))
    if (element.click) element.click()
  }
})()`

/** Forbidden markup in the page, listed here independently of the sanitiser. */
const strangeMarkup = `(() => {
  const tags = 'P H1 H2 H3 H4 H5 H6 UL OL LI BLOCKQUOTE PRE CODE EM STRONG DEL A IMG BR HR TABLE THEAD TBODY TR TH TD'
  const allowed = new Set((tags + ' SECTION FIGURE FIGCAPTION SUP SPAN LABEL INPUT').split(' '))
  const values = {
    id: /^(s|fn|fnref)-[^\\s"'<>]+$/, class: /^[\\w .+#-]+$/, href: /^(https?:|mailto:|#)/, src: /^https:/,
    rel: /^ugc nofollow noopener noreferrer$/, role: /^doc-[a-z]+$/, loading: /^lazy$/, decoding: /^async$/,
    align: /^(left|center|right)$/, start: /^\\d+$/, type: /^checkbox$/, title: /^/, alt: /^/, disabled: /^$/, checked: /^$/,
  }
  const strange = []
  for (const sheet of document.querySelectorAll('[data-payload]')) {
    const id = sheet.dataset.payload
    if (sheet.parentElement !== document.body) strange.push(id + ' is inside another')
    for (const element of sheet.querySelectorAll('*')) {
      if (!allowed.has(element.tagName)) strange.push(id + ' has ' + element.tagName)
      for (const { name, value } of element.attributes) {
        if (!values[name] || !values[name].test(value)) strange.push(id + ' has ' + name + '=' + value)
      }
    }
  }
  return strange
})()`
