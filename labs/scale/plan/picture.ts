/** What the drawings share: text, and a look that is light or dark by itself, as docs/performance.svg has it. */

export const width = 560

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const label = (x: number, y: number, text: string, kind = '', anchor = 'start'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${kind && ` class="${kind}"`}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escaped(text)}</text>`

const style = `
text { font: 14px system-ui, sans-serif; fill: #222 } .title { font-weight: 600; font-size: 15px } .quiet { fill: #666; font-size: 12px }
.strong { font-weight: 600 } .grid { stroke: #ddd } .box { fill: #faf8f4; stroke: #b8b2a8 } .one { fill: none; stroke: #b8b2a8; stroke-dasharray: 4 3 }
.flow { stroke: #3d5a80; fill: none; stroke-width: 1.5 } .tip { fill: #3d5a80 } .mark { fill: #a4161a } .aim { stroke: #a4161a; stroke-width: 3 }
@media (prefers-color-scheme: dark) { text { fill: #e8e4dc } .quiet { fill: #a09a90 } .grid { stroke: #444 } .box { fill: #26241f; stroke: #6b655b } .one { stroke: #6b655b }
.flow { stroke: #8fb3dd } .tip { fill: #8fb3dd } .mark { fill: #f08080 } .aim { stroke: #f08080 } }
`

export const svg = (height: number, name: string, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(name)}">
<style>${style}</style>
${body}</svg>
`

/** From one point to another, straight, with its tip at the end. */
export function arrow(x1: number, y1: number, x2: number, y2: number): string {
  const length = Math.hypot(x2 - x1, y2 - y1)
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length]
  const [bx, by] = [x2 - dx * 8, y2 - dy * 8]
  const tip = `${x2},${y2} ${(bx - dy * 4).toFixed(1)},${(by + dx * 4).toFixed(1)} ${(bx + dy * 4).toFixed(1)},${(by - dx * 4).toFixed(1)}`
  return `<line class="flow" x1="${x1}" y1="${y1}" x2="${bx.toFixed(1)}" y2="${by.toFixed(1)}"/><polygon class="tip" points="${tip}"/>`
}
