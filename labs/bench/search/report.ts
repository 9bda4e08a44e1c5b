import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Percentiles } from '../../../testkit/measure.ts'
import type { Attack } from './adversary.ts'
import type { Build, Size } from './build.ts'
import type { Contention } from './contention.ts'
import { type ClassCost, type Cost, everything, limits, type QueryCost } from './cost.ts'
import type { Exactness } from './exactness.ts'
import type { Publishing } from './publishing.ts'
import { dataFile } from './site.ts'

/** What was measured in a site of one size. Each step of the bench stores its part. */
export interface Results {
  readonly load?: { readonly seconds: Readonly<Record<string, number>> }
  readonly build?: Build
  readonly sizes?: readonly Size[]
  readonly exact?: Exactness
  readonly cost?: Cost
  readonly adversary?: readonly Attack[]
  readonly contention?: Contention
  readonly publishing?: Publishing
  /** When each part was measured, with which code and which seed of the queries. */
  readonly sources?: Readonly<Record<string, Source>>
}

interface Source {
  readonly at: string
  readonly commit: string
  readonly seed: number
}

const fileOf = (pieces: number): string => dataFile(`${pieces}.json`)

export const readResults = (pieces: number): Results =>
  existsSync(fileOf(pieces)) ? JSON.parse(readFileSync(fileOf(pieces), 'utf8')) : {}

export function storeResults(pieces: number, measured: Omit<Results, 'sources'>, source: Omit<Source, 'at'>): void {
  const before = readResults(pieces)
  const at = new Date().toISOString()
  const sources = Object.fromEntries(Object.keys(measured).map((part) => [part, { at, ...source }]))
  const after: Results = { ...before, ...measured, sources: { ...before.sources, ...sources } }
  writeFileSync(fileOf(pieces), `${JSON.stringify(after, null, 1)}\n`)
}

type Cell = string | number

const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const whole = (value: number): string => Math.round(value).toLocaleString('en')
const short = (value: number): string => (value < 10 ? value.toFixed(1) : whole(value))
const four = ({ p50, p95, p99, max }: Percentiles, form: (value: number) => string) => [p50, p95, p99, max].map(form)
/** Escaped for a cell of a table. */
const quoted = (q: string): string => `\`${JSON.stringify(q).replaceAll('|', '\\|').replaceAll('`', 'ˋ')}\``

/** All results of a site of this size, as Markdown, and how they grew from smaller ones. */
export function report(pieces: number): string {
  const results = readResults(pieces)
  const sections: [string, string | undefined][] = [
    ['Building', building(results, pieces)],
    ['What search alone takes', results.sizes && sizesTable(results.sizes, pieces)],
    ['Exactness', exactnessText(results)],
    ...limits.map((limit): [string, string | undefined] => [
      `Cost at limit ${limit}`,
      results.cost && costTable(results.cost, limit),
    ]),
    ['The dearest questions', results.cost && queryTable(results.cost.mostBuffers)],
    ['The slowest questions', results.cost && queryTable(results.cost.slowest)],
    ['The adversary', adversaryTables(results)],
    ['Reads beside searches', contentionTable(results)],
    ['Publishing', publishingTable(results)],
    ['Growth', growth()],
  ]
  const parts = sections.filter(([, text]) => text).map(([title, text]) => `## ${title}\n\n${text}\n`)
  return `# Search among ${whole(pieces)} pieces\n\n${sourcesLine(results)}\n\n${parts.join('\n')}`
}

const sourcesLine = ({ sources = {} }: Results): string =>
  Object.entries(sources)
    .map(([part, { at, commit, seed }]) => `${part}: ${at.slice(0, 16)}, ${commit}, seed ${seed}`)
    .join('; ')

function building({ load, build }: Results, pieces: number): string | undefined {
  if (!load && !build) return undefined
  const loaded = Object.values(load?.seconds ?? {}).reduce((sum, one) => sum + one, 0)
  const steps = Object.entries(build?.steps ?? {}).map(
    ([name, { count, seconds, longest }]) =>
      `${name} ${count} × (${whole(seconds)} s, the longest ${longest.toFixed(1)} s)`,
  )
  const indexing = build
    ? `${whole(build.seconds)} s, ${whole(pieces / build.seconds)} pieces a second: ${steps.join(', ')}; vacuum ${whole(build.vacuumSeconds)} s.`
    : 'not measured.'
  return `Loading the site: ${whole(loaded)} s. Filing: ${indexing}`
}

function sizesTable(sizes: readonly Size[], pieces: number): string {
  const total = sizes.reduce((sum, { kind, bytes }) => (kind === 'within' ? sum : sum + bytes), 0)
  const large = sizes.filter(({ bytes }) => bytes > total / 1_000)
  const row = (name: string, kind: string, bytes: number) => [
    name,
    kind,
    (bytes / 1e6).toFixed(1),
    whole(bytes / pieces),
  ]
  return table(
    ['', 'kind', 'MB', 'bytes a piece'],
    [...large.map(({ name, kind, bytes }) => row(name, kind, bytes)), row('**all**', '', total)],
  )
}

function exactnessText({ exact }: Results): string | undefined {
  if (!exact) return undefined
  const { questions, searches, hits, partial, differences } = exact
  const list = differences.map(
    ({ class: name, q, category, page, what }) =>
      `- ${name}, ${quoted(q)}${category ? ` in ${category}` : ''}, ${page}: ${what}`,
  )
  return [
    `${whole(questions)} questions, ${whole(searches)} searches, ${whole(hits)} hits: **${differences.length} differences**, ${partial} of them partial.`,
    ...(list.length > 0 ? ['', ...list.slice(0, 50)] : []),
  ].join('\n')
}

