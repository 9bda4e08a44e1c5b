import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { serve } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { openPage, painted, watchComplaints, watchRequests } from './browser.ts'

/** A third-party site opened in a browser, to see what the widgets do there. */

interface Host {
  readonly origin: string
  /** Opens a page with this body; `policy` is its Content-Security-Policy. */
  open(body: string, options?: { policy?: string; before?: string; dark?: boolean; width?: number }): Promise<Visit>
}

export interface Visit {
  readonly page: Page
  /** Uncaught errors, unhandled rejections and CSP violations of the page. */
  readonly complaints: string[]
  /** Requested URLs, in order. */
  readonly requests: string[]
  /** Number of shadow roots opened, and of drawings put into one. */
  counts(): Promise<{ roots: number; drawn: number }>
  /** The text of every widget, in the order of the page; null where its own children are shown. */
  texts(): Promise<(string | null)[]>
  /** The markup of every widget. */
  markup(): Promise<string[]>
  /** Waits until so many widgets are drawn. */
  drawn(count: number): Promise<void>
  /** Waits until the script has scanned the page again, by adding one more widget that is not counted. */
  scanned(): Promise<void>
  /** Waits until all requests are answered and the results painted. */
  answered(): Promise<void>
  /** Another body, in the same window. */
  show(body: string): Promise<void>
}

export async function openHost(browser: Browser, site: string): Promise<Host> {
  let shown = { body: '', policy: '' }
  const server = await serve((request, response) => {
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
  // Another site, not only another port.
  const origin = `http://localhost:${server.port}`

  return {
    origin,
    async open(body, { policy = '', before = '', dark = false, width = 1280 } = {}) {
      shown = { body, policy }
      const page = await openPage(browser, {
        viewport: { width, height: 900 },
        colorScheme: dark ? 'dark' : 'light',
      })
      await patiently(page.context(), site)
      const complaints = watchComplaints(page, /favicon/)
      const requests: string[] = []
      const answered = watchRequests(page)
      await page.route(`${site}${probe}`, (route) =>
        route.fulfill({ headers: { 'access-control-allow-origin': '*' }, json: probeAnswer }),
      )
      page.on('request', (request) => {
        if (!request.url().endsWith(probe)) requests.push(request.url())
      })
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
        drawn: async (count) => {
          await until(async () => (await ask<number>('__watch.drawn')) >= count, `${count} widgets are drawn`)
        },
        scanned: async () => {
          await page.evaluate('__watch.addProbe()')
          await until(() => ask<boolean>('__watch.takeProbe()'), 'the page is scanned once more')
        },
        answered: async () => {
          await answered()
          await painted(page)
        },
        show: async (another) => {
          shown = { body: another, policy }
          await page.goto(`${origin}/`)
        },
      }
    },
  }
}

/**
 * Repeats requests that a busy server refuses with 503, and blocks every request to another machine.
 */
export async function patiently(context: BrowserContext, site: string): Promise<void> {
  const answer = async (route: Route): Promise<void> => {
    const { hostname, href } = new URL(route.request().url())
    if (!href.startsWith(site)) return hostname === 'localhost' ? route.continue() : route.abort()
    const response = await until(async () => {
      const fetched = await route.fetch()
      return fetched.status() !== 503 && fetched
    }, `${href} is answered by a server that is not busy`)
    return route.fulfill({ response })
  }
  // A page may be closed while its last request is under way.
  await context.route('**/*', (route) =>
    answer(route).catch((error) => {
      if (!/disposed|closed/.test(String(error))) throw error
    }),
  )
}

/** The writer of the widget that `scanned` adds; no test uses it. */
const probe = '/api/public/authors/probe'
const probeAnswer = {
  ok: true,
  author: { slug: 'probe', name: 'Probe', identity_verified: false, urls: { profile: 'https://probe.example/' } },
}

/** Runs before the page's scripts: records each closed root and counts what is put into it, in ways no page can undo. */
const watching = `(() => {
  const { apply, defineProperty } = Reflect
  const { attachShadow } = Element.prototype
  const { replaceChildren } = DocumentFragment.prototype
  const all = Document.prototype.querySelectorAll
  const opened = []
  let probe
  const probes = new Set()
  const watch = {
    drawn: 0,
    addProbe: () => {
      probe = document.createElement('div')
      probe.dataset.serviceWidget = 'badge'
      probe.dataset.slug = 'probe'
      // First, since the script draws no more than fifty.
      document.body.prepend(probe)
    },
    takeProbe: () => {
      if (!watch.rootOf(probe)?.firstChild) return false
      probes.add(probe)
      watch.drawn -= 1
      probe.remove()
      return true
    },
    roots: () => opened.filter(({ element }) => !probes.has(element)).map(({ root }) => root),
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
