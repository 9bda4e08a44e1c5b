import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core'
import { until as untilTrue } from '../../testkit/waiting.ts'

/** Debian's headless shell: the same engine at half the CPU cost. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The installed Chromium, or the one that CHROMIUM names; closed after the test file. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? programs.find((path) => existsSync(path)),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--in-process-gpu',
      '--num-raster-threads=1',
    ],
  })
  // Only to end a hopeless wait.
  browser.on('context', (context) => context.setDefaultTimeout(120_000))
  after(() => browser.close())
  return browser
}

/** A page in a context of its own, which is closed after the test. In British English, as the tests quote the desk. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  after(() => context.close())
  return context.newPage()
}

/**
 * Waits until an expression is true. Playwright's own wait evaluates inside the page, which our
 * Content-Security-Policy refuses after the first time.
 */
export async function until(page: Page | Frame, expression: string): Promise<void> {
  await untilTrue(() => page.evaluate(expression), expression)
}

/** With SHOTS=1, saves a screenshot in test/browser/shots for people to look at; nothing is asserted. */
export async function screenshot(shown: Page | Locator, name: string, options = {}): Promise<void> {
  if (process.env['SHOTS'] !== '1') return
  await shown.screenshot({ path: join(import.meta.dirname, 'shots', `${name}.png`), ...options })
}

/** Console errors and uncaught exceptions of the page from now on, but for those that `isExpected` names. */
export function watchComplaints(page: Page, isExpected?: RegExp): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    const said = `${message.text()} ${message.location().url}`
    if (message.type() === 'error' && !isExpected?.test(said)) complaints.push(said)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.stack ?? error.message}`))
  return complaints
}

/** Watches the page's requests from now on; the returned function waits until all have been answered. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return async () => {
    await untilTrue(() => open.size === 0, 'everything asked for is answered')
  }
}

/** Waits for two painted frames, so that earlier changes are laid out and visible. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
}

const source = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The rules of WCAG 2.2 AA and axe's best practices. */
export const wcag = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }

/** The rules that depend on colours and sizes, to repeat in another colour scheme. */
export const visual = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'] },
}

/** The violations axe finds on the page now; without options, by its default rules. */
export async function axeViolations(page: Page, options: object = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source)
  // Without resultTypes, axe describes every element that passed too, which takes longer than the rules do.
  return page.evaluate(`axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' | '))))`)
}
