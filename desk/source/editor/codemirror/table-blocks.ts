import { syntaxTree } from '@codemirror/language'
import { type EditorState, StateEffect, StateField, type Transaction } from '@codemirror/state'
import { type CellPlace, type CellSelection, cellAt, readTable, type Table } from './table-syntax.ts'

/** Where the tables of a text are, and which cell is being edited. */

/** A table that is not within a list or a quote. */
export interface TableBlock extends Table {
  readonly from: number
  readonly to: number
  readonly text: string
}

export interface ActiveCell extends CellSelection {
  readonly table: TableBlock
}

interface Tables {
  readonly blocks: readonly TableBlock[]
  /** The table that is shown as Markdown, because the cursor was put into it. */
  readonly asText: TableBlock | undefined
  readonly active: ActiveCell | undefined
}

/** Edits a cell of the table at the cursor: this one, or the one that has the cursor. Null: none. */
export const setCell = StateEffect.define<CellSelection | 'at_cursor' | null>()

/** Larger tables stay Markdown, which is drawn as far as it is in sight. */
const mostCells = 2000

function locate(state: EditorState, before: Tables | undefined, transaction?: Transaction): readonly TableBlock[] {
  const blocks: TableBlock[] = []
  const tree = syntaxTree(state)
  const add = (from: number, to: number) => {
    const text = state.sliceDoc(from, to)
    const table = before?.blocks.find((one) => one.text === text) ?? readTable(text)
    if (table && table.aligns.length * table.rows.length <= mostCells) blocks.push({ ...table, text, from, to })
  }
  tree.iterate({
    enter({ name, from, to }) {
      if (name === 'Table') add(state.doc.lineAt(from).from, state.doc.lineAt(to).to)
      return name === 'Document'
    },
  })
  // What is not parsed yet is as it was.
  for (const one of before?.blocks ?? []) {
    const from = transaction ? transaction.changes.mapPos(one.from, 1) : one.from
    const to = from + one.text.length
    if (from > tree.length && state.sliceDoc(from, to) === one.text) blocks.push({ ...one, from, to })
  }
  const isSame =
    before?.blocks.length === blocks.length &&
    blocks.every((one, at) => one.from === before.blocks[at]!.from && one.text === before.blocks[at]!.text)
  return isSame ? before.blocks : blocks
}

const blockWith = (blocks: readonly TableBlock[], { selection: { main, ranges } }: EditorState) =>
  ranges.length > 1 ? undefined : blocks.find(({ from, to }) => main.from >= from && main.to <= to)

function shownAsText(blocks: readonly TableBlock[], before: Tables, transaction: Transaction, isActive: boolean) {
  const { state } = transaction
  const block = blockWith(blocks, state)
  if (!block || isActive || transaction.effects.some((effect) => effect.is(setCell))) return undefined
  const was = before.asText && transaction.changes.mapPos(before.asText.from, 1)
  if (was !== undefined && was >= block.from && was <= block.to) return block
  if (!transaction.selection) return undefined
  // A cursor that was put there, a word that was looked for, or a table that is being typed.
  const { main } = state.selection
  const isWhole = main.from === block.from && main.to === block.to
  return isWhole ? undefined : block
}

/** By users' own movements, and by undo. */
const entering = ['select', 'undo', 'redo']

function activeCell(blocks: readonly TableBlock[], before: Tables, transaction: Transaction): ActiveCell | undefined {
  const { state } = transaction
  const table = blockWith(blocks, state)
  if (!table || state.readOnly) return undefined
  const { head, empty } = state.selection.main
  const asked = transaction.effects.findLast((effect) => effect.is(setCell))?.value
  const atCursor = () => cellAt(table, head - table.from)
  const inTable = ({ row, column }: CellPlace): CellPlace => ({
    row: Math.min(row, table.rows.length - 1),
    column: Math.min(column, table.aligns.length - 1),
  })
  const within = ({ anchor, ...cell }: CellSelection): ActiveCell => ({
    table,
    ...inTable(cell),
    anchor: anchor && inTable(anchor),
  })
  if (asked === null) return undefined
  if (asked) return within(asked === 'at_cursor' ? atCursor() : asked)
  const wasText = before.asText && transaction.changes.mapPos(before.asText.from, 1) === table.from
  const isEntered =
    transaction.selection !== undefined &&
    entering.some((event) => transaction.isUserEvent(event)) &&
    !transaction.isUserEvent('select.search')
  if (isEntered && !wasText && empty) return within(atCursor())
  // A change from elsewhere leaves the writer in the cell.
  return before.active && !transaction.selection ? within(before.active) : undefined
}

const isSamePlace = (one: CellPlace | undefined, other: CellPlace | undefined): boolean =>
  one?.row === other?.row && one?.column === other?.column

export const isSameSelection = (one: CellSelection | undefined, other: CellSelection | undefined): boolean =>
  isSamePlace(one, other) && isSamePlace(one?.anchor, other?.anchor)

function update(before: Tables, transaction: Transaction): Tables {
  const { state, startState, docChanged } = transaction
  const isParsed = syntaxTree(startState) !== syntaxTree(state)
  const isAsked = transaction.effects.some((effect) => effect.is(setCell))
  if (!docChanged && !isParsed && !transaction.selection && !isAsked && startState.readOnly === state.readOnly) {
    return before
  }
  const blocks = docChanged || isParsed ? locate(state, before, transaction) : before.blocks
  if (blocks.length === 0) return before.blocks.length === 0 ? before : { blocks, asText: undefined, active: undefined }
  const active = activeCell(blocks, before, transaction)
  const asText = shownAsText(blocks, before, transaction, active !== undefined)
  const { active: was } = before
  const isSame =
    blocks === before.blocks && asText === before.asText && active?.table === was?.table && isSameSelection(active, was)
  return isSame ? before : { blocks, asText, active }
}

export const tables = StateField.define<Tables>({
  create: (state) => ({ blocks: locate(state, undefined), asText: undefined, active: undefined }),
  update,
})

/** The table whose lines have this position, unless it is shown as Markdown. */
export function tableAt(state: EditorState, at: number): TableBlock | undefined {
  const { blocks, asText } = state.field(tables)
  return blocks.find((block) => block !== asText && at >= block.from && at <= block.to)
}

export const activeIn = (state: EditorState): ActiveCell | undefined => state.field(tables, false)?.active
