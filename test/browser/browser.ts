import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Frame, type Locator, type Page, type Request } from 'playwright-core'
import { until as untilTrue } from '../../testkit/until.ts'

/** Debian's: the same engine as a shell without a window takes half the work. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The Chromium that is here, or the one CHROMIUM names. */
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
  // Only to end a wait that is hopeless.
  browser.on('context', (context) => context.setDefaultTimeout(120_000))
  return browser
}

/**
 * Until an expression is true. Playwright's own wait evaluates again inside the page, which our
 * Content-Security-Policy refuses from the second look on.
 */
export async function until(page: Page | Frame, expression: string): Promise<void> {
  await untilTrue(() => page.evaluate(expression), expression)
}

/** With SHOTS=1, a screenshot in test/browser/shots. Nothing is asserted of it: it is for people to look at. */
export async function screenshot(shown: Page | Locator, name: string, options = {}): Promise<void> {
  if (process.env['SHOTS'] !== '1') return
  await shown.screenshot({ path: join(import.meta.dirname, 'shots', `${name}.png`), ...options })
}

/** Watches what the page asks for from now on; the returned function waits until all of it is answered. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return async () => {
    await untilTrue(() => open.size === 0, 'everything asked for is answered')
  }
}

/** Until two frames have been painted: what was changed before is laid out and shown. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
}
