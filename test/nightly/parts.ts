import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What `npm run nightly` runs: all that is timed, statistical, random at size, or too long for every change. */

export interface Part {
  readonly name: string
  /** What is shown if it exits with 0. */
  readonly shows: string
  /** As typed at the root of the repository. */
  readonly command: string
}

export const root = join(import.meta.dirname, '../..')

/** Larger numbers for tests of test/nightly that have one. */
const sizes: Readonly<Record<string, string>> = {
  'accounts-enumeration': 'PAIRS=30',
  fairness: 'ROUNDS=300',
  followers: 'FOLLOWERS=10000',
  rendering: 'RENDER_RUNS=3000',
  webhooks: 'PUBLICATIONS=400',
}

/** Each file of test/nightly runs alone, so that nothing else of ours uses the machine. */
const timed: readonly Part[] = globSync('test/nightly/*.test.ts', { cwd: root })
  .sort()
  .map((file) => {
    const name = basename(file, '.test.ts')
    const command = `node --test ${file}`
    return { name, shows: namesIn(file), command: sizes[name] ? `${sizes[name]} ${command}` : command }
  })

/** The names of its tests. A part that is calculated is left out. */
function namesIn(file: string): string {
  const names = readFileSync(join(root, file), 'utf8').matchAll(/\btest\(\s*(['"`])(.+?)\1,/g)
  return [...names].map(([, , name = '']) => name.replaceAll(/\$\{[^}]*\}/g, '…')).join('; ')
}

const atSize = (name: string, number: string, file: string, shows: string): Part => ({
  name,
  shows,
  command: `${number} node --test ${file}`,
})

const random: readonly Part[] = [
  atSize(
    'replica-as-shipped',
    'FACTOR=1',
    'test/system/replica.test.ts',
    'public reads with a replica are correct with the default time limits',
  ),
  atSize(
    'search-random',
    'SEARCH_RUNS=20000',
    'server/features/pieces/search/search.test.ts',
    'search and a plain scan agree on random corpora',
  ),
  atSize(
    'account-takeovers',
    'TAKEOVERS=20000',
    'test/accounts/recovery.test.ts',
    'after the owner’s recovery, nothing of an attacker works, whatever both did before',
  ),
  atSize('requests-fuzz', 'FUZZ=100000', 'test/security/fuzz.test.ts', 'no generated request is answered with 500'),
  atSize('embeds-fuzz', 'FUZZ=100000', 'test/embeds/widgets.test.ts', 'no name breaks out of a widget'),
  atSize('mcp-fuzz', 'MESSAGES=50000', 'test/mcp/fuzz.test.ts', 'every JSON-RPC message has a valid answer'),
  atSize('mcp-hostile', 'TOOL_TEXTS=10000', 'test/mcp/hostile.test.ts', 'tools return hostile texts as data'),
  atSize('feeds-fuzz', 'FEED_ITEMS=100000', 'test/feeds/fuzz.test.ts', 'feeds are well formed, whatever they contain'),
  atSize(
    'markdown-random',
    'TWIN_RUNS=100000',
    'server/platform/markdown/to-markdown.test.ts',
    'a text converted to Markdown and back is unchanged',
  ),
  atSize(
    'outbound-addresses',
    'ADDRESSES=1000000',
    'server/platform/outbound/rules.test.ts',
    'no private address is called, and every public one can be',
  ),
  atSize(
    'idempotency',
    'CREATES=10000',
    'test/pieces/idempotency-lossy-network.test.ts',
    'drafts through a proxy that loses responses are created once',
  ),
  atSize(
    'push-many',
    'FILES=1000',
    'test/system/push-network.test.ts',
    'a push that is killed and repeated creates no draft twice',
  ),
  atSize('webhook-flips', 'FLIPS=1000000', 'test/webhooks/verify.test.ts', 'no delivery with one bit changed verifies'),
  atSize('pages-hostile', 'HOSTILE_FEEDS=1', 'test/browser/xss.test.ts', 'no hostile text runs as script'),
  atSize(
    'desk-imports',
    'IMPORT_POSTS=200',
    'test/browser/desk-import.test.ts',
    'an export of 200 posts, in each format, gives the same texts at the desk as at the command line',
  ),
  atSize('badges', 'BADGES=20000', 'test/browser/embeds-badge.test.ts', 'names fit in their badges, in a browser'),
]

const npm = (name: string, command: string, shows: string): Part => ({ name, shows, command: `npm run ${command}` })

const programs: readonly Part[] = [
  npm(
    'walks',
    'walks -- --timed',
    'a newcomer has a running site within 180 s of a clean clone, and Ctrl+C ends it within 10 s',
  ),
  npm(
    'authorization',
    'proof -- --long',
    'none of 100,000 requests publishes or shows a draft; response times reveal nothing (|t| below 4.5)',
  ),
  npm(
    'chaos-webhooks',
    'chaos -- webhooks',
    'no delivery is lost while workers are killed; others take over within 60 s',
  ),
  npm(
    'chaos-cluster',
    'chaos -- cluster --long',
    '50 faults and 100,000 writes: nothing acknowledged is lost; writes succeed again within 10 s of losing a process, 30 s of losing a node',
  ),
  npm(
    'chaos-follow',
    'chaos -- follow',
    '10,000 followers get one email of each piece, signed, through real mail servers, while workers are killed; who left gets none',
  ),
  npm(
    'recovery',
    'rehearse -- recovery',
    'every command of operations.md and deploy/README.md works as described, on machines that lose nodes, disks and the archive',
  ),
  npm('mcp-conformance', 'conformance -- --long', "the protocol's own test suites and the Inspector find no errors"),
  npm('scale-static', 'scale -- static', 'the edge serves a cached page as fast as a file'),
  npm(
    'scale-hits',
    'scale -- hits',
    'the edge reaches the best possible hit rate while ten pieces a second are published',
  ),
  npm('scale-fresh', 'scale -- fresh', 'unpublished content leaves the edge within a second'),
  npm('scale-replica', 'scale -- replica', 'no reader gets stale data from a late replica'),
  npm('scale-clock', 'scale -- clock', 'a worker with a wrong clock does nothing early, late or wrongly signed'),
  npm(
    'scale-overload',
    'scale -- overload',
    'at four times the peak load, as many requests are answered as at the peak',
  ),
  npm('scale-slow', 'scale -- slow', '2,000 slow clients delay nobody'),
  npm('scale-steady', 'scale -- steady', 'none of 500 requests a second fails while everything is restarted'),
  npm('scale-restore', 'scale -- restore', 'every row is restored as it was at the requested second'),
  npm(
    'scale-saves',
    'scale -- saves',
    'a piece saved 400 times has at most 60 kB of history a day later, with each kept revision unchanged',
  ),
  npm(
    'scale-footprint',
    'scale -- footprint',
    'a server is ready within 2 s and uses 180 MB when idle, a worker 300 MB while it indexes; an idle site sends at most two queries a second',
  ),
  ...['buffers', 'http', 'creating', 'face', 'pixel', 'tools', 'webhooks'].map((part) =>
    npm(`bench-${part}`, `bench -- --only ${part}`, 'figures in [Performance](performance.md)'),
  ),
  npm('bench-search', 'bench:search', 'figures in [Performance](performance.md)'),
]

export const parts: readonly Part[] = [...timed, ...random, ...programs]

/** docs/nightly.md: one row for each part, with the outcome of its last run. */

export interface Outcome {
  readonly outcome: 'holds' | 'does not hold' | 'could not run'
  readonly figures: string
  /** In seconds. */
  readonly took: number
  /** As `2026-11-16`. */
  readonly date: string
  /** Abbreviated, with `+` if there were uncommitted changes. */
  readonly commit: string
}

const page = join(root, 'docs/nightly.md')

const introduction = `# Nightly runs

These tests are timed, statistical or long, so they do not gate a change: their results depend on the machine. \`npm run nightly\` runs all of them, one after the other, and writes the table below; \`npm run nightly -- --only walks,scale-fresh\` runs some and \`-- --list\` lists them all. It continues after a failure and exits with 1 at the end. A row shows when a test was last run and at which commit: \`+\` means with uncommitted changes, and a test without a date was not run yet. A test whose software is not installed says so; \`sudo bash .ci/engines\` installs everything. Run them on a machine that does nothing else; a row says if the machine was busy.

[Performance](performance.md), [Failure tests](chaos.md) and [Capacity planning](scale.md) describe how these figures are measured.
`
const heading = ['part', 'what must hold', 'outcome', 'figures', 'took', 'date', 'commit', 'command']
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()

/** The cells of each part's last run, by its name. */
export function readRows(markdown: string): Map<string, readonly string[]> {
  const rows = markdown
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(/(?<!\\) \| /))
  return new Map(rows.map(([name = '', , ...rest]) => [name, rest.slice(0, -1)]))
}

export function tableOf(all: readonly Part[], known: ReadonlyMap<string, readonly string[]>): string {
  const rows = all.map(({ name, shows, command }) =>
    row([name, cell(shows), ...(known.get(name) ?? ['not run yet', '', '', '', '']), `\`${cell(command)}\``]),
  )
  return [row(heading), `|${'---|'.repeat(heading.length)}`, ...rows].join('\n')
}

export const cellsOf = ({ outcome, figures, took, date, commit }: Outcome): string[] => [
  outcome === 'holds' ? outcome : `**${outcome}**`,
  cell(figures),
  took < 120 ? `${took.toFixed(0)} s` : `${(took / 60).toFixed(0)} min`,
  date,
  commit,
]

/** Replaces the rows of the parts that ran; the others keep their date and commit. */
export function writeOutcomes(outcomes: ReadonlyMap<string, Outcome>): void {
  const known = readRows(readPage())
  for (const [name, outcome] of outcomes) known.set(name, cellsOf(outcome))
  writeFileSync(page, `${introduction}\n${tableOf(parts, known)}\n`)
}

function readPage(): string {
  try {
    return readFileSync(page, 'utf8')
  } catch {
    return ''
  }
}

/**
 * A short summary of a run's output: lines that begin with `figure: `, messages of `t.diagnostic`, and claims with a tick
 * or a cross.
 */
export function figuresIn(printed: string): string {
  const lines = printed
    .replaceAll(/\u001b\[[\d;]*m/g, '')
    .split('\n')
    .map((line) => line.trim())
  const figures = lines.flatMap((line) => {
    const [, said] =
      /^(?:ℹ )?figure: (.+)$/.exec(line) ?? /^ℹ (?!\w+ [\d.]+$)(.+)$/.exec(line) ?? /^([✓✗] .+)$/.exec(line) ?? []
    return said ?? []
  })
  if (figures.length > 0) return [...new Set(figures)].join('; ')
  const passed = /^ℹ pass (\d+)$/m.exec(lines.join('\n'))?.[1]
  return passed ? `${passed} tests` : ''
}
