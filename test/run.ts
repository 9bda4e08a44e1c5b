import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { inspect, parseArgs } from 'node:util'
import { affectedTests } from './runner/affected.ts'
import { ensurePostgres, startPooler } from './runner/postgres.ts'

/**
 * `npm test`, `npm run system` and `npm run e2e`. Loading the server takes longer than most test files run, so files share
 * processes, one after the other, each with its own database; the longest start first.
 *
 *   npm test -- test/feeds/caching.test.ts    these files only
 *   npm test -- --changed             what the changes since HEAD can affect (--since=main: since another commit)
 *   npm test -- --watch               the same again at every saved file
 *   npm test -- --pooler              through PgBouncer, with a credential for each role
 *   npm test -- --record              writes how long each file took to test/durations.json
 */

interface Suite {
  readonly files: readonly string[]
  readonly except?: readonly string[]
  readonly processes: number
  /** Milliseconds: only to end a test that hangs. */
  readonly timeout: number
}

/** Whole processes: the command line, workers, backups, PostgreSQL replicas, Varnish, HAProxy, network namespaces. */
const systemFiles = [
  'test/system/*.test.ts',
  'server/commands/**/*.test.ts',
  'server/features/pieces/search/*-processes.test.ts',
  'sdk/*.test.ts',
]

const suites: Readonly<Record<string, Suite>> = {
  api: {
    files: [
      'server/**/*.test.ts',
      'desk/*.test.ts',
      'desk/source/**/*.test.ts',
      'test/*/*.test.ts',
      'testkit/**/*.test.ts',
      'labs/**/*.test.ts',
    ],
    except: [...systemFiles, 'test/{browser,nightly}/*.test.ts', 'labs/bench/**'],
    processes: 4,
    timeout: 600_000,
  },
  system: { files: systemFiles, processes: 4, timeout: 600_000 },
  browser: { files: ['test/browser/*.test.ts'], processes: 3, timeout: 600_000 },
}

/** A process ends after this many files, so that none grows without bound. */
const filesPerProcess = 40

const root = join(import.meta.dirname, '..')
const durationsFile = join(root, 'test/durations.json')
/** Of this run alone: another may be under way in the same checkout. */
const queueFolder = join(root, '.data/tests', `${process.pid}`)
const ignored = /(^|\/)(node_modules|\.git|\.data|dist|coverage|shots)(\/|$)/

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string', default: 'api' },
    changed: { type: 'boolean' },
    since: { type: 'string' },
    watch: { type: 'boolean' },
    record: { type: 'boolean' },
    pooler: { type: 'boolean' },
  },
})
const suite = suites[values.suite]
if (!suite) throw new Error(`There is no suite ${values.suite}; there are ${Object.keys(suites).join(' and ')}.`)
const filesOf = ({ files, except = [] }: Suite): string[] =>
  globSync([...files], { cwd: root, exclude: ['**/node_modules/**', ...except] })
const durations = JSON.parse(readFileSync(durationsFile, 'utf8')) as Record<string, number>

const stopPostgres = await ensurePostgres(root)
const stopPooler = values.pooler ? await startPooler() : async () => {}
process.exitCode = (await runChosen()) ? 0 : 1
if (values.watch) await watchFiles()
await stopPooler()
await stopPostgres()
rmSync(queueFolder, { recursive: true, force: true })

function runChosen(): Promise<boolean> {
  if (positionals.length) return runFiles(positionals)
  if (values.changed || values.since || values.watch) return runAffected(changedFiles(values.since ?? 'HEAD'))
  return runFiles(longestFirst(filesOf(suite!)))
}

function runAffected(changed: readonly string[], signal?: AbortSignal): Promise<boolean> {
  // A change of the server affects the command line too.
  const all = values.suite === 'api' ? [suites['api']!, suites['system']!].flatMap(filesOf) : filesOf(suite!)
  const files = affectedTests(root, all, changed)
  console.log(`${changed.length} changed files affect ${files.length} of ${all.length} test files`)
  return runFiles(files, signal)
}

