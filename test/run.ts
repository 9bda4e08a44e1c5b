import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/**
 * `npm test` and `npm run e2e`. A process and the house in it take two seconds of work before the first question, more
 * than most files ask of it: so files share a process, one after the other, each with a database of its own.
 * `node --test <file>` runs one by itself.
 */

interface Wing {
  readonly files: readonly string[]
  /** A process each, and first, the longest before all: whatever shares a process with them would wait. */
  readonly long: readonly string[]
  /** Files in a process. */
  readonly together: number
  /** Processes at once. */
  readonly abreast: number
  /** Milliseconds a test may take. */
  readonly longest: number
  /** Afterwards, one at a time: what measures, or takes a whole machine. */
  readonly alone: readonly string[]
}

const wings: Readonly<Record<string, Wing>> = {
  house: {
    files: [
      'server/**/*.test.ts',
      'desk/*.test.ts',
      'desk/source/**/*.test.ts',
      'sdk/*.test.ts',
      'test/*.test.ts',
      'test/{spec,mcp}/*.test.ts',
      'chaos/**/*.test.ts',
      'scale/**/*.test.ts',
    ],
    long: [
      'test/push-network.test.ts',
      'server/commands/commands.test.ts',
      'test/accounts-enumeration.test.ts',
      'server/features/pieces/search/filing-processes.test.ts',
      'test/snippets.test.ts',
      'test/backup-damage.test.ts',
      'test/backup.test.ts',
      'test/push.test.ts',
      'test/spec/accounts.test.ts',
      'test/pull.test.ts',
      'test/push-many.test.ts',
      'test/accounts-guessing.test.ts',
      'server/features/pieces/search/filing-keeper.test.ts',
      'test/edge-cache.test.ts',
      'test/sdk-drafts.test.ts',
      'test/nasty-sockets.test.ts',
      'test/running.test.ts',
      'server/platform/http/deaf-readers.test.ts',
      'server/platform/picture/drawer.test.ts',
    ],
    together: 8,
    abreast: 4,
    longest: 300_000,
    alone: ['test/alone/*.test.ts'],
  },
  browser: {
    files: ['test/browser/*.test.ts'],
    long: [],
    together: 3,
    abreast: 3,
    longest: 120_000,
    alone: ['test/browser/alone/*.test.ts'],
  },
}

const root = join(import.meta.dirname, '..')
const found = (patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: root, exclude: ['**/node_modules/**'] }).sort()
const placed = (files: readonly string[]): string[] => files.map((file) => join(root, file))

/** A file that runs these, each as a suite of its name; the next begins when the last one is over. */
function sharing(files: readonly string[], path: string): string {
  const addresses = files.map((file) => relative(dirname(path), join(root, file)))
  writeFileSync(
    path,
    `import { after, describe } from 'node:test'

for (const file of ${JSON.stringify(addresses)})
  await new Promise<void>((resolve) =>
    describe(file.replace(/^(\\.\\.\\/)+/, ''), async () => {
      after(() => resolve())
      await import(file)
    }),
  )
`,
  )
  return path
}

/** Those that are not long, in files that each run some of them. */
function shared({ files, long, together }: Wing, folder: string): string[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const others = found(files).filter((file) => !long.includes(file))
  const processes = Math.ceil(others.length / together)
  // Dealt out like cards: neighbours by name are alike in length.
  return Array.from({ length: processes }, (_, at) =>
    sharing(
      others.filter((_, place) => place % processes === at),
      join(folder, `${at + 1}.test.ts`),
    ),
  )
}

async function pass(files: string[], concurrency: number, timeout: number): Promise<boolean> {
  let isGood = files.length > 0
  const tests = run({ files, concurrency, timeout, cwd: root })
  tests.on('test:fail', () => {
    isGood = false
  })
  for await (const line of tests.compose(spec)) process.stdout.write(line)
  return isGood
}

const name = process.argv[2] ?? 'house'
const wing = wings[name]
if (!wing) throw new Error(`There is no ${name}; there are ${Object.keys(wings).join(' and ')}.`)
const isGood =
  (await pass([...placed(wing.long), ...shared(wing, join(root, '.data/tests', name))], wing.abreast, wing.longest)) &&
  (await pass(placed(found(wing.alone)), 1, wing.longest))
process.exitCode = isGood ? 0 : 1
