import { limits, type Machines, machinesFor, type Size, sizes } from './needs.ts'

/** What the drawings share: text, and a look that is light or dark by itself, as docs/performance.svg has it. */

const width = 560

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const label = (x: number, y: number, text: string, kind = '', anchor = 'start'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${kind && ` class="${kind}"`}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escaped(text)}</text>`

const style = `
text { font: 14px system-ui, sans-serif; fill: #222 } .title { font-weight: 600; font-size: 15px } .quiet { fill: #666; font-size: 12px }
.strong { font-weight: 600 } .grid { stroke: #ddd } .box { fill: #faf8f4; stroke: #b8b2a8 } .one { fill: none; stroke: #b8b2a8; stroke-dasharray: 4 3 }
.flow { stroke: #3d5a80; fill: none; stroke-width: 1.5 } .tip { fill: #3d5a80 } .mark { fill: #a4161a } .aim { stroke: #a4161a; stroke-width: 3 }
@media (prefers-color-scheme: dark) { text { fill: #e8e4dc } .quiet { fill: #a09a90 } .grid { stroke: #444 } .box { fill: #26241f; stroke: #6b655b } .one { stroke: #6b655b }
.flow { stroke: #8fb3dd } .tip { fill: #8fb3dd } .mark { fill: #f08080 } .aim { stroke: #f08080 } }
`

const svg = (height: number, name: string, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(name)}">
<style>${style}</style>
${body}</svg>
`

/** From one point to another, straight, with its tip at the end. */
function arrow(x1: number, y1: number, x2: number, y2: number): string {
  const length = Math.hypot(x2 - x1, y2 - y1)
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length]
  const [bx, by] = [x2 - dx * 8, y2 - dy * 8]
  const tip = `${x2},${y2} ${(bx - dy * 4).toFixed(1)},${(by + dx * 4).toFixed(1)} ${(bx + dy * 4).toFixed(1)},${(by - dx * 4).toFixed(1)}`
  return `<line class="flow" x1="${x1}" y1="${y1}" x2="${bx.toFixed(1)}" y2="${by.toFixed(1)}"/><polygon class="tip" points="${tip}"/>`
}

/** Where each limit lies on the way from ten thousand pieces to ten billion, tenfold from line to line. */

const [first, last] = [4, 10]
const top = 58
const row = 40
const inset = 20
const place = (pieces: number): number => inset + ((Math.log10(pieces) - first) / (last - first)) * (width - 2 * inset)

const spelled = (pieces: number): string =>
  pieces >= 1e9 ? `${pieces / 1e9} bn` : pieces >= 1e6 ? `${pieces / 1e6} m` : `${pieces / 1e3} k`
export const inWords = (pieces: number): string =>
  pieces >= 1e9
    ? `${rounded(pieces / 1e9)} billion`
    : pieces >= 1e6
      ? `${rounded(pieces / 1e6)} million`
      : rounded(pieces)

export function drawLimits(): string {
  const known = limits()
  const bottom = top + known.length * row
  const grid = Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at)).map((pieces) => {
    const x = place(pieces).toFixed(1)
    return (
      `<line class="grid" opacity=".45" x1="${x}" x2="${x}" y1="${top - 8}" y2="${bottom}"/>` +
      label(Number(x), top - 16, spelled(pieces), 'quiet', 'middle')
    )
  })
  const marks = known.map(({ name, pieces, then }, at) => {
    const y = top + at * row + 20
    const x = place(pieces)
    const onLeft = x < width / 2
    const words = (dy: number, text: string, kind: string) =>
      label(onLeft ? x + 12 : x - 12, y + dy, text, kind, onLeft ? 'start' : 'end')
    return (
      `<g><title>${escaped(`${name}: ${inWords(pieces)} pieces. Then: ${then}`)}</title>` +
      `<circle class="mark" cx="${x.toFixed(1)}" cy="${y}" r="5"/>` +
      words(-2, `${name}`, '') +
      words(14, `${inWords(pieces)} · ${then}`, 'quiet') +
      '</g>'
    )
  })
  const end = place(100_000_000).toFixed(1)
  const aim = `<line class="aim" x1="${end}" x2="${end}" y1="${top - 12}" y2="${top + 4}"/>`
  const title =
    label(0, 18, 'Limits of growth, in pieces', 'title') + label(width, 18, 'this plan ends at 100 m', 'quiet', 'end')
  return svg(bottom + 8, 'Where each limit is, on a logarithmic scale', [title, ...grid, aim, ...marks].join('\n'))
}

/** Which engine carries what at each size, and what flows between them. */

const box = { width: 132, height: 62 }
/** Space at the edges for the boxes drawn behind a box. */
const margin = 10
const columns = [1, (width - margin - box.width) / 2, width - margin - box.width] as const
const rows = [46, 156] as const
const panel = 262

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
    : ([hasEdge ? 'on the replicas' : 'with the database', `${rounded(needs.searchGigabytes)} GB`] as const)
  const record = !hasEdge
    ? 'one node'
    : machines.shards === 1
      ? 'primary, 2 replicas'
      : `${rounded(machines.shards)} shards of 3`
  return [
    label(0, 16, `${inWords(pieces)} pieces: ${size.name}`, 'title'),
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
    engine(0, 1, machines.shards, 'Archive', 'pgBackRest', `restored in ${backIn(machines)}`),
    engine(1, 1, hasEdge ? 3 * machines.shards : 1, 'PostgreSQL', record, `${rounded(needs.databaseGigabytes)} GB`),
    engine(2, 1, machines.workers, 'Worker', count(machines.workers, 'process', 'processes'), 'index, purge, send'),
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
  const name = `Engines and flows of a site of ${sizes.map(({ pieces }) => inWords(pieces)).join(', ')} pieces`
  return svg(sizes.length * panel - 16, name, panels.join('\n'))
}

/** Rounds to two significant digits. */
export function rounded(value: number): string {
  if (value === 0) return '0'
  const places = Math.floor(Math.log10(Math.abs(value)))
  const step = 10 ** (places - 1)
  const near = Math.round(value / step) * step
  return near.toLocaleString('en', { maximumFractionDigits: Math.max(0, 1 - places) })
}
