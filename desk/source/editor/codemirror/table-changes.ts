import { type ChangeSpec, EditorSelection, type TransactionSpec } from '@codemirror/state'
import {
  type Align,
  type CellPlace,
  type CellSelection,
  cellsIn,
  common,
  lineOf,
  positionIn,
  rowOf,
  selectedCells,
  type Table,
  withCell,
  wordsIn,
  written,
} from './table-syntax.ts'

/** What can be done to a table. Each changes the lines it must, and within them as little as it can. */

export interface TableChange {
  readonly lines: readonly string[]
  /** The cell to go on in. */
  readonly place: CellSelection
}

const width = ({ aligns }: Table): number => aligns.length
const emptyRow = (table: Table): string => rowOf(Array(width(table)).fill(''))

/** A row that may be the first one: it has as many cells as the row of dashes. */
function asHead(table: Table, line: string): string {
  const cells = cellsIn(line)
  if (cells.length === width(table) && line.includes('|')) return line
  return rowOf(Array.from({ length: width(table) }, (_, at) => wordsAt(line, at)))
}

function wordsAt(line: string, column: number): string {
  const cell = cellsIn(line)[column]
  if (!cell) return ''
  const { from, to } = wordsIn(line, cell)
  return line.slice(from, to)
}

/** The rows of dashes and of text, by rows. */
const withRows = (table: Table, rows: readonly string[]): string[] => [
  asHead(table, rows[0]!),
  table.lines[1]!,
  ...rows.slice(1),
]
const rowLines = ({ lines }: Table): string[] => lines.filter((_, at) => at !== 1)

export const setCellText = (table: Table, place: CellPlace, value: string): TableChange => {
  const at = lineOf(place.row)
  return { lines: table.lines.with(at, withCell(table.lines[at]!, place.column, value)), place }
}

/** An empty row before the one at `row`. */
export const insertRow = (table: Table, row: number, column: number): TableChange => ({
  lines: withRows(table, rowLines(table).toSpliced(row, 0, emptyRow(table))),
  place: { row, column },
})

/** Undefined for the last one. */
export function removeRow(table: Table, { row, column }: CellPlace): TableChange | undefined {
  const rows = rowLines(table)
  if (rows.length < 2) return undefined
  return { lines: withRows(table, rows.toSpliced(row, 1)), place: { row: Math.min(row, rows.length - 2), column } }
}

export function moveRow(table: Table, { row, column }: CellPlace, step: 1 | -1): TableChange | undefined {
  const rows = rowLines(table)
  const next = row + step
  if (next < 0 || next >= rows.length) return undefined
  return {
    lines: withRows(table, rows.with(row, rows[next]!).with(next, rows[row]!)),
    place: { row: next, column },
  }
}

/** Each line changed by its own cells; a row that ends before the column has nothing to change. */
function eachLine(table: Table, change: (line: string, isDashes: boolean) => string): string[] {
  return table.lines.map((line, at) => change(line, at === 1))
}

/** An empty column before the one at `column`. */
export const insertColumn = (table: Table, row: number, column: number): TableChange => ({
  lines: eachLine(table, (line, isDashes) => {
    const cells = cellsIn(line)
    const words = isDashes ? ' --- ' : '  '
    const at = cells[column]
    if (at) {
      const start = line.slice(0, at.from)
      return `${start}${start.includes('|') ? '' : '|'}${words}|${line.slice(at.from)}`
    }
    if (cells.length < column) return line
    const end = line.trimEnd()
    return end.length > cells.at(-1)!.to ? `${end}${words}|` : `${end} |${words}|`
  }),
  place: { row, column },
})

/** Undefined for the last one. */
export function removeColumn(table: Table, { row, column }: CellPlace): TableChange | undefined {
  if (width(table) < 2) return undefined
  const lines = eachLine(table, (line) => {
    const cells = cellsIn(line)
    const cell = cells[column]
    if (!cell) return line
    const next = cells[column + 1]
    const before = cells[column - 1]
    const rest = next
      ? line.slice(0, cell.from) + line.slice(next.from)
      : before
        ? line.slice(0, before.to) + line.slice(cell.to)
        : rowOf([''])
    // One column without pipes is no table any more.
    return /^\s*\|/.test(rest) || cellsIn(rest).length > 1 ? rest : rowOf([rest.trim().replace(/\s*\|$/, '')])
  })
  return { lines, place: { row, column: Math.min(column, width(table) - 2) } }
}

