import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseArgs } from 'node:util'
import { startMailbox } from '../../testkit/mailbox.ts'
import { openBrowser } from '../browser/browser.ts'
import { cloneAndStart, root } from './clone.ts'
import { firstDraft, firstPiece, firstSearch, toolClient, widget } from './steps.ts'

/**
 * `npm run walks`: a newcomer's first journeys, following the documentation literally in a clean clone of the committed
 * sources. Each has a limit of clicks, commands or lines. Seconds are printed, and checked only with `--timed`. It needs
 * npm's registry and Chromium.
 */

const { values } = parseArgs({ options: { timed: { type: 'boolean', default: false } } })

const place = await mkdtemp(join(tmpdir(), 'standfirst-walks-'))
// As root, PostgreSQL runs as another user, who needs access.
await chmod(place, 0o755)
after(() => rm(place, { recursive: true, force: true }))
const mailbox = await startMailbox()
const browser = await openBrowser()
after(() => browser.close())

const begun = performance.now()
const seconds = (): number => (performance.now() - begun) / 1000
const rows: string[] = []
const figures: string[] = []

/** Runs and measures one journey, and compares it with its limit. */
function walk(
  what: string,
  bar: number,
  unit: 'clicks' | 'commands' | 'lines' | 'seconds',
  measure: () => Promise<number>,
): void {
  const isHeld = unit !== 'seconds' || values.timed
  test(isHeld ? `${what}: at most ${bar} ${unit}` : what, async () => {
    const before = seconds()
    const measured = Number((await measure()).toFixed(1))
    const took = (seconds() - before).toFixed(1)
    figures.push(`${what}: ${measured} ${unit}`)
    rows.push(`| ${what} | ${bar} ${unit} | ${measured} ${unit} | ${took} s |`)
    if (isHeld) assert.ok(measured <= bar, `${measured} ${unit}`)
  })
}

let site: Awaited<ReturnType<typeof cloneAndStart>> | undefined
const its = () => site ?? assert.fail('there is no site: the first walk failed')
after(() => site?.stop())

walk('from a clean clone to a seeded site that answers', 180, 'seconds', async () => {
  site = await cloneAndStart(root, place, mailbox.url, values.timed)
  return seconds()
})
walk('from the front page, by sign-up, to a public piece', 10, 'clicks', () => firstPiece(browser, its(), mailbox))
walk('from a key to a first draft', 1, 'commands', () => firstDraft(its()))
walk('from installing the package to a first search', 5, 'lines', () => firstSearch(its()))
walk('an MCP client, connected', 1, 'commands', () => toolClient(its()))
walk('a widget on a page of another site', 2, 'lines', () => widget(browser, its()))
walk('Ctrl+C, until nothing of it is left', 10, 'seconds', async () => {
  const { stop } = its()
  site = undefined
  return stop()
})

after(() => {
  console.log(['| what | bar | measured | took |', '|---|---|---|---|', ...rows].join('\n'))
  console.log(`${seconds().toFixed(0)} s in all`)
  console.log(`figure: ${figures.join(', ')}`)
})
