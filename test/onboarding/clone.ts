import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type CodeBlock, codeBlocksIn } from '../../testkit/file-formats.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

/** From a clean clone to a running seeded site, with the first two commands of the README. */

interface Running extends Site {
  /** Sends Ctrl+C; returns the seconds until all of its processes have ended. */
  stop(): Promise<number>
}

/** Unless timed, copies the installed packages instead of running `npm ci`, which CI has done itself. */
export async function cloneAndStart(
  checkout: string,
  place: string,
  smtpUrl: string,
  isTimed: boolean,
): Promise<Running> {
  const folder = join(place, 'standfirst')
  await runLine(existsSync(join(checkout, '.git')) ? cloning(checkout) : copying(checkout), place)
  const [install = '', start = ''] = fenceWith('npm run dev', documentAt('README.md')).code.split('\n')
  assert.match(install, /^npm ci /)
  assert.match(start, /^npm run dev /)
  await runLine(isTimed ? install : copyingPackages(checkout), folder)
  const port = await freePort()
  const base = `http://localhost:${port}`
  // Other checks may run at the same time, so a busy machine must not fail this.
  const patience: Record<string, string> = isTimed ? {} : { LOAD_FACTOR: '20', SEARCH_BUDGET: '5000' }
  const dev = startLine(start, folder, { PORT: String(port), SMTP_URL: smtpUrl, ...patience })
  const said = wordsOf(dev)
  try {
    await until(async () => {
      assert.equal(dev.exitCode, null, said())
      return said().includes(`Your site is running at ${base}`) && (await answers(`${base}/api/public/pieces/recent`))
    }, 'it says where it is, and answers there')
    for (const [path, words] of seen) await see(base + path, words)
  } catch (error) {
    await end(dev, folder, said).catch(() => {})
    throw error
  }
  return { base, folder, place, key: /pk_live_\w{64}/.exec(said())![0], stop: () => end(dev, folder, said) }
}

/** Accepts a checkout of another user, as is common on CI machines. */
const cloning = (checkout: string): string => `git -c safe.directory='*' clone --quiet '${checkout}' standfirst`

/** For a checkout without .git: copies the files that are not generated. */
const copying = (checkout: string): string =>
  `mkdir standfirst && tar -C '${checkout}' --exclude=node_modules --exclude=.data --exclude=./desk/dist -c . | tar -x -C standfirst`

/** Hard links if on the same disk; then the build step that `npm ci` ends with. */
const copyingPackages = (checkout: string): string =>
  `(cp -al '${checkout}/node_modules' . 2>/dev/null || { rm -rf node_modules && cp -a '${checkout}/node_modules' .; }) && npm run prepare`

/** The pages the README says to open. */
const seen = [
  ['/', /<article|<h2/],
  ['/api/public/pieces/recent?limit=3', /"items":\[\{/],
  ['/api/public/pieces/search?q=slow+tea', /"title":"The case for slow tea"/],
  ['/author/ada-okafor', /Ada Okafor/],
  ['/search?q=tea', /tea/],
  ['/developers', /Quickstart/],
  ['/desk', /<script/],
] as const

/** A busy site refuses some requests with 503, and is asked again. */
async function see(address: string, words: RegExp): Promise<void> {
  const answer = await until(async () => {
    const one = await fetch(address)
    return one.status !== 503 && one
  }, `${address} is answered by a site that is not busy`)
  assert.equal(answer.status, 200, address)
  assert.match(await answer.text(), words, address)
}

const answers = async (address: string): Promise<boolean> => (await fetch(address).catch(() => undefined))?.ok ?? false

function wordsOf(child: ChildProcess): () => string {
  let words = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (part: string) => {
      words += part
    })
  return () => words
}

/** Running processes of the clone; the server and PostgreSQL have separate process groups. */
async function leftOf(folder: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,args='])
  return stdout.split('\n').filter((line) => line.includes(`${folder}/`))
}

/** Sends Ctrl+C as a terminal does, to the whole process group. */
async function end(dev: ChildProcess, folder: string, said: () => string): Promise<number> {
  const before = performance.now()
  const printed = said().length
  if (dev.exitCode === null) process.kill(-dev.pid!, 'SIGINT')
  let left: string[] = []
  await until(async () => {
    left = await leftOf(folder)
    return left.length === 0
  }, 'nothing of it is left running').catch(() => {})
  const took = (performance.now() - before) / 1000
  for (const line of left) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  assert.deepEqual(left, [], 'something was left running')
  assert.equal(said().slice(printed).trim(), '', 'it complained while it ended')
  return took
}

/** A newcomer: the documentation, and a shell without this checkout's environment. */

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A site that was cloned, installed and started as the README says. */
export interface Site {
  readonly base: string
  /** As `npm run dev` printed it. */
  readonly key: string
  /** The clone. */
  readonly folder: string
  /** The newcomer's working folder. */
  readonly place: string
}

/** Without npm's script variables, so that the machine's own Node and npm are used. */
const plainEnvironment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|INIT_CWD$)/.test(name))
  const path = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: path.join(':'), ...more }
}

/** In a new process group, as a terminal starts it: Ctrl+C is a signal to the group. */
const startLine = (line: string, cwd: string, more?: Readonly<Record<string, string>>): ChildProcess =>
  spawn('bash', ['-euc', line], { cwd, env: plainEnvironment(more), detached: true, stdio: ['ignore', 'pipe', 'pipe'] })

/** Runs a command of the documentation and returns its output. */
export async function runLine(line: string, cwd: string, more?: Readonly<Record<string, string>>): Promise<string> {
  const child = startLine(line, cwd, more)
  const [printed, complained] = [textOf(child.stdout!), textOf(child.stderr!)]
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`ended with ${code}: ${line}\n${await printed}${await complained}`)
  return printed
}

/** The first code block of a document that contains these words. */
export function fenceWith(words: string, document: string): CodeBlock {
  const found = codeBlocksIn(document).find(({ code }) => code.includes(words))
  if (!found) throw new Error(`no block of the document says ${words}`)
  return found
}

export const documentAt = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

export const guideOf = async ({ base }: Site, name: string): Promise<string> =>
  (await fetch(`${base}/developers/${name}.md`)).text()