export function moveColumn(table: Table, { row, column }: CellPlace, step: 1 | -1): TableChange | undefined {
  const next = column + step
  if (next < 0 || next >= width(table)) return undefined
  const [first, second] = [Math.min(column, next), Math.max(column, next)]
  const lines = eachLine(table, (line) => {
    const cells = cellsIn(line)
    const [one, other] = [cells[first], cells[second]]
    if (!one) return line
    if (!other || !/^\s*\|/.test(line)) {
      const words = Array.from({ length: Math.max(cells.length, second + 1) }, (_, at) => wordsAt(line, at))
      return rowOf(words.with(first, words[second]!).with(second, words[first]!))
    }
    return (
      line.slice(0, one.from) +
      line.slice(other.from, other.to) +
      line.slice(one.to, other.from) +
      line.slice(one.from, one.to) +
      line.slice(other.to)
    )
  })
  return { lines, place: { row, column: next } }
}

/** Aligns a column; as it was before if it is aligned so already. */
export function alignColumn(table: Table, place: CellPlace, align: Align): TableChange {
  const line = table.lines[1]!
  const { from, to } = wordsIn(line, cellsIn(line)[place.column]!)
  const dashes = line.slice(from, to).replaceAll(':', '')
  const wanted = table.aligns[place.column] === align ? '' : align
  const [start, end] = { '': ['', ''], left: [':', ''], center: [':', ':'], right: ['', ':'] }[wanted] as [
    string,
    string,
  ]
  return { lines: table.lines.with(1, line.slice(0, from) + start + dashes + end + line.slice(to)), place }
}

/** Fills the cells from a place on, with as many rows and columns more as that takes. The values are Markdown. */
export function fillCells(
  table: Table,
  { row, column }: CellPlace,
  values: readonly (readonly string[])[],
): TableChange {
  let { lines } = table
  const now = (): Table => ({ ...table, lines, aligns: cellsIn(lines[1]!).map(() => '') })
  const columns = column + Math.max(...values.map(({ length }) => length))
  while (cellsIn(lines[1]!).length < columns) ({ lines } = insertColumn(now(), 0, cellsIn(lines[1]!).length))
  while (lines.length - 1 < row + values.length) lines = [...lines, emptyRow(now())]
  const filled = [...lines]
  for (const [down, cells] of values.entries()) {
    for (const [along, value] of cells.entries()) {
      const at = lineOf(row + down)
      filled[at] = withCell(filled[at]!, column + along, value.trim())
    }
  }
  return { lines: filled, place: { row: row + values.length - 1, column: columns - 1 } }
}

/** The selected cells, which stay selected, without their words. */
export function emptyCells(table: Table, place: CellSelection): TableChange {
  const { row, column, texts } = selectedCells(table, place)
  const lines = [...table.lines]
  for (const [down, cells] of texts.entries()) {
    for (const [along, text] of cells.entries()) {
      const at = lineOf(row + down)
      if (text !== '') lines[at] = withCell(lines[at]!, column + along, '')
    }
  }
  return { lines, place }
}

/** A table of rows, the first of which are the headings. */
export function tableOf(values: readonly (readonly string[])[]): string {
  const columns = Math.max(...values.map(({ length }) => length))
  const rows = values.map((cells) =>
    rowOf(Array.from({ length: columns }, (_, at) => written(cells[at]?.trim() ?? ''))),
  )
  return [rows[0], rowOf(Array(columns).fill('---')), ...rows.slice(1)].join('\n')
}

/** The changes between the lines of a table that begins at `from`. */
function lineChanges(from: number, before: readonly string[], after: readonly string[]): ChangeSpec[] {
  const [start, end] = common(before, after)
  const offsets = before.map((_, at) => from + before.slice(0, at).reduce((sum, { length }) => sum + length + 1, 0))
  const [last, lastAfter] = [before.length - end, after.length - end]
  const paired = Math.min(last, lastAfter)
  const changes: ChangeSpec[] = []
  for (let at = start; at < paired; at += 1) {
    const [one, other] = [before[at]!, after[at]!]
    const [same, rest] = common(one, other)
    if (one === other) continue
    changes.push({
      from: offsets[at]! + same,
      to: offsets[at]! + one.length - rest,
      insert: other.slice(same, other.length - rest),
    })
  }
  const endOf = (at: number) => offsets[at]! + before[at]!.length
  if (lastAfter > paired) {
    const lines = after.slice(paired, lastAfter)
    changes.push({ from: endOf(paired - 1), insert: lines.map((line) => `\n${line}`).join('') })
  } else if (last > paired) changes.push({ from: endOf(paired - 1), to: endOf(last - 1) })
  return changes
}

/** The change of a text in which the table begins at `from`, with the cursor in the cell to go on in. */
export function changeTable(from: number, table: Table, { lines, place }: TableChange): TransactionSpec {
  return {
    changes: lineChanges(from, table.lines, lines),
    selection: EditorSelection.cursor(from + positionIn({ lines }, place)),
  }
}
