import { peersPanel } from './peers/report.ts'
import type { Results } from './results.ts'
import { classNames, type SizedSearch, searchesOf } from './search-report.ts'

/**
 * Draws the figures: search by class on a logarithmic scale, reads as shares of the bare handler. Supports light and
 * dark.
 */

const left = 210
const width = 860
const rowHeight = 24
const plot = width - left - 90

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const label = (x: number, y: number, text: string, kind = '', anchor = 'start'): string =>
  `<text x="${x}" y="${y}" class="${kind}" text-anchor="${anchor}">${escaped(text)}</text>`

export function drawChart(results: Results): string {
  const sizes = Object.keys(results)
    .map(Number)
    .sort((a, b) => a - b)
  const search = searchPanel(searchesOf(results, sizes))
  const reads = readsPanel(
    results,
    sizes.find((size) => results[size]?.http),
    search.height,
  )
  const above = search.height + reads.height + 20
  const peers = peersPanel(sizes.map((size) => results[size]?.peers).find(Boolean), above, label)
  const height = above + peers.height
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Search times by class and size, reads beside a bare handler, and reads beside other programs">
<style>
text { font: 13px system-ui, sans-serif; fill: #222 } .title { font-weight: 600; font-size: 15px } .quiet { fill: #666; font-size: 11px }
.grid { stroke: #ddd } .bar { stroke: #a4161a; stroke-dasharray: 4 3 } .s0 { fill: #9aa5b1 } .s1 { fill: #3d5a80 } .s2 { fill: #a4161a }
@media (prefers-color-scheme: dark) { text { fill: #e8e4dc } .quiet { fill: #a09a90 } .grid { stroke: #444 } .bar { stroke: #f08080 } .s0 { fill: #6b7480 } .s1 { fill: #8fb3dd } .s2 { fill: #f08080 } }
</style>
${search.svg}${reads.svg}${peers.svg}</svg>
`
}

interface Panel {
  readonly svg: string
  readonly height: number
}

const everything = 'all questions'
const scale = (ms: number): number => (plot * Math.log10(Math.max(ms, 1))) / 3

function searchPanel(measured: readonly SizedSearch[]): Panel {
  const names = [everything, ...classNames(measured)]
  if (measured.length === 0) return { svg: '', height: 0 }
  const top = 64
  const height = top + names.length * rowHeight + 24
  const grid = [1, 10, 100, 1000]
    .map((ms) => {
      const x = left + scale(ms)
      return `<line class="grid" x1="${x}" x2="${x}" y1="${top - 8}" y2="${height - 20}"/>${label(x, height - 6, `${ms} ms`, 'quiet', 'middle')}`
    })
    .join('')
  const bar = left + scale(50)
  const marks = names.map((name, index) => {
    const y = top + index * rowHeight + 8
    const dots = measured.map(({ size, search }, place) => {
      const one = name === everything ? search.all[0] : search.classes.find((result) => result.name === name)
      if (!one) return ''
      const dy = y + (place - (measured.length - 1) / 2) * 6
      const [from, to] = [left + scale(one.p50), left + scale(one.p99)]
      const tip = `${name}, ${size.toLocaleString('en')} pieces: p50 ${one.p50.toFixed(1)} ms, p99 ${one.p99.toFixed(1)} ms`
      return `<g class="s${place}"><title>${escaped(tip)}</title><rect x="${from}" y="${dy - 1.5}" width="${Math.max(to - from, 1)}" height="3"/><circle cx="${from}" cy="${dy}" r="3.5"/></g>`
    })
    return label(left - 12, y + 4, name, '', 'end') + dots.join('')
  })
  const legend = measured
    .map(
      ({ size }, place) =>
        `<circle class="s${place}" cx="${left + place * 150}" cy="40" r="4"/>${label(left + place * 150 + 10, 44, `${size.toLocaleString('en')} pieces`)}`,
    )
    .join('')
  const barLine = `<line class="bar" x1="${bar}" x2="${bar}" y1="${top - 8}" y2="${height - 20}"/>${label(bar + 4, top - 12, 'target for all: 50 ms', 'quiet')}`
  return {
    svg:
      label(0, 18, 'Search at limit 20: from the median (dot) to the 99th percentile', 'title') +
      legend +
      grid +
      barLine +
      marks.join(''),
    height: height + 40,
  }
}

function readsPanel(results: Results, size: number | undefined, top: number): Panel {
  const reads = size === undefined ? [] : (results[size]?.http ?? []).filter((one) => one.ratio !== undefined)
  if (reads.length === 0) return { svg: '', height: 0 }
  const x = (ratio: number) => left + (plot * ratio) / 1.2
  const first = top + 40
  const bottom = first + reads.length * rowHeight
  const rows = reads.map((one, index) => {
    const y = first + index * rowHeight
    const ratio = one.ratio ?? 0
    return `${label(left - 12, y + 14, one.name, '', 'end')}<rect class="s1" x="${left}" y="${y + 4}" width="${x(ratio) - left}" height="13"><title>${escaped(`${one.name}: ${ratio.toFixed(2)} of the bare handler`)}</title></rect>${label(x(ratio) + 6, y + 15, `${ratio.toFixed(2)}  (${Math.round(one.ours).toLocaleString('en')} a second)`)}`
  })
  const bar = `<line class="bar" x1="${x(0.75)}" x2="${x(0.75)}" y1="${first}" y2="${bottom}"/>${label(x(0.75), first - 6, 'target: 0.75', 'quiet', 'middle')}`
  return {
    svg: label(0, top + 18, 'Reads: share of a bare handler’s requests a second', 'title') + bar + rows.join(''),
    height: bottom - top,
  }
}
