/** A table as Markdown: its rows are lines, its cells are between pipes. A pipe after a backslash is text. */

export interface Span {
  readonly from: number
  readonly to: number
}

export type Align = '' | 'left' | 'center' | 'right'

export interface CellPlace {
  /** Zero is the row of headings; the row of dashes is none. */
  readonly row: number
  readonly column: number
}

/** The cell to edit. With an anchor, all cells from there to it are selected instead. */
export interface CellSelection extends CellPlace {
  readonly anchor?: CellPlace | undefined
}

export interface Table {
  readonly lines: readonly string[]
  readonly aligns: readonly Align[]
  /** What the cells say, as Markdown outside a table. As many in each row as there are headings. */
  readonly rows: readonly (readonly string[])[]
}

/** The cells of a row, each between its pipes. */
export function cellsIn(text: string, begin = /^\s*/.exec(text)![0].length): Span[] {
  const edges = [...text.slice(begin).matchAll(/(?<!\\)\|/g)].map(({ index }) => begin + index)
  if (text[begin] !== '|') edges.unshift(begin - 1)
  if (edges.length === 1 || text.slice(edges.at(-1)! + 1).trim() !== '') edges.push(text.length)
  return edges.slice(1).map((to, at) => ({ from: edges[at]! + 1, to }))
}

/** A cell without the spaces at its ends; an empty one is where its text would begin. */
export function wordsIn(text: string, { from, to }: Span): Span {
  const raw = text.slice(from, to)
  if (raw.trim() === '') return { from: from + Math.min(1, raw.length), to: from + Math.min(1, raw.length) }
  return { from: from + raw.length - raw.trimStart().length, to: from + raw.trimEnd().length }
}

const wordsOf = (text: string, cell: Span): string => {
  const { from, to } = wordsIn(text, cell)
  return text.slice(from, to)
}

/** Pipes in a cell have a backslash before them. */
const shown = (source: string): string => source.replaceAll('\\|', '|')
/** A table has no line breaks in its cells, and our readers' pages no HTML. */
export const written = (value: string): string => value.replace(/\s*\n\s*/g, ' ').replace(/\\*\|/g, '\\|')

const delimiter = /^:?-+:?$/

function alignOf(words: string): Align {
  const [isStart, isEnd] = [words.startsWith(':'), words.endsWith(':')]
  return isStart ? (isEnd ? 'center' : 'left') : isEnd ? 'right' : ''
}

/** Undefined if it is none. */
export function readTable(text: string): Table | undefined {
  const lines = text.split('\n')
  if (lines.length < 2) return undefined
  const dashes = cellsIn(lines[1]!).map((cell) => wordsOf(lines[1]!, cell))
  if (!dashes.every((words) => delimiter.test(words)) || cellsIn(lines[0]!).length !== dashes.length) return undefined
  const rows = lines
    .filter((_, at) => at !== 1)
    .map((line) => {
      const cells = cellsIn(line)
      return dashes.map((_, column) => (cells[column] ? shown(wordsOf(line, cells[column])) : ''))
    })
  return { lines, aligns: dashes.map(alignOf), rows }
}

/** The place of a row among the lines. */
export const lineOf = (row: number): number => (row === 0 ? 0 : row + 1)

const startOf = (lines: readonly string[], line: number): number =>
  lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0)

/** The words of a cell as they are written, and where they begin, from the start of the table. */
export function cellSource(
  { lines }: Pick<Table, 'lines'>,
  { row, column }: CellPlace,
): { source: string; from: number } {
  const line = lines[lineOf(row)]!
  const cell = cellsIn(line)[column]
  const { from, to } = cell ? wordsIn(line, cell) : { from: line.length, to: line.length }
  return { source: line.slice(from, to), from: startOf(lines, lineOf(row)) + from }
}

/** A place in what a cell says, from the start of the table; behind it if none is given. */
export function positionIn(table: Pick<Table, 'lines'>, place: CellPlace, at = Number.POSITIVE_INFINITY): number {
  const { source, from } = cellSource(table, place)
  return from + toSource(source, at)
}

/** The cell that has a position, counted from the start of the table. */
export function cellAt({ lines, aligns }: Table, position: number): CellPlace {
  let line = 0
  let start = 0
  while (line < lines.length - 1 && position > start + lines[line]!.length) {
    start += lines[line]!.length + 1
    line += 1
  }
  const column = cellsIn(lines[line]!).findIndex(({ to }) => position - start <= to)
  return { row: Math.max(0, line - 1), column: Math.min(column < 0 ? aligns.length - 1 : column, aligns.length - 1) }
}

/** Where each character of what a cell says is in its words, and their end. */
function placesIn(source: string): number[] {
  const places: number[] = []
  for (let at = 0; at < source.length; at += 1) {
    places.push(at)
    if (source.startsWith('\\|', at)) at += 1
  }
  return [...places, source.length]
}

/** A place in what a cell says, as a place in its words, and back. */
const toSource = (source: string, at: number): number => placesIn(source)[at] ?? source.length
export const fromSource = (source: string, at: number): number => {
  const place = placesIn(source).findIndex((one) => one >= at)
  return place < 0 ? shown(source).length : place
}

/** The first and the last of the selected cells, and what they say, by rows. */
export function selectedCells({ rows }: Table, { anchor, ...head }: CellSelection) {
  const other = anchor ?? head
  const [row, column] = [Math.min(head.row, other.row), Math.min(head.column, other.column)]
  const [lastRow, lastColumn] = [Math.max(head.row, other.row), Math.max(head.column, other.column)]
  const texts = rows.slice(row, lastRow + 1).map((cells) => cells.slice(column, lastColumn + 1))
  return { row, column, lastRow, lastColumn, texts }
}

/** What two texts have in common at their start and at their end. */
export function common(one: readonly string[] | string, other: readonly string[] | string): [number, number] {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start += 1
  let end = 0
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  return [start, end]
}

/** A row in the usual form. */
export const rowOf = (words: readonly string[]): string => `|${words.map((one) => ` ${one} `).join('|')}|`

/** The row with another text in one of its cells; what was not changed in it stays as it was written. */
export function withCell(line: string, column: number, value: string): string {
  const cells = cellsIn(line)
  const cell = cells[column]
  if (!cell || !/^\s*\|/.test(line)) {
    // Without a pipe before it, what is typed could begin a list or a heading.
    const all = Array.from({ length: Math.max(cells.length, column + 1) }, (_, at) =>
      cells[at] ? wordsOf(line, cells[at]) : '',
    )
    return rowOf(all.with(column, written(value)))
  }
  const { from, to } = wordsIn(line, cell)
  const source = line.slice(from, to)
  const before = shown(source)
  const [start, end] = common(before, value)
  const middle = written(value.slice(start, value.length - end))
  const next = /\\\|/.test(value)
    ? written(value)
    : source.slice(0, toSource(source, start)) + middle + source.slice(toSource(source, before.length - end))
  const isEmpty = before === ''
  const left = isEmpty && from === cell.from ? ' ' : ''
  // A backslash before the pipe would make it text.
  const right = to === cell.to && (isEmpty || next.endsWith('\\')) ? ' ' : ''
  return line.slice(0, from) + left + next + right + line.slice(to)
}
