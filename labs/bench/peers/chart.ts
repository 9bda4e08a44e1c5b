import type { PeersResult } from './result.ts'

/** Answers a second by program, on a scale of tens: a bar for each, a group for each read. */

const left = 210
const width = 860
const barHeight = 16
const plot = width - left - 150

interface Panel {
  readonly svg: string
  readonly height: number
}

export function peersPanel(
  measured: PeersResult | undefined,
  top: number,
  label: (x: number, y: number, text: string, kind?: string, anchor?: string) => string,
): Panel {
  if (!measured) return { svg: '', height: 0 }
  const most = Math.max(...measured.reads.flatMap(({ figures }) => figures.map(({ rate }) => rate)))
  const decades = Math.ceil(Math.log10(most))
  const x = (rate: number) => left + (plot * Math.log10(Math.max(rate, 1))) / decades
  let y = top + 60
  const groups = measured.reads.map(({ name, figures }) => {
    const bars = figures.map((one, place) => {
      const said = `${Math.round(one.rate).toLocaleString('en')}${place === 0 ? '' : `  (ours ${one.times.toFixed(1)} times)`}`
      const bar = `<rect class="s${2 - place}" x="${left}" y="${y}" width="${x(one.rate) - left}" height="${barHeight - 4}"><title>${name}, ${one.name}: ${said} a second</title></rect>${label(x(one.rate) + 6, y + 10, said, 'quiet')}`
      y += barHeight
      return bar
    })
    const title = label(left - 12, y - (barHeight * figures.length) / 2 + 3, name, '', 'end')
    y += 10
    return title + bars.join('')
  })
  const legend = measured.programs.map(
    ({ name }, place) =>
      `<circle class="s${2 - place}" cx="${left + place * 150}" cy="${top + 40}" r="4"/>${label(left + place * 150 + 10, top + 44, name)}`,
  )
  const title = label(0, top + 18, 'Beside others: answers a second, on a scale of tens', 'title')
  return { svg: title + legend.join('') + groups.join(''), height: y - top }
}
