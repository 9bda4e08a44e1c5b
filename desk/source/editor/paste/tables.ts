import { inline, runsOf } from './runs.ts'
import { styleOf } from './tree.ts'

/** A table as Markdown; undefined where it only lays out a page and should be read as the text it holds. */
export function tableOf(table: Element): string | undefined {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].filter((cell) => /^t[dh]$/i.test(cell.nodeName)),
  )
  const width = Math.max(0, ...rows.map((cells) => cells.length))
  if (width < 2 || table.querySelector('table')) return undefined
  const lines = rows.filter((cells) => cells.length > 0).map((cells) => line(filled(cells.map(textOf), width)))
  const rule = line(filled((rows.find((cells) => cells.length > 0) ?? []).map(ruleOf), width, '---'))
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const filled = (cells: readonly string[], width: number, blank = ''): string[] =>
  Array.from({ length: width }, (_, place) => cells[place] ?? blank)

const textOf = (cell: Element): string =>
  inline(runsOf(cell.childNodes).map((run) => (cell.nodeName.toLowerCase() === 'th' ? { ...run, bold: false } : run)))
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\|/g, '\\|')

function ruleOf(cell: Element): string {
  const align = (cell.getAttribute('align') ?? styleOf(cell, 'text-align')).toLowerCase()
  return align === 'right' || align === 'end' ? '---:' : align === 'center' ? ':---:' : '---'
}
