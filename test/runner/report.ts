import { relative } from 'node:path'
import type { run } from 'node:test'
import { inspect } from 'node:util'

interface Result {
  readonly failed: number
  /** Milliseconds of each test file. */
  readonly durations: ReadonlyMap<string, number>
}

/** Prints a line for each test file when it is over and every failure at once, then the counts. */
export async function report(stream: ReturnType<typeof run>, root: string): Promise<Result> {
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
      console.log(`✖ ${name} (${relative(root, file ?? '')}:${line})\n${indented(inspect(error?.cause ?? error))}`)
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

const indented = (text: string): string => text.replace(/^/gm, '    ')
