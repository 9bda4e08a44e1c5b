import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median } from '../../testkit/measure.ts'
import { drawChart } from './chart.ts'
import { clusterSettings } from './cluster.ts'
import { machine } from './http.ts'
import { peersSection } from './peers/report.ts'
import type { Results, SizeResults, Source } from './results.ts'
import { searchesOf, searchSection } from './search-report.ts'
import { webhooksSection } from './webhooks.ts'

const resultsFile = fileURLToPath(new URL('./results.json', import.meta.url))
const pageFile = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
const chartFile = fileURLToPath(new URL('../../docs/performance.svg', import.meta.url))

export function keep(pieces: number, measured: Omit<SizeResults, 'sources'>, source: Source): void {
  const results: Results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {}
  const before = results[pieces] ?? {}
  const today = new Date().toISOString().slice(0, 10)
  const parts = Object.keys(measured).map((part) => [part, { date: today, ...source }])
  const sources = { ...before.sources, ...Object.fromEntries(parts) }
  const after = { ...results, [pieces]: { ...before, ...measured, sources } }
  writeFileSync(resultsFile, `${JSON.stringify(after, null, 2)}\n`)
  writeFileSync(pageFile, page(after))
  writeFileSync(chartFile, drawChart(after))
  console.log(tables({ [pieces]: { ...measured, sources } }))
}

function page(results: Results): string {
  const settings = Object.entries(clusterSettings)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
  return `# Performance

Written by \`npm run bench\` (\`-- --million\` for the last column) and, of search, by \`npm run bench:search\`, which fill the sites, ask, and keep the figures in labs/bench/results.json. [Nightly runs](nightly.md) tells when each was last run.
Machine: ${machine()}; shared and noisy: trust ratios and buffers more than milliseconds. PostgreSQL of the bench's own: ${settings}; everything else at its default.

![The same figures, drawn](performance.svg)

${tables(results)}
## How it was measured

- **Search**: \`findPieces\`, by which every surface searches, on a connection as shipped, against PostgreSQL over loopback, one question at a time: each once to warm, then three times, of which the median counts. Questions are drawn by class, more of them of what people ask and of what is hard, by a number that is new for the run that is published; some are within a category. A long passage has 20 to 200 characters. A class of fewer than a hundred has its slowest as its p99. Shared buffers are PostgreSQL's own count of all that a search took, catalogues and unpacked bodies included. *Partial* is the share that ran into the budget of 500 ms and said so.
- **Pieces** are made (server/seed) of words and pairs of words as real English has them, with names, numbers, addresses, code and passages in other scripts; 4.3 kB a body, topics that cluster, 5 % with Chinese, Japanese or Korean. Real prose will differ. Before 2026-11-17 the pieces of all parts but search were made of 81,000 word forms by Zipf, as long and with as much markup.
- **Reads**: server on one core; generator (wrk, 32 connections), PostgreSQL and pgbench on the other; ours as shipped (logs, metrics, rate limits, shedding, ETag, validation on), the bare handler (Fastify, pg, the same statement, presenter and serialiser, and nothing else) and constant bytes in turn, medians over the rounds. *Ratio* is the median of ours to bare, round by round. A search of pieces is several statements chosen as it goes, so it has no bare twin and no pgbench line.
- **Drafts**: \`POST /api/v1/pieces\` with bodies of 4.3 kB as shipped (the key looked up for each request, validation, limits, row security, the revision kept, logs and metrics on) beside a Fastify handler that parses the body and runs the same INSERT as the owner of the table, and nothing else; both flush each commit (\`fsync\`, \`synchronous_commit\` on).
- **Feeds and pages** as shipped, uncompressed, beside a Fastify handler that asks the same prepared statements and then sends bytes it has stored. A process keeps some eighty feeds as it wrote them; the feeds of more authors than that, asked in turn, are written anew each time.
- **Reads while reads are counted**: pieces by the API and as pages in turn, 100 a second, and the hits, 2,000 a second, each sent when its time has come, by one program on the other core with PostgreSQL.
- **Tools**: each mirrored tool and its REST route in turn, the same questions, two connections, pieces of 4 to 6 kB of HTML; measured is what the kernel counts for the server process. A tool's answer carries the body twice, as an object and as text.
- **Webhooks**: \`standfirst worker\` as shipped (signing, guard, a connection for each attempt, the log kept, metrics on), receivers by bare sockets in a thread of the bench, PostgreSQL beside them, all on the same two cores. Undici sends as many bytes as often, 64 at once, in turn with ours: over a fresh connection for each, as ours are by design, and over connections it keeps. The time to the first attempt runs from the end of the publication's transaction, all done but the commit itself, to when the request is there whole. Servers that are *sick* refuse (25) or take the request and never answer (25); in the other rounds the same hundred are well and the same stream is published.
- **Buffers**: \`explain (analyze, buffers)\` of the shipped statements, the most over 100 draws.
`
}

