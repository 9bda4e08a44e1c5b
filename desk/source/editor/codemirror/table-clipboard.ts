import { convertHtml } from '../paste.ts'
import { element } from './element.ts'
import { inlineNodes } from './inline-nodes.ts'
import { readTable } from './table-syntax.ts'

/** Cells of a table, of a spreadsheet or of a page, on the clipboard. */

/** Tabs between cells, quotation marks around those with tabs or line breaks, as spreadsheets write it. */
function separated(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))(\t|\n|$)/g)) {
    rows.at(-1)!.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end === '\n') rows.push([])
    if (end === '') break
  }
  return rows.filter((cells, at) => at < rows.length - 1 || cells.some((cell) => cell !== ''))
}

/** Text that is a table: several rows with as many tabs in each, and no indented code. */
export function tableText(text: string): string[][] | undefined {
  const plain = text.replace(/\r\n?/g, '\n')
  if (!plain.includes('\t') || plain.startsWith('\t')) return undefined
  const rows = separated(plain)
  const isTable = rows.length > 1 && rows.every(({ length }) => length > 1 && length === rows[0]!.length)
  return isTable ? rows : undefined
}

/** What is to be filled into cells; undefined if it is only text. */
export function valuesOf(data: DataTransfer): (readonly string[])[] | undefined {
  const html = data.getData('text/html')
  const table = html ? readTable(convertHtml(html, 1)?.markdown ?? '') : undefined
  if (table) return [...table.rows]
  const plain = data.getData('text/plain').replace(/\r\n?/g, '\n')
  const isColumn = /<td\b/i.test(html) && plain.trimEnd().includes('\n')
  return plain.includes('\t') || isColumn ? separated(plain) : undefined
}

/** Copies cells as a table, and as Markdown with tabs between them. */
export function copyCells(data: DataTransfer, rows: readonly (readonly string[])[]): void {
  const bare = (text: string) => (text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text.replaceAll('\t', ' '))
  data.setData('text/plain', rows.map((cells) => cells.map(bare).join('\t')).join('\n'))
  const cellOf = (text: string) => element('td', {}, ...inlineNodes(text, true))
  const table = element('table', {}, ...rows.map((cells) => element('tr', {}, ...cells.map(cellOf))))
  data.setData('text/html', table.outerHTML)
}
