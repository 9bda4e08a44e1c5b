import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { costs } from './costs.ts'
import { assumed, limits, machinesFor, sizes } from './needs.ts'
import { drawEngines, drawLimits, inWords, rounded } from './pictures.ts'

/** The tables of docs/scale.md, by heading. */

const figure = /^[\d.,]+( million| billion)?$/

/** Right-aligns columns of figures. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = head.map((_, at) => (rows.every((row) => figure.test(row[at]!)) ? '---:' : '---'))
  return [head, lines, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function plan(): string {
  const made = sizes.map(machinesFor)
  const row = (name: string, figure: (at: number) => number | string): string[] => [
    name,
    ...sizes.map((_, at) => {
      const value = figure(at)
      return typeof value === 'string' ? value : rounded(value)
    }),
  ]
  const need = (name: string, pick: (needs: (typeof made)[number]['needs']) => number) =>
    row(name, (at) => pick(made[at]!.needs))
  return table(
    ['', ...sizes.map(({ pieces }) => `${inWords(pieces)} pieces`)],
    [
      row('reads a second', (at) => sizes[at]!.reads),
      row('searches a second', (at) => sizes[at]!.searches),
      row('publications a second', (at) => sizes[at]!.publications),
      row('saves a second', (at) => sizes[at]!.publications * assumed.saves.value),
      need('answered by the edge, %', ({ hits }) => hits * 100),
      need('reads that reach the servers, a second', ({ origin }) => origin),
      need('counted pixels, a second', ({ pixels }) => pixels),
      need('edge, cores', ({ edgeCores }) => edgeCores),
      need('servers, cores', ({ serverCores }) => serverCores),
      need('PostgreSQL: reads, cores', ({ readCores }) => readCores),
      need('PostgreSQL: searches, cores', ({ searchCores }) => searchCores),
      need('PostgreSQL: saves and publications, cores', ({ writeCores }) => writeCores),
      need('worker, cores', ({ workerCores }) => workerCores),
      need('database, GB', ({ databaseGigabytes }) => databaseGigabytes),
      need('of which search, GB', ({ searchGigabytes }) => searchGigabytes),
      need('of which history, GB', ({ historyGigabytes }) => historyGigabytes),
      need('WAL, MB a second', ({ wal }) => wal),
      need('archive, GB', ({ archiveGigabytes }) => archiveGigabytes),
      need('restoring the archive, hours, as one shard', ({ restoreHours }) => restoreHours),
      need('reindexing everything, hours of a core', ({ indexingHours }) => indexingHours),
      row('database shards', (at) => made[at]!.shards),
      row('machines for search', (at) => made[at]!.searchGroups * made[at]!.searchCopies),
      row('price per month', (at) => made[at]!.price),
    ],
  )
}

const limitTable = (): string =>
  table(
    ['limit', 'pieces', 'reads a second', 'next step'],
    limits().map(({ name, pieces, then }) => [name, inWords(pieces), inWords(pieces / 1_000), then]),
  )

const costTable = (): string =>
  table(
    ['operation', 'cost', 'unit', 'source', 'command'],
    Object.values(costs).map(({ what, value, unit, source, command }) => [
      what,
      rounded(value),
      unit,
      source === 'docs/scale.md' ? 'here' : `[${source.slice(5)}](${source.slice(5)})`,
      `\`${command}\``,
    ]),
  )

const assumedTable = (): string =>
  table(
    ['assumption', 'value'],
    Object.values(assumed).map(({ what, value }) => [what, value.toLocaleString('en')]),
  )

const tables: Readonly<Record<string, () => string>> = {
  'What it needs': plan,
  'Where the limits are': limitTable,
  'What each operation costs': costTable,
  Assumptions: assumedTable,
}

const firstTable = (heading: string): RegExp => new RegExp(`(^## ${heading}\\n[\\s\\S]*?\\n\\n)((?:\\|.*\\n)+)`, 'm')

/** The page with its tables calculated again. */
export function withTables(page: string): string {
  return Object.entries(tables).reduce((all, [heading, draw]) => {
    const place = firstTable(heading)
    if (!place.test(all)) throw new Error(`docs/scale.md has no table under "${heading}"`)
    return all.replace(place, (_, before: string) => `${before}${draw()}\n`)
  }, page)
}

/** `npm run scale -- plan`: writes docs/scale.md and its drawings from the measured costs. */

const docs = (name: string): string => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url))

/** The expected contents of the files in docs/. */
export function drawn(): ReadonlyMap<string, string> {
  return new Map([
    [docs('scale.md'), withTables(readFileSync(docs('scale.md'), 'utf8'))],
    [docs('scale-engines.svg'), drawEngines()],
    [docs('scale-limits.svg'), drawLimits()],
  ])
}

export async function drawPlan(): Promise<boolean> {
  for (const [file, text] of drawn()) writeFileSync(file, text)
  console.log('docs/scale.md, docs/scale-engines.svg and docs/scale-limits.svg are drawn.')
  return true
}
