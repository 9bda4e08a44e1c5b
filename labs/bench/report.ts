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

\`npm run bench\` (\`-- --million\` for the last column) and, for search, \`npm run bench:search\` fill the sites, measure, write this page and keep the figures in labs/bench/results.json. [Nightly runs](nightly.md) shows when each was last run.
Machine: ${machine()}; shared and noisy, so ratios and buffers are more reliable than milliseconds. The benchmarks use their own PostgreSQL: ${settings}; everything else at its default.

![Chart of the same figures](performance.svg)

${tables(results)}
## How it was measured

- **Search** calls \`findPieces\`, which every surface uses, with the default settings, against PostgreSQL over loopback, one query at a time: each once to warm up, then three times, of which the median counts. Queries are drawn from classes, with more of the common and the hard ones, using a new seed for each published run; some are within a category. A long passage has 20 to 200 characters. For a class of fewer than a hundred queries, the p99 is its slowest. Shared buffers are PostgreSQL's own count for the whole search, including catalogues and decompressed bodies. *Partial* is the share that exceeded the budget of 500 ms and said so.
- **Pieces** are generated (server/seed) from words and word pairs with the frequencies of real English, with names, numbers, addresses, code and passages in other scripts; 4.3 kB per body, topics that cluster, 5 % with Chinese, Japanese or Korean. Real prose will differ. Before 2026-11-17, the pieces of all parts except search were generated from 81,000 word forms with Zipf frequencies, equally long and with as much markup.
- **Reads**: the server runs on one core; the load generator (wrk, 32 connections), PostgreSQL and pgbench on the other. Ours with default settings (logs, metrics, rate limits, shedding, ETag, validation), the bare handler (Fastify, pg, the same statement, presenter and serialiser, and nothing else) and constant bytes are measured in turn; figures are medians of the rounds. *Ratio* is the median of ours to bare, round by round. A search of pieces runs several statements that depend on each other, so it has no bare handler and no pgbench figure.
- **Drafts**: \`POST /api/v1/pieces\` with bodies of 4.3 kB and default settings (key looked up for each request, validation, limits, row security, revision stored, logs and metrics), compared with a Fastify handler that parses the body and runs the same INSERT as the owner of the table, and nothing else; both flush each commit (\`fsync\`, \`synchronous_commit\` on).
- **Feeds and pages** with default settings, uncompressed, compared with a Fastify handler that runs the same prepared statements and then sends stored bytes. A process caches about eighty feeds; requests for more authors than that, in turn, generate each feed again.
- **Reads while reads are counted**: pieces through the API and as pages in turn, 100 a second, and hits, 2,000 a second, each sent on schedule, by one process on the other core together with PostgreSQL.
- **Tools**: each tool and its REST route in turn, with the same queries, two connections, pieces of 4 to 6 kB of HTML; the figure is the processor time that the kernel counts for the server process. A tool's response contains the body twice, as an object and as text.
- **Webhooks**: \`standfirst worker\` with default settings (signing, address checks, a connection for each attempt, delivery log, metrics), receivers with bare sockets in a thread of the benchmark, and PostgreSQL, all on the same two cores. Undici sends the same number of bytes as often, 64 at once, in turn with ours: with a new connection for each request, as ours has by design, and with kept connections. The time to the first attempt starts when the publication's transaction is complete except for the commit itself, and ends when the whole request has arrived. *Failing* servers refuse (25) or accept the request and never respond (25); in the other rounds, all hundred work and the same stream is published.
- **Buffers**: \`explain (analyze, buffers)\` of the product's statements, the maximum of 100 draws.
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
      ? [`${source.date} at ${source.commit}${part === 'search' ? `, queries of seed ${source.rng}` : ''}`]
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
  return `## Shared buffers of the other reads\n\nMeasured ${measuredOn(results, 'buffers')}.\n\n${head(['read', ...sizes.map((size) => fixed(size)), 'target'])}${rows.join('')}`
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
  return `## Requests a second\n\nAt ${fixed(size)} pieces, one server process on one core. Measured ${measuredOn(results, 'http')}. The target is 0.75 of the bare handler for one piece and for recent.\n\n${head(columns)}${rows.join('')}`
}

function creatingTable(results: Results, sizes: readonly number[]): string {
  return comparedTable(results, sizes, 'creating', ['act', 'ours, a second', 'bare INSERT', 'ratio to it'], {
    title: 'Drafts created a second',
    how: 'one server process on one core, every commit flushed to disk',
    bar: 'The target is 0.60 of the bare INSERT.',
  })
}

function faceTable(results: Results, sizes: readonly number[]): string {
  return comparedTable(results, sizes, 'face', ['address', 'ours, a second', 'stored bytes', 'ratio to it'], {
    title: 'Feeds and pages a second',
    how: 'one server process on one core',
    bar: 'The target is 0.60 of the handler that sends stored bytes.',
  })
}

function toolTable(results: Results, sizes: readonly number[]): string {
  const size = sizes.find((one) => results[one]?.tools)
  const tools = size === undefined ? [] : (results[size]?.tools ?? [])
  if (size === undefined || tools.length === 0) return ''
  const rows = tools.map(({ name, rest, tool, ratio }) => row([name, fixed(rest), fixed(tool), fixed(ratio, 2)]))
  const all = fixed(median(tools.map(({ ratio }) => ratio)), 2)
  return `## Tools compared with REST\n\nAt ${fixed(size)} pieces, processor time of the server process per request. Measured ${measuredOn(results, 'tools')}. The target is 1.5 times the REST request for the median of the five: ${all}.\n\n${head(['tool', 'REST, µs', 'tool, µs', 'ratio'])}${rows.join('')}`
}

function pixelTable(results: Results, sizes: readonly number[]): string {
  const size = sizes.find((one) => results[one]?.pixel)
  const pixel = size === undefined ? undefined : results[size]?.pixel
  if (size === undefined || !pixel) return ''
  const { rate, seconds, hits, counted, quiet, loaded } = pixel
  const rows = [
    row(['reads only', fixed(quiet.p50, 1), fixed(quiet.p99, 1)]),
    row(['with the hits', fixed(loaded.p50, 1), fixed(loaded.p99, 1)]),
  ]
  return `## Reads while reads are counted\n\nAt ${fixed(size)} pieces, one server process on one core: ${fixed(rate)} hits of the pixel a second for ${seconds} s, each from another reader; ${fixed(counted)} of ${fixed(hits)} were counted. Measured ${measuredOn(results, 'pixel')}. The target is twice the p99 of reads only, with every hit counted.\n\n${head(['100 reads a second', 'p50, ms', 'p99, ms'])}${rows.join('')}`
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
