import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const source = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Everything that WCAG 2.2 AA asks for, and best practice. */
export const wcag = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }

/** The rules that depend on colours and sizes: what to ask of a document again in another scheme. */
export const visual = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'] },
}

/** What axe finds wrong with the page as it is shown now; without options, by the rules it has switched on by default. */
export async function axeViolations(page: Page, options: object = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source)
  // Without resultTypes, axe describes every element that passed too, which takes longer than the rules do.
  return page.evaluate(`axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' | '))))`)
}
