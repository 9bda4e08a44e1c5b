import { EditorSelection, type Extension, Prec, type TransactionSpec } from '@codemirror/state'
import { type Command, Decoration, type DecorationSet, EditorView, keymap, ViewPlugin } from '@codemirror/view'
import { joinedBlock, passedBlock, typedBeside } from './beside-blocks.ts'
import { sourceAt } from './inline-nodes.ts'
import { activeIn, setCell, type TableBlock, tableAt, tables } from './table-blocks.ts'
import { type CellPlace, type CellSelection, positionIn } from './table-syntax.ts'
import { cellOf, TableWidget } from './table-widget.ts'

/** Tables as readers see them, whose cells are edited in place. */

const decorations = EditorView.decorations.compute([tables], (state): DecorationSet => {
  const { blocks, asText, active } = state.field(tables)
  return Decoration.set(
    blocks
      .filter((block) => block !== asText)
      .map((block) => {
        const widget = new TableWidget(block, active?.table.from === block.from ? active : undefined)
        return Decoration.replace({ widget, block: true }).range(block.from, block.to)
      }),
  )
})

/** The cursor never stops within a table. */
const atomic = EditorView.atomicRanges.of(({ state }) => {
  const { blocks, asText } = state.field(tables)
  const whole = Decoration.mark({})
  return Decoration.set(blocks.filter((block) => block !== asText).map(({ from, to }) => whole.range(from, to)))
})

/** Goes on in a cell, behind its words or at a place in them, or with cells selected. */
export const toCell = (table: TableBlock, place: CellSelection, at?: number): TransactionSpec => ({
  selection: EditorSelection.cursor(table.from + positionIn(table, place, at)),
  effects: setCell.of(place),
})

const enter =
  (step: 1 | -1): Command =>
  (view) => {
    const { blocks, asText } = view.state.field(tables)
    const block =
      blocks.length > 0 &&
      passedBlock(
        view,
        step,
        blocks.filter((one) => one !== asText),
      )
    if (!block || view.state.readOnly) return false
    view.dispatch(toCell(block, { row: step > 0 ? 0 : block.rows.length - 1, column: 0 }))
    return true
  }

/** A deletion that would join a paragraph with a table goes into the table instead. */
const reach =
  (step: 1 | -1): Command =>
  (view) => {
    const block = joinedBlock(view.state, step, tableAt)
    if (!block || view.state.readOnly) return false
    const last = { row: block.rows.length - 1, column: block.aligns.length - 1 }
    view.dispatch(toCell(block, step > 0 ? { row: 0, column: 0 } : last))
    return true
  }

const keys = keymap.of([
  { key: 'ArrowUp', run: enter(-1) },
  { key: 'ArrowDown', run: enter(1) },
  { key: 'Backspace', run: reach(-1) },
  { key: 'Delete', run: reach(1) },
])

const typing = EditorView.inputHandler.of((view, from, to, text) => typedBeside(view, from, to, text, tableAt))

/** CodeMirror leaves events within widgets to them, so these are listened to on its element. */
const pointing = ViewPlugin.define((view) => {
  const listeners = new AbortController()
  const { signal } = listeners
  const open = (target: EventTarget | null, place: CellPlace | undefined, at?: number): boolean => {
    const owner = target instanceof Element ? target.closest<HTMLElement>('.md-grid') : null
    const table = owner && tableAt(view.state, view.posAtDOM(owner))
    if (!table || !place || view.state.readOnly) return false
    view.dispatch(toCell(table, place, at))
    return true
  }
  view.contentDOM.addEventListener(
    'click',
    (event) => {
      const cell = cellOf(event.target)
      // With Shift the press selected.
      if (!cell || (event.shiftKey && activeIn(view.state)?.anchor)) return
      open(event.target, cell, sourceAt(cell.element, event))
    },
    { signal },
  )
  /** The cell below a point, which the field of the one being edited may cover. */
  const cellBelow = ({ clientX, clientY }: MouseEvent) =>
    document
      .elementsFromPoint(clientX, clientY)
      .map(cellOf)
      .find((cell) => cell !== undefined)
  const select = (table: TableBlock, anchor: CellPlace, { row, column }: CellPlace) => {
    const { active } = view.state.field(tables)
    const isThere = active?.anchor && active.row === row && active.column === column
    if (!isThere) view.dispatch(toCell(table, { row, column, anchor }))
  }
  let endDrag = () => {}
  view.dom.addEventListener(
    'mousedown',
    (event) => {
      const start = cellBelow(event)
      const table = start && tableAt(view.state, view.posAtDOM(start.owner))
      if (!table || event.button !== 0 || view.state.readOnly) return
      // The cell that is being edited keeps the focus until another one gets it; within it, its words are selected.
      if (cellOf(event.target)) event.preventDefault()
      const active = activeIn(view.state)
      const isExtending = event.shiftKey && active?.table === table
      const anchor = isExtending ? (active.anchor ?? active) : start
      if (isExtending && (start.row !== active.row || start.column !== active.column)) select(table, anchor, start)
      endDrag()
      const drag = new AbortController()
      endDrag = () => drag.abort()
      const options = { signal: drag.signal }
      const onMove = (move: MouseEvent) => {
        const cell = move.buttons & 1 ? cellBelow(move) : undefined
        const now = cell && tableAt(view.state, view.posAtDOM(cell.owner))
        const isOther = cell && (cell.row !== anchor.row || cell.column !== anchor.column)
        if (now?.from === table.from && (isOther || activeIn(view.state)?.anchor)) select(now, anchor, cell!)
      }
      document.addEventListener('mousemove', onMove, options)
      document.addEventListener('mouseup', endDrag, options)
    },
    { signal },
  )
  view.contentDOM.addEventListener(
    'keydown',
    (event) => {
      const isGrid = event.target instanceof Element && event.target.matches('.md-grid')
      if (isGrid && event.key === 'Enter' && open(event.target, { row: 0, column: 0 })) event.preventDefault()
    },
    { signal },
  )
  return {
    destroy() {
      endDrag()
      listeners.abort()
    },
  }
})

/** Coming from elsewhere, the cursor may be within a table. */
const focusing = EditorView.domEventHandlers({
  focus(_event, view) {
    // A press of the mouse moves the cursor after this.
    requestAnimationFrame(() => {
      if (!view.hasFocus || view.state.readOnly) return
      const { main } = view.state.selection
      if (main.empty && tableAt(view.state, main.head)) view.dispatch({ effects: setCell.of('at_cursor') })
    })
  },
  blur({ relatedTarget }, view) {
    // Another window has the focus, or a bar; the writer comes back to the text.
    if (!document.hasFocus() || (relatedTarget instanceof Node && view.dom.contains(relatedTarget))) return
    if (view.state.field(tables).asText) view.dispatch({ effects: setCell.of(null) })
  },
})

/** The cursor goes behind the table, or before it where nothing follows. Whether it could. */
export function leaveTable(view: EditorView, { from, to }: TableBlock): boolean {
  const { doc } = view.state
  const anchor = to < doc.length ? to + 1 : from > 0 ? from - 1 : undefined
  view.dispatch({ ...(anchor === undefined ? {} : { selection: { anchor } }), effects: setCell.of(null) })
  return anchor !== undefined
}

export const tableBlocks: Extension = [tables, decorations, atomic, typing, focusing, pointing, Prec.high(keys)]
