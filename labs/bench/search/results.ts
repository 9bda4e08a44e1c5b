import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Attack } from './adversary.ts'
import type { Built } from './build.ts'
import type { Beside } from './contention.ts'
import type { Cost } from './cost.ts'
import { kept } from './data-folder.ts'
import type { Exactness } from './exact.ts'
import type { Publishing } from './publishing.ts'
import type { Size } from './sizes.ts'

/** What was measured in a site of so many pieces. Each step keeps its own part, whenever it runs. */
export interface Results {
  readonly load?: { readonly seconds: Readonly<Record<string, number>> }
  readonly build?: Built
  readonly sizes?: readonly Size[]
  readonly exact?: Exactness
  readonly cost?: Cost
  readonly adversary?: readonly Attack[]
  readonly beside?: Beside
  readonly publishing?: Publishing
  /** When, by which code and asked which questions each part was measured. */
  readonly sources?: Readonly<Record<string, Source>>
}

export interface Source {
  readonly at: string
  readonly commit: string
  readonly seed: number
}

const fileOf = (pieces: number): string => kept(`${pieces}.json`)

export const resultsOf = (pieces: number): Results =>
  existsSync(fileOf(pieces)) ? JSON.parse(readFileSync(fileOf(pieces), 'utf8')) : {}

export function keepResults(pieces: number, measured: Omit<Results, 'sources'>, source: Omit<Source, 'at'>): void {
  const before = resultsOf(pieces)
  const at = new Date().toISOString()
  const sources = Object.fromEntries(Object.keys(measured).map((part) => [part, { at, ...source }]))
  const after: Results = { ...before, ...measured, sources: { ...before.sources, ...sources } }
  writeFileSync(fileOf(pieces), `${JSON.stringify(after, null, 1)}\n`)
}
