import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../testkit/free-port.ts'
import { until } from '../../testkit/until.ts'
import { documentAt, fenceWith, runLine, type Site, startLine } from './newcomer.ts'

/** From a clean clone to a seeded site that answers, by the first two of the README's commands. */

export interface Running extends Site {
  /** Ctrl+C; how many seconds it took until nothing of it was left. */
  stop(): Promise<number>
}

/** Unless its time is measured, what is installed here is copied, as `npm ci` would leave it: CI has run that itself. */
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
  // Other checks may run beside it: what is asked is not whether the machine is busy.
  const patience: Record<string, string> = isTimed ? {} : { LOAD_FACTOR: '20' }
  const dev = startLine(start, folder, { PORT: String(port), SMTP_URL: smtpUrl, ...patience })
  const said = wordsOf(dev)
  try {
    await until(async () => {
      assert.equal(dev.exitCode, null, said())
      return said().includes(`Your site is at ${base}`) && (await answers(`${base}/api/public/pieces/recent`))
    }, 'it says where it is, and answers there')
    for (const [path, words] of seen) await see(base + path, words)
  } catch (error) {
    await end(dev, folder, said).catch(() => {})
    throw error
  }
  return { base, folder, place, key: /pk_live_\w{64}/.exec(said())![0], stop: () => end(dev, folder, said) }
}

/** Of whoever the checkout is: on a machine of CI it is often another user's. */
const cloning = (checkout: string): string => `git -c safe.directory='*' clone --quiet '${checkout}' standfirst`

/** Where only the files arrived, without their history: what is not made from them. */
const copying = (checkout: string): string =>
  `mkdir standfirst && tar -C '${checkout}' --exclude=node_modules --exclude=.data --exclude=./desk/dist -c . | tar -x -C standfirst`

/** Links where both are on one disk; then what `npm ci` builds in the end. */
const copyingPackages = (checkout: string): string =>
  `(cp -al '${checkout}/node_modules' . 2>/dev/null || { rm -rf node_modules && cp -a '${checkout}/node_modules' .; }) && npm run prepare`

/** What the README says to open. */
const seen = [
  ['/', /<article|<h2/],
  ['/api/public/pieces/recent?limit=3', /"items":\[\{/],
  ['/api/public/pieces/search?q=slow+tea', /"title":"The case for slow tea"/],
  ['/author/ada-okafor', /Ada Okafor/],
  ['/search?q=tea', /tea/],
  ['/developers', /Quickstart/],
  ['/desk', /<script/],
] as const

async function see(address: string, words: RegExp): Promise<void> {
  const answer = await fetch(address)
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

/** Processes whose program or folder is the clone's: the server and PostgreSQL are in groups of their own. */
async function leftOf(folder: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,args='])
  return stdout.split('\n').filter((line) => line.includes(`${folder}/`))
}

/** Ctrl+C, as a terminal sends it: to the whole group. */
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