async function runFiles(files: readonly string[], signal?: AbortSignal): Promise<boolean> {
  if (!files.length) return true
  const stream = run({
    files: processFiles(files),
    concurrency: suite!.processes,
    timeout: suite!.timeout,
    cwd: root,
    ...(signal && { signal }),
  })
  const { failed, durations: measured } = await report(stream)
  if (values.record) writeDurations(measured)
  // A process that ended early, even with code 0, has not run all files it had taken.
  const unfinished = signal?.aborted ? [] : files.filter((file) => !measured.has(file))
  for (const file of unfinished) console.log(`✖ ${file} did not finish`)
  return failed === 0 && unfinished.length === 0
}

interface Result {
  readonly failed: number
  /** Milliseconds of each test file. */
  readonly durations: ReadonlyMap<string, number>
}

/** Prints a line for each test file when it is over and every failure at once, then the counts. */
async function report(stream: ReturnType<typeof run>): Promise<Result> {
  const durations = new Map<string, number>()
  const counts = { passed: 0, failed: 0, skipped: 0 }
  stream.on('test:stdout', ({ message }) => process.stdout.write(message))
  stream.on('test:stderr', ({ message }) => process.stderr.write(message))
  stream.on('test:complete', ({ name, nesting, details, file, line, skip }) => {
    const { passed, error, type, duration_ms } = details
    const isProcess = name === file
    const isTestFile = nesting === 0 && type === 'suite'
    if (type !== 'suite' && !isProcess) counts[skip === undefined ? (passed ? 'passed' : 'failed') : 'skipped'] += 1
    const reason = error && (error as { failureType?: string }).failureType
    if (!passed && reason !== 'subtestsFailed') {
      if (type === 'suite' || isProcess) counts.failed += 1
      console.log(
        `✖ ${name} (${relative(root, file ?? '')}:${line})\n${inspect(error?.cause ?? error).replace(/^/gm, '    ')}`,
      )
    }
    if (!isTestFile) return
    durations.set(name, duration_ms)
    console.log(`${passed ? '✔' : '✖'} ${name} ${(duration_ms / 1000).toFixed(1)} s`)
  })
  // The counts are complete when the stream has ended.
  for await (const _ of stream);
  console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  return { failed: counts.failed, durations }
}

/** A file that has never been timed may be long: it goes first. */
function longestFirst(files: readonly string[]): string[] {
  const duration = (file: string): number => durations[file] ?? Infinity
  return files.toSorted((one, other) => duration(other) - duration(one) || (one < other ? -1 : 1))
}

/** One generated file a process; each takes the next test file that no other process has taken. */
function processFiles(files: readonly string[]): string[] {
  rmSync(queueFolder, { recursive: true, force: true })
  mkdirSync(join(queueFolder, 'taken'), { recursive: true })
  writeFileSync(join(queueFolder, 'files.json'), JSON.stringify(files))
  const count = Math.max(Math.min(suite!.processes, files.length), Math.ceil(files.length / filesPerProcess))
  return Array.from({ length: count }, (_, at) => {
    const path = join(queueFolder, `${at + 1}.test.ts`)
    writeFileSync(
      path,
      `import { runQueue } from '../../../test/runner/queue.ts'\nawait runQueue(import.meta.dirname, ${filesPerProcess})\n`,
    )
    return path
  })
}

function changedFiles(since: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
}

function writeDurations(measured: ReadonlyMap<string, number>): void {
  const seconds = [...measured].map(([file, ms]) => [file, Math.round(ms / 100) / 10] as const)
  const known = Object.values(suites).flatMap(filesOf)
  const kept = Object.entries({ ...durations, ...Object.fromEntries(seconds) }).filter(([file]) => known.includes(file))
  const sorted = Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
  writeFileSync(durationsFile, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** Runs until the terminal ends it. A file saved during a run aborts it, since its result would be outdated. */
async function watchFiles(): Promise<void> {
  const pending = new Set<string>()
  let stop = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const start = async (): Promise<void> => {
    stop.abort()
    await running
    const changed = [...pending]
    pending.clear()
    if (!changed.length) return
    stop = new AbortController()
    running = runAffected(changed, stop.signal).finally(() => console.log('Waiting for a saved file'))
  }
  console.log('Waiting for a saved file')
  for await (const { filename } of watch(root, { recursive: true })) {
    if (!filename || ignored.test(filename)) continue
    pending.add(filename)
    clearTimeout(timer)
    // Editors write a file in several steps.
    timer = setTimeout(start, 50)
  }
}
