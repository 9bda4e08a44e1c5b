import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Part, parts, root } from './parts.ts'

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

What is timed, statistical or long does not decide about a change: it would measure the machine. \`npm run nightly\` runs all of it, one part after the other, and writes the table below; \`npm run nightly -- --only walks,scale-fresh\` runs some parts and \`-- --list\` names them all. It goes on after a part that fails and ends with 1 if there was one. A row says when its part was last run and at which commit: a \`+\` marks changes that are in no commit, and a part that has no date was not run yet. A part that needs an engine which is missing says so; \`sudo bash .ci/engines\` installs them. Figures want a machine that does nothing else; a row says where it had other work.

How these figures are made is in [Performance](performance.md), [Chaos](chaos.md) and [Growth on paper](scale.md).
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
