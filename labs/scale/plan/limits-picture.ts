import { limits } from './limits.ts'
import { escaped, label, svg, width } from './picture.ts'
import { rounded } from './tables.ts'

/** Where each limit lies on the way from ten thousand pieces to ten billion, tenfold from line to line. */

const [first, last] = [4, 10]
const top = 58
const row = 40
const inset = 20
const place = (pieces: number): number => inset + ((Math.log10(pieces) - first) / (last - first)) * (width - 2 * inset)

const spelled = (pieces: number): string =>
  pieces >= 1e9 ? `${pieces / 1e9} bn` : pieces >= 1e6 ? `${pieces / 1e6} m` : `${pieces / 1e3} k`
const exactly = (pieces: number): string =>
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
      `<g><title>${escaped(`${name}: ${exactly(pieces)} pieces. Then: ${then}`)}</title>` +
      `<circle class="mark" cx="${x.toFixed(1)}" cy="${y}" r="5"/>` +
      words(-2, `${name}`, '') +
      words(14, `${exactly(pieces)} · ${then}`, 'quiet') +
      '</g>'
    )
  })
  const end = place(100_000_000).toFixed(1)
  const aim = `<line class="aim" x1="${end}" x2="${end}" y1="${top - 12}" y2="${top + 4}"/>`
  const title =
    label(0, 18, 'Where growth meets a limit, in pieces', 'title') +
    label(width, 18, 'this plan ends at 100 m', 'quiet', 'end')
  return svg(bottom + 8, 'Where each limit lies on a scale of tens', [title, ...grid, aim, ...marks].join('\n'))
}
