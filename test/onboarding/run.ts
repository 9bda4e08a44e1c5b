import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseArgs } from 'node:util'
import type { Browser, Locator } from 'playwright-core'
import { anyEmail } from '../../testkit/accounts.ts'
import { type Mailbox, startMailbox } from '../../testkit/mailbox.ts'
import { until } from '../../testkit/waiting.ts'
import { openBrowser } from '../browser/browser.ts'
import { authenticator, saved } from '../browser/desk-site.ts'
import { openHost } from '../browser/embeds-host.ts'
import { cloneAndStart, documentAt, fenceWith, guideOf, root, runLine, type Site } from './clone.ts'

/**
 * `npm run walks`: a newcomer's first journeys, following the documentation literally in a clean clone of the committed
 * sources. Each has a limit of clicks, commands or lines. Seconds are printed, and checked only with `--timed`. It needs
 * npm's registry and Chromium.
 */

/** From the front page of an unfamiliar site to a published piece; returns the number of clicks. */
async function firstPiece(browser: Browser, { base }: Site, mailbox: Mailbox): Promise<number> {
  let clicks = 0
  const click = async (what: Locator): Promise<void> => {
    await what.click()
    clicks += 1
  }
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: authenticator })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const link = (name: string) => page.getByRole('link', { name })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  await page.goto(base)
  await click(link('Start writing'))
  await click(link('Create an account'))
  const email = anyEmail()
  await page.getByLabel('Email address').fill(email)
  await click(button('Email me a link'))
  const { html } = await mailbox.waitForEmail(email, undefined, 30_000)
  // Clicks the link in the email, as shown by a mail program.
  await page.goto('about:blank')
  await page.setContent(html)
  await click(page.locator(`a[href^="${base}/desk/verify-email"]`).first())

  await page.getByLabel('Your name').fill('Mary Anning')
  await click(button('Create a passkey'))
  await heading('Welcome, Mary Anning')
  await page.getByLabel('About you').fill('Looks for bones on the beach at Lyme.')
  await click(button('Save'))
  await click(link('Start writing'))
  await page.waitForURL(/\/desk\/edit\/pieces\/new/)
  // The editor takes the focus when it is ready.
  await page.getByRole('textbox', { name: 'Headline' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('On bones\n\nThey lie where the cliff gave way.')
  await saved(page)
  await click(button('Publish'))
  await page.waitForURL(/\/publish$/)
  await click(page.getByRole('radio', { name: 'Ideas' }))
  await click(button('Publish'))
  await heading('Published')
  const live = await page.locator('main a[href*="/author/"]').first().getAttribute('href')
  assert.match(await (await fetch(live!)).text(), /They lie where the cliff gave way\./)
  await context.close()
  return clicks
}

/** The first steps of the documentation for programmers, run literally. */

/** Creates a draft with the quickstart's command; returns the number of commands. */
async function firstDraft(site: Site): Promise<number> {
  const { code } = fenceWith('/api/v1/pieces', await guideOf(site, 'quickstart'))
  const answer = JSON.parse(await runLine(code, site.place, { KEY: site.key }))
  assert.equal(answer.status, 'draft')
  const mine = await fetch(`${site.base}/api/v1/pieces/me?limit=1`, {
    headers: { authorization: `Bearer ${site.key}` },
  })
  const [newest] = ((await mine.json()) as { pieces: { id: string }[] }).pieces
  assert.equal(newest?.id, answer.id)
  return code.match(/\bcurl /g)?.length ?? 0
}

/** Runs the README's sample in a new project after its two install commands; returns the number of lines. */
async function firstSearch({ base, folder, place }: Site): Promise<number> {
  const [build = '', install = ''] = fenceWith('npm run sdk', documentAt('sdk/README.md')).code.split('\n')
  const { code } = fenceWith("from '@standfirst/sdk'", documentAt('README.md'))
  const lines = [build, install, ...code.split('\n').filter((line) => line !== '')]
  await runLine(build, folder)
  const project = join(place, 'project')
  await mkdir(project)
  await runLine(install, project)
  const its = code.replace('http://localhost:8080', base)
  await runLine(`cat > search.mjs <<'END'\n${its}\nEND`, project)
  // A busy server returns only what it found in time.
  const found = await until(async () => {
    const printed = await runLine('node search.mjs', project)
    return printed.trim().split('\n').length > 10 && printed
  }, 'more than ten pieces are found')
  assert.match(found, new RegExp(`^.+ ${base}/author/`))
  return lines.length
}

/** Connects an MCP client with the README's command; returns the number of commands. */
async function toolClient({ base, place }: Site): Promise<number> {
  const command = documentAt('README.md')
    .split('\n')
    .find((line) => line.startsWith('npx') && line.includes('/api/mcp'))
  assert.ok(command, 'the README names no client that connects')
  const { tools } = JSON.parse(await runLine(command.replace('http://localhost:8080', base), place))
  assert.equal(tools.length, 8)
  return 1
}

/** Embeds the widget of docs/embedding.md in another site's page; returns its number of lines. */
async function widget(browser: Browser, { base }: Site): Promise<number> {
  const { code } = fenceWith('/embed.js', documentAt('docs/embedding.md'))
  const host = await openHost(browser, base)
  const visit = await host.open(code.replaceAll('http://localhost:8080', base))
  await visit.drawn(1)
  assert.match((await visit.texts())[0] ?? '', /Ada Okafor/)
  assert.deepEqual(visit.complaints, [])
  return code.trim().split('\n').length
}

const { values } = parseArgs({ options: { timed: { type: 'boolean', default: false } } })

const place = await mkdtemp(join(tmpdir(), 'standfirst-walks-'))
// As root, PostgreSQL runs as another user, who needs access.
await chmod(place, 0o755)
after(() => rm(place, { recursive: true, force: true }))
const mailbox = await startMailbox()
const browser = await openBrowser()

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
