import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** A site that is not ours, and a browser that looks at it: what the widgets do there, and what becomes of it. */

export interface Host {
  readonly origin: string
  /** Shows a page of this body; `policy` is its Content-Security-Policy. */
  open(body: string, options?: { policy?: string; before?: string; dark?: boolean; width?: number }): Promise<Visit>
}

export interface Visit {
  readonly page: Page
  /** What the page complained of: errors that nobody caught, rejections, breaches of its policy. */
  readonly complaints: string[]
  /** Addresses that were asked for, in order. */
  readonly requests: string[]
  /** Shadow roots that were opened, and drawings put into one. */
  counts(): Promise<{ roots: number; drawn: number }>
  /** The text of every widget, in the order of the page; null where its own children are shown. */
  texts(): Promise<(string | null)[]>
  /** The markup of every widget. */
  markup(): Promise<string[]>
  /** Until so many widgets are drawn. */
  drawn(count: number): Promise<void>
  /** Another body, in the same window. */
  show(body: string): Promise<void>
  close(): Promise<void>
}

export async function openHost(browser: Browser, house: string): Promise<Host> {
  let shown = { body: '', policy: '' }
  const server = createServer((request, response) => {
    if (request.url === '/portrait.svg') {
      response.setHeader('content-type', 'image/svg+xml')
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="56" height="56"><rect width="56" height="56" fill="#8a9"/></svg>',
      )
      return
    }
    if (shown.policy) response.setHeader('content-security-policy', shown.policy)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><html lang="en"><head><title>Elsewhere</title></head><body>${shown.body}</body></html>`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  // Another site than the house's, not only another port.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`

  return {
    origin,
    async open(body, { policy = '', before = '', dark = false, width = 1280 } = {}) {
      shown = { body, policy }
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme: dark ? 'dark' : 'light',
      })
      await patiently(context, house)
      const page = await context.newPage()
      const complaints: string[] = []
      const requests: string[] = []
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error' && !/favicon/.test(message.location().url)) complaints.push(message.text())
      })
      page.on('request', (request) => requests.push(request.url()))
      await page.addInitScript(watching)
      if (before) await page.addInitScript(before)
      await page.goto(`${origin}/`)
      const ask = <Answer>(expression: string) => page.evaluate(expression) as Promise<Answer>
      return {
        page,
        complaints,
        requests,
        counts: () => ask('({ roots: __watch.roots().length, drawn: __watch.drawn })'),
        texts: () => ask('__watch.texts()'),
        markup: () => ask('__watch.markup()'),
        drawn: (count) => until(async () => (await ask<number>('__watch.drawn')) >= count),
        show: async (another) => {
          shown = { body: another, policy }
          await page.goto(`${origin}/`)
        },
        close: () => context.close(),
      }
    },
  }
}

/**
 * A house that is busy with other tests refuses for a moment and says so: whoever browses it here asks again.
 * Nothing that is not on this machine is asked for at all.
 */
export async function patiently(context: BrowserContext, house: string): Promise<void> {
  await context.route('**/*', async (route) => {
    const { hostname, href } = new URL(route.request().url())
    if (!href.startsWith(house)) return hostname === 'localhost' ? route.continue() : route.abort()
    for (let tries = 1; ; tries += 1) {
      const response = await route.fetch()
      if (response.status() !== 503 || tries === 20) return route.fulfill({ response })
      await pause(200)
    }
  })
}

/** Asked from outside: a strict page lets nothing be polled for inside it. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const patience = Date.now() + 20_000; !(await isTrue()); await pause(20)) {
    if (Date.now() > patience) throw new Error('waited in vain')
  }
}

/** Before anything of the page runs: keeps each closed root, and counts what is put into one, by means no page can take away. */
const watching = `(() => {
  const { apply, defineProperty } = Reflect
  const { attachShadow } = Element.prototype
  const { replaceChildren } = DocumentFragment.prototype
  const all = Document.prototype.querySelectorAll
  const opened = []
  const watch = {
    drawn: 0,
    roots: () => opened.map(({ root }) => root),
    widgets: () => Array.from(apply(all, document, ['[data-service-widget]'])),
    rootOf: (element) => opened.find((one) => one.element === element)?.root,
    texts: () => watch.widgets().map((element) => {
      const root = watch.rootOf(element)
      return !root || root.querySelector('slot') ? null : root.textContent
    }),
    markup: () => watch.widgets().map((element) => watch.rootOf(element)?.innerHTML ?? ''),
  }
  Object.defineProperty(window, '__watch', { value: watch })
  Element.prototype.attachShadow = function (options) {
    const root = apply(attachShadow, this, [options])
    if (options.mode !== 'closed') throw new Error('an open root')
    defineProperty(opened, opened.length, { __proto__: null, value: { element: this, root }, enumerable: true })
    return root
  }
  DocumentFragment.prototype.replaceChildren = function (node) {
    watch.drawn += 1
    return apply(replaceChildren, this, [node])
  }
})()`
