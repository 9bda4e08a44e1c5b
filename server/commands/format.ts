import { cliTranslator } from '#messages/cli.ts'

/** Sizes and times for people. */

const t = cliTranslator()

export function formatBytes(bytes: number): string {
  const [unit, size] =
    bytes < 1000 ? ['byte', 1] : bytes < 1e6 ? ['kilobyte', 1e3] : bytes < 1e9 ? ['megabyte', 1e6] : ['gigabyte', 1e9]
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  return t.number(bytes / Number(size), { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 })
}

export function formatDuration(seconds: number): string {
  const [unit, length] = seconds < 120 ? ['second', 1] : seconds < 7200 ? ['minute', 60] : ['hour', 3600]
  return t.number(Math.round(seconds / Number(length)), { style: 'unit', unit, unitDisplay: 'long' })
}

/** In UTC, as in logs: `2026-04-01T12:30Z`. */
export const formatMinute = (time: Date): string => `${time.toISOString().slice(0, 16)}Z`

/** Two columns. */
export function printTable(rows: readonly (readonly [label: string, value: string])[], indent = '  '): void {
  const width = Math.max(...rows.map(([label]) => label.length))
  for (const [label, value] of rows) console.log(`${indent}${label.padEnd(width)}  ${value}`)
}
