import { existsSync } from 'node:fs'
import { type Browser, chromium, type Frame, type Page } from 'playwright-core'

/** Debian's: the same engine as a shell without a window takes half the work. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The Chromium that is here, or the one CHROMIUM names. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? programs.find((path) => existsSync(path)),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/**
 * Until an expression holds. Playwright's own wait evaluates again inside the page, which our
 * Content-Security-Policy refuses from the second look on.
 */
export async function until(page: Page | Frame, expression: string): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await page.evaluate(expression))) {
    if (Date.now() > end) throw new Error(`Still not so after 30 s: ${expression}`)
    await page.waitForTimeout(25)
  }
}
