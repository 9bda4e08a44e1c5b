import { type Machines, machinesFor } from './machines.ts'
import { arrow, label, svg, width } from './picture.ts'
import { type Size, sizes } from './sizes.ts'
import { rounded } from './tables.ts'

/** Which engine carries what at each size, and what flows between them. */

const box = { width: 132, height: 62 }
/** Room at the edges for what stands behind a box. */
const margin = 10
const columns = [1, (width - margin - box.width) / 2, width - margin - box.width] as const
const rows = [46, 156] as const
const panel = 262

const million = (pieces: number): string => (pieces >= 1e6 ? `${rounded(pieces / 1e6)} million` : rounded(pieces))
const perSecond = (value: number): string => `${rounded(value)}/s`
const count = (value: number, one: string, many = `${one}s`): string => `${rounded(value)} ${value === 1 ? one : many}`

/** One box, and behind it another where there are several, and a third where there are many. */
function engine(column: number, row: number, copies: number, name: string, first: string, second: string): string {
  const [x, y] = [columns[column]!, rows[row]!]
  const middle = x + box.width / 2
  const behind = copies <= 1 ? 0 : copies <= 3 ? 1 : 2
  const stack = Array.from({ length: behind + 1 }, (_, at) => (behind - at) * 4).map(
    (shift) =>
      `<rect class="box" x="${x + shift}" y="${y - shift}" width="${box.width}" height="${box.height}" rx="6"/>`,
  )
  return (
    stack.join('') +
    label(middle, y + 20, name, 'strong', 'middle') +
    label(middle, y + 37, first, 'quiet', 'middle') +
    label(middle, y + 53, second, 'quiet', 'middle')
  )
}

/** Between two neighbours of a row, from the one to the other. */
function across(row: number, from: number, to: number, text: string): string {
  const y = rows[row]! + box.height / 2
  const leftwards = to < from
  const [x1, x2] = leftwards
    ? [columns[from]! - 4, columns[to]! + box.width + 4]
    : [columns[from]! + box.width + 4, columns[to]! - 4]
  return arrow(x1, y, x2, y) + label((x1 + x2) / 2, y - 8, text, 'quiet', 'middle')
}

function panelOf(size: Size, machines: Machines): string {
  const { needs, hasEdge } = machines
  const { pieces, reads, searches, publications } = size
  const down = columns[1] + box.width / 2
  const searchers = machines.searchGroups * machines.searchCopies
  const search = machines.searchGroups
    ? ([
        machines.searchGroups > 2
          ? `${rounded(machines.searchGroups)} by age, ${machines.searchCopies} of each`
          : count(searchers, 'replica'),
        `${rounded(needs.searchGigabytes)} GB in memory`,
      ] as const)
    : ([hasEdge ? 'on the replicas' : 'beside the record', `${rounded(needs.searchGigabytes)} GB`] as const)
  const record = !hasEdge
    ? 'one node'
    : machines.shards === 1
      ? 'primary, 2 replicas'
      : `${rounded(machines.shards)} shards of 3`
  return [
    label(0, 16, `${million(pieces)} pieces: ${size.name}`, 'title'),
    label(
      0,
      33,
      `A second: ${count(reads, 'read')}, ${count(searches, 'search', 'searches')}, ${count(publications, 'publication')}`,
      'quiet',
    ),
    hasEdge
      ? engine(0, 0, machines.edge, 'Edge', count(machines.edge, 'core'), 'Varnish, or a CDN')
      : engine(0, 0, 1, 'No edge', 'or any CDN', 'in front'),
    engine(
      1,
      0,
      machines.servers,
      'Servers',
      count(machines.servers, 'process', 'processes'),
      `${rounded(needs.pixels)} pixels/s`,
    ),
    engine(2, 0, searchers, 'Search', search[0], search[1]),
    engine(0, 1, machines.shards, 'Archive', 'pgBackRest', `back in ${backIn(machines)}`),
    engine(1, 1, hasEdge ? 3 * machines.shards : 1, 'PostgreSQL', record, `${rounded(needs.databaseGigabytes)} GB`),
    engine(2, 1, machines.workers, 'Worker', count(machines.workers, 'process', 'processes'), 'files, purges, posts'),
    hasEdge ? '' : oneMachine(),
    across(0, 0, 1, perSecond(needs.origin + needs.pixels)),
    across(0, 1, 2, perSecond(searches)),
    arrow(down, rows[0] + box.height + 4, down, rows[1] - 4),
    label(down + 10, (rows[0] + rows[1] + box.height) / 2 + 4, `${rounded(needs.origin)} reads/s`, 'quiet'),
    across(1, 1, 0, needs.wal < 1 ? `${rounded(needs.wal * 1000)} kB/s` : `${rounded(needs.wal)} MB/s`),
    across(1, 1, 2, perSecond(publications)),
    `<line class="grid" x1="0" x2="${width}" y1="${panel - 20}" y2="${panel - 20}"/>`,
  ].join('')
}

/** Around all that is on it. */
function oneMachine(): string {
  const [x, y] = [columns[1] - 8, rows[0] - 8]
  return `<rect class="one" x="${x}" y="${y}" width="${columns[2] + box.width + 8 - x}" height="${rows[1] + box.height + 8 - y}" rx="8"/>`
}

/** Shards come back beside each other. */
function backIn({ needs, shards }: Machines): string {
  const hours = needs.restoreHours / shards
  const minutes = hours * 60
  return hours >= 1 ? `${rounded(hours)} h` : minutes >= 1 ? `${rounded(minutes)} min` : `${rounded(minutes * 60)} s`
}

export function drawEngines(): string {
  const panels = sizes.map(
    (size, at) => `<g transform="translate(0 ${at * panel})">${panelOf(size, machinesFor(size))}</g>`,
  )
  const name = `Engines and flows of a site of ${sizes.map(({ pieces }) => million(pieces)).join(', ')} pieces`
  return svg(sizes.length * panel - 16, name, panels.join('\n'))
}
