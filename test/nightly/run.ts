import { execFileSync, spawn } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { figuresIn, type Outcome, type Part, parts, root, writeOutcomes } from './parts.ts'

/**
 * `npm run nightly`: runs every part of parts.ts, one after the other, and writes docs/nightly.md.
 *   --only NAME,NAME    these parts
 *   --list              names them
 *   --table             only writes the table, for parts that are new or gone
 * It goes on after a part that fails, and ends with 1 if there was one.
 */

const { values } = parseArgs({
  options: { only: { type: 'string' }, list: { type: 'boolean' }, table: { type: 'boolean' } },
})
const names = values.only?.split(',')
const unknown = names?.filter((name) => parts.every((part) => part.name !== name)) ?? []
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. npm run nightly -- --list names all parts.`)
  process.exit(2)
}
const chosen = names ? parts.filter(({ name }) => names.includes(name)) : parts

if (values.list)
  for (const { name, command, shows } of chosen) console.log(`${name.padEnd(24)}${command}\n${' '.repeat(24)}${shows}`)
else if (values.table) writeOutcomes(new Map())
else process.exitCode = (await runParts()) ? 0 : 1

async function runParts(): Promise<boolean> {
  const outcomes = new Map<string, Outcome>()
  for (const part of chosen) {
    console.log(`\n== ${part.name}: ${part.command}`)
    const outcome = await runPart(part)
    outcomes.set(part.name, outcome)
    writeOutcomes(outcomes)
    console.log(`== ${part.name}: ${outcome.outcome}; ${outcome.figures}`)
  }
  console.log(`\n${[...outcomes].map(([name, { outcome }]) => `${name.padEnd(24)}${outcome}`).join('\n')}`)
  return [...outcomes.values()].every(({ outcome }) => outcome === 'holds')
}

async function runPart({ command }: Part): Promise<Outcome> {
  const commit = commitNow()
  const load = loadavg()[0]!
  const began = performance.now()
  const { code, printed } = await run(command)
  const cannot = /not on this machine|which takes root|command not found/.test(printed)
  return {
    outcome: code === 0 ? 'holds' : cannot ? 'could not run' : 'does not hold',
    figures: [figuresIn(printed), load > availableParallelism() ? `machine busy, load ${load.toFixed(0)}` : '']
      .filter(Boolean)
      .join('; '),
    took: (performance.now() - began) / 1000,
    date: new Date().toISOString().slice(0, 10),
    commit,
  }
}

/** With the repository's own Node first in PATH, as npm does. */
function run(command: string): Promise<{ code: number | null; printed: string }> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  }
  // node:test sets this for nested runs; here each run is separate.
  delete env['NODE_TEST_CONTEXT']
  const child = spawn('bash', ['-c', command], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const [stream, screen] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      screen.write(text)
    })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, printed })))
}

function commitNow(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', ':!docs/nightly.md', ':!labs/bench/results.json') !== ''
  return git('rev-parse', '--short', 'HEAD') + (isChanged ? '+' : '')
}