const fixed = (value: number | undefined, digits = 0): string =>
  value === undefined
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

function tables(results: Results): string {
  const sizes = Object.keys(results)
    .map(Number)
    .sort((a, b) => a - b)
  return [
    searchTable,
    buffersTable,
    httpTable,
    creatingTable,
    faceTable,
    pixelTable,
    toolTable,
    webhooksTable,
    peersTable,
    seedingTable,
  ]
    .map((table) => table(results, sizes))
    .filter(Boolean)
    .join('\n')
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
const head = (cells: readonly string[]): string =>
  row(cells) + row(cells.map((_, index) => (index === 0 ? '---' : '---:')))
const measuredOn = (results: Results, part: string): string => {
  const sourcesList = Object.values(results).flatMap(({ sources }) => {
    const source = sources?.[part]
    return source
      ? [`${source.date} at ${source.commit}${part === 'search' ? `, questions of seed ${source.rng}` : ''}`]
      : []
  })
  return [...new Set(sourcesList)].join('; ')
}

function searchTable(results: Results, sizes: readonly number[]): string {
  const measured = searchesOf(results, sizes)
  return measured.length > 0 ? searchSection(measured, measuredOn(results, 'search'), { fixed, head, row }) : ''
}

function buffersTable(results: Results, all: readonly number[]): string {
  const sizes = all.filter((size) => results[size]?.buffers)
  const first = results[sizes[0] ?? '']?.buffers ?? []
  if (first.length === 0) return ''
  const rows = first.map(({ name, bar }) =>
    row([
      name,
      ...sizes.map((size) => fixed(results[size]?.buffers?.find((one) => one.name === name)?.buffers)),
      bar === undefined ? '' : `at most ${bar}`,
    ]),
  )
  return `## Shared buffers of the other reads\n\nMeasured ${measuredOn(results, 'buffers')}.\n\n${head(['read', ...sizes.map((size) => fixed(size)), 'bar'])}${rows.join('')}`
}

function httpTable(results: Results, all: readonly number[]): string {
  const size = all.find((one) => results[one]?.http)
  if (size === undefined) return ''
  const rows = (results[size]?.http ?? []).map((one) =>
    row([
      one.name,
      fixed(one.ours),
      fixed(one.bare),
      one.ratio === undefined ? '' : fixed(one.ratio, 2),
      fixed(one.ours / one.constant, 2),
      fixed(one.database),
    ]),
  )
  const columns = [
    'read',
    'ours, a second',
    'bare handler',
    'ratio to it',
    'ratio to constant bytes',
    'pgbench, a second',
  ]
  return `## Requests a second\n\nAt ${fixed(size)} pieces, one server process on one core. Measured ${measuredOn(results, 'http')}. The bar is 0.75 of the bare handler for one piece and for recent.\n\n${head(columns)}${rows.join('')}`
}

function creatingTable(results: Results, sizes: readonly number[]): string {
  return comparedTable(results, sizes, 'creating', ['act', 'ours, a second', 'bare INSERT', 'ratio to it'], {
    title: 'Drafts created a second',
    how: 'one server process on one core, every commit flushed to disk',
    bar: 'The bar is 0.60 of the bare INSERT.',
  })
}

function faceTable(results: Results, sizes: readonly number[]): string {
  return comparedTable(results, sizes, 'face', ['address', 'ours, a second', 'stored bytes', 'ratio to it'], {
    title: 'Feeds and pages a second',
    how: 'one server process on one core',
    bar: 'The bar is 0.60 of the handler that sends stored bytes.',
  })
}

function toolTable(results: Results, sizes: readonly number[]): string {
  const size = sizes.find((one) => results[one]?.tools)
  const tools = size === undefined ? [] : (results[size]?.tools ?? [])
  if (size === undefined || tools.length === 0) return ''
  const rows = tools.map(({ name, rest, tool, ratio }) => row([name, fixed(rest), fixed(tool), fixed(ratio, 2)]))
  const all = fixed(median(tools.map(({ ratio }) => ratio)), 2)
  return `## Tools beside REST\n\nAt ${fixed(size)} pieces, processor time of the server process for a request. Measured ${measuredOn(results, 'tools')}. The bar is 1.5 times the REST request, by the median of the five: ${all}.\n\n${head(['tool', 'REST, µs', 'tool, µs', 'ratio'])}${rows.join('')}`
}

function pixelTable(results: Results, sizes: readonly number[]): string {
  const size = sizes.find((one) => results[one]?.pixel)
  const pixel = size === undefined ? undefined : results[size]?.pixel
  if (size === undefined || !pixel) return ''
  const { rate, seconds, hits, counted, quiet, loaded } = pixel
  const rows = [
    row(['reads alone', fixed(quiet.p50, 1), fixed(quiet.p99, 1)]),
    row(['beside the hits', fixed(loaded.p50, 1), fixed(loaded.p99, 1)]),
  ]
  return `## Reads while reads are counted\n\nAt ${fixed(size)} pieces, one server process on one core: ${fixed(rate)} hits of the pixel a second for ${seconds} s, each by another reader; ${fixed(counted)} of ${fixed(hits)} were counted. Measured ${measuredOn(results, 'pixel')}. The bar is twice the p99 of reads alone, and every hit counted.\n\n${head(['100 reads a second', 'p50, ms', 'p99, ms'])}${rows.join('')}`
}

const webhooksTable = (results: Results): string => {
  const measured = results[0]?.webhooks
  return measured ? webhooksSection(measured, measuredOn(results, 'webhooks'), { fixed, head, row }) : ''
}

const peersTable = (results: Results, sizes: readonly number[]): string => {
  const measured = sizes.map((size) => results[size]?.peers).find(Boolean)
  return measured ? peersSection(measured, measuredOn(results, 'peers'), { fixed, head, row }) : ''
}

/** Our server compared with the bare one, at the smallest size measured. */
function comparedTable(
  results: Results,
  sizes: readonly number[],
  part: 'creating' | 'face',
  columns: readonly string[],
  { title, how, bar }: { readonly title: string; readonly how: string; readonly bar: string },
): string {
  const size = sizes.find((one) => results[one]?.[part])
  if (size === undefined) return ''
  const rows = (results[size]?.[part] ?? []).map((one) =>
    row([one.name, fixed(one.ours), fixed(one.bare), fixed(one.ratio, 2)]),
  )
  return `## ${title}\n\nAt ${fixed(size)} pieces, ${how}. Measured ${measuredOn(results, part)}. ${bar}\n\n${head(columns)}${rows.join('')}`
}

function seedingTable(results: Results, all: readonly number[]): string {
  const sizes = all.filter((size) => results[size]?.seeding)
  if (sizes.length === 0) return ''
  const rows = sizes.map((size) =>
    row([fixed(size), fixed(results[size]?.seeding?.rowSeconds), fixed(results[size]?.seeding?.indexSeconds)]),
  )
  return `## Seeding\n\n${head(['pieces', 'rows, s', 'indexes and statistics, s'])}${rows.join('')}`
}