function costTable({ classes, unsteady }: Cost, limit: number): string {
  const head = ['', 'questions', 'buffers p50', 'p95', 'p99', 'max', 'ms p50', 'p95', 'p99', 'max', 'partial']
  const rows = classes
    .filter((one) => one.limit === limit)
    .map((one) => [one.class, one.queries, ...four(one.buffers, whole), ...four(one.milliseconds, short), one.partial])
  return `${table(head, rows)}\n\n${unsteady} searches took another number of buffers when asked again.`
}

const queryTable = (queries: readonly QueryCost[]): string =>
  table(
    ['question', 'class', 'category', 'limit', 'matches', 'buffers', 'ms'],
    queries.map(({ q, class: name, category = '', limit, total, buffers, milliseconds }) => [
      quoted(q),
      name,
      category,
      limit,
      whole(total),
      whole(buffers),
      short(milliseconds),
    ]),
  )

function adversaryTables({ adversary }: Results): string | undefined {
  if (!adversary) return undefined
  const [first, later] = [adversary.filter(({ after }) => !after), adversary.filter(({ after }) => after)]
  return `First pages:\n\n${attacksTable(first)}\n\nPages after a cursor of one's own making:\n\n${attacksTable(later)}`
}

const attacksTable = (attacks: readonly Attack[]): string =>
  table(
    ['question', 'kind', 'category', 'limit', 'after', 'hits', 'buffers', 'ms', 'partial', 'tried before'],
    attacks.map(({ q, kind, category = '', limit, after, hits, buffers, milliseconds, partial, tried }) => [
      quoted(q),
      kind,
      category,
      limit,
      after ? `${after.site} ${after.publishedAt.slice(0, 10)}` : '',
      hits,
      whole(buffers),
      short(milliseconds),
      partial ? 'yes' : '',
      tried,
    ]),
  )

function contentionTable({ contention }: Results): string | undefined {
  if (!contention) return undefined
  const { readsPerSecond, searchesPerSecond, seconds, alone, reads, searches } = contention
  const row = (name: string, { requests, milliseconds, errors, partial, late }: typeof alone) => [
    name,
    whole(requests),
    ...four(milliseconds, short),
    Object.entries(errors)
      .map(([what, count]) => `${count} × ${what}`)
      .join(', ') || 'none',
    partial,
    short(late.p99),
  ]
  const lines = table(
    ['', 'requests', 'ms p50', 'p95', 'p99', 'max', 'errors', 'partial', 'sender late, p99'],
    [
      row(`reads alone, ${readsPerSecond}/s`, alone),
      row('reads beside searches', reads),
      row(`searches, ${searchesPerSecond}/s`, searches),
    ],
  )
  const ratio = (share: 'p50' | 'p99') => (reads.milliseconds[share] / alone.milliseconds[share]).toFixed(2)
  return `${lines}\n\n${seconds} s each. Reads beside searches to reads alone: p50 × ${ratio('p50')}, p99 × ${ratio('p99')}.`
}

function publishingTable({ publishing }: Results): string | undefined {
  if (!publishing) return undefined
  const lines = table(
    ['', 'p50', 'p95', 'p99', 'max'],
    [
      ['milliseconds of the transaction', ...four(publishing.milliseconds, short)],
      ['buffers of the transaction', ...four(publishing.buffers, whole)],
      ['milliseconds from the commit until found', ...four(publishing.untilFound, short)],
      ['searches until found', ...four(publishing.searches, whole)],
    ],
  )
  return `${lines}\n\n${publishing.pieces} pieces; ${publishing.stale} still found after they were taken back.`
}

/** Compares the largest measured size with the next smaller one. */
function growth(): string | undefined {
  const measured = [10_000, 100_000, 1_000_000].flatMap((size) => {
    const { cost } = readResults(size)
    return cost ? [{ size, cost }] : []
  })
  if (measured.length < 2) return undefined
  return limits.map((limit) => growthTable(measured, limit)).join('\n\n')
}

function growthTable(measured: readonly { size: number; cost: Cost }[], limit: number): string {
  const [before, last] = measured.slice(-2)
  const of = ({ cost }: { cost: Cost }, name: string): ClassCost | undefined =>
    cost.classes.find((one) => one.class === name && one.limit === limit)
  const head = [
    `buffers at limit ${limit}`,
    ...measured.flatMap(({ size }) => [`p50 at ${whole(size)}`, `p99 at ${whole(size)}`]),
    'p50 ×',
    'p99 ×',
  ]
  const names = last!.cost.classes.filter((one) => one.limit === limit).map((one) => one.class)
  const ratio = (name: string, share: 'p50' | 'p99') => {
    const [small, large] = [of(before!, name), of(last!, name)]
    return small && large ? (large.buffers[share] / small.buffers[share]).toFixed(2) : ''
  }
  const rows = names.map((name) => [
    name === everything ? `**${everything}**` : name,
    ...measured.flatMap((one) => {
      const cost = of(one, name)
      return cost ? [whole(cost.buffers.p50), whole(cost.buffers.p99)] : ['', '']
    }),
    ratio(name, 'p50'),
    ratio(name, 'p99'),
  ])
  return table(head, rows)
}
