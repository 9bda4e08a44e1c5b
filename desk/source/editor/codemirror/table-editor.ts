import { redo, undo } from '@codemirror/commands'
import { EditorSelection } from '@codemirror/state'
import { EditorView, runScopeHandlers } from '@codemirror/view'
import { t } from '../../messages.ts'
import { touchPlace } from './bars.ts'
import { element } from './element.ts'
import type { Panel } from './panel.ts'
import { createTableBar, tableSpec } from './table-bar.ts'
import { type ActiveCell, activeIn, isSameSelection, setCell, tables } from './table-blocks.ts'
import { changeTable, emptyCells, fillCells, insertRow, setCellText } from './table-changes.ts'
import { copyCells, valuesOf } from './table-clipboard.ts'
import { leaveTable, toCell } from './table-editing.ts'
import { type CellPlace, cellSource, fromSource, positionIn, selectedCells } from './table-syntax.ts'

/** Between the bar and the table, and the page's own bar above. */
const gap = 8
const topEdge = 64

const textOf = ({ table, row, column }: ActiveCell): string => table.rows[row]![column]!

const labelOf = ({ row, column }: CellPlace): string =>
  row === 0
    ? t('desk.editor.table.heading_cell', { column: column + 1 })
    : t('desk.editor.table.place', { row: row + 1, column: column + 1 })

/**
 * The field over the cell that is being edited, and the bar of its table. It is not within the table, which CodeMirror
 * draws again whenever its text changes: an input method needs the field to stay where it is.
 */
export function createTableEditor(view: EditorView): Panel {
  const touch = matchMedia('(pointer: coarse)')
  const listeners = new AbortController()
  const field = element('textarea', {
    className: 'md-cell',
    hidden: true,
    rows: 1,
    spellcheck: true,
    autocapitalize: 'sentences',
    enterKeyHint: 'next',
    dir: 'auto',
  })
  const bar = createTableBar(view, () => field.focus({ preventScroll: true }))
  // A cell that is scrolled out of a wide table takes the field along.
  const frame = element('div', { className: 'md-cell-frame' }, field)
  view.dom.append(frame, bar.element)
  /** The cell that is shown, as long as it is the same for the writer. */
  let shown: ActiveCell | undefined

  const place = () => {
    if (field.hidden) return
    view.requestMeasure({
      key: field,
      read() {
        const cell = view.contentDOM.querySelector('.md-cell-active')
        if (!cell) return undefined
        const owner = cell.closest('.md-grid')!.getBoundingClientRect()
        return {
          cell: cell.getBoundingClientRect(),
          owner,
          editor: view.dom.getBoundingClientRect(),
          bar: bar.element.getBoundingClientRect(),
          style: getComputedStyle(cell),
        }
      },
      write(found) {
        if (!found) return
        const { cell, owner, editor, style } = found
        const { textAlign, fontWeight, direction } = style
        Object.assign(frame.style, {
          top: `${owner.top - editor.top}px`,
          left: `${owner.left - editor.left}px`,
          width: `${owner.width}px`,
          height: `${owner.height}px`,
        })
        Object.assign(field.style, {
          top: `${cell.top - owner.top}px`,
          left: `${cell.left - owner.left}px`,
          width: `${cell.width}px`,
          height: `${cell.height}px`,
          textAlign,
          fontWeight,
        })
        field.dir = field.value === '' ? direction : 'auto'
        bar.element.classList.toggle('md-bar-touch', touch.matches)
        if (touch.matches) {
          Object.assign(bar.element.style, { top: '', left: '', ...touchPlace() })
          return
        }
        const above = owner.top - found.bar.height - gap
        const top = Math.min(Math.max(above, topEdge), Math.max(above, owner.bottom - found.bar.height))
        const right = document.documentElement.clientWidth - found.bar.width - gap
        const left = Math.max(gap, Math.min(owner.left, right))
        Object.assign(bar.element.style, {
          top: `${top - editor.top}px`,
          left: `${left - editor.left}px`,
          bottom: '',
        })
      },
    })
  }

  const show = () => {
    const cell = activeIn(view.state)
    const before = shown
    shown = cell
    if (!cell) {
      if (field.hidden) return
      const { activeElement } = document
      const hadFocus = activeElement === field || bar.element.contains(activeElement)
      field.hidden = true
      bar.element.hidden = true
      if (hadFocus) view.focus()
      return
    }
    const isOther = before?.table.from !== cell.table.from || !isSameSelection(before, cell)
    const text = textOf(cell)
    field.hidden = false
    bar.element.hidden = false
    // What is being typed stays: the text has it without spaces at its ends.
    if (isOther || field.value.trim() !== text) {
      field.value = text
      const { source, from } = cellSource(cell.table, cell)
      const caret = fromSource(source, Math.max(0, view.state.selection.main.head - cell.table.from - from))
      // What is typed replaces the words of the cell; browsers copy nothing where nothing is selected.
      if (cell.anchor) field.select()
      else field.setSelectionRange(caret, caret)
    }
    field.classList.toggle('md-cell-unseen', cell.anchor !== undefined)
    field.ariaLabel = labelOf(cell)
    bar.refresh()
    place()
    if (!isOther && before) return
    if (!bar.element.contains(document.activeElement)) field.focus({ preventScroll: true })
    view.contentDOM.querySelector('.md-cell-active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  const commit = () => {
    const cell = activeIn(view.state)
    if (!cell) return
    if (field.value.includes('\n')) field.value = field.value.replace(/\s*\n\s*/g, ' ')
    const value = field.value.trim()
    if (value === textOf(cell)) return
    const before = field.value.length - field.value.trimStart().length
    const caret = Math.max(0, (field.selectionStart ?? 0) - before)
    const change = setCellText(cell.table, cell, value)
    const spec = changeTable(cell.table.from, cell.table, change)
    view.dispatch({
      ...spec,
      selection: EditorSelection.cursor(cell.table.from + positionIn(change, cell, caret)),
      effects: setCell.of({ row: cell.row, column: cell.column }),
      userEvent: 'input.type.panel',
    })
  }

  const go = (row: number, column: number): boolean => {
    const cell = activeIn(view.state)
    if (!cell) return false
    const { table } = cell
    if (row < 0 || row >= table.rows.length || column < 0 || column >= table.aligns.length) return false
    view.dispatch(toCell(table, { row, column }), {
      effects: EditorView.announce.of(labelOf({ row, column })),
    })
    return true
  }
  /** Selects the cells from where this began to the next one. */
  const extend = (
    { table, row, column, anchor = { row, column } }: ActiveCell,
    down: number,
    along: number,
  ): boolean => {
    const next = { row: row + down, column: column + along, anchor }
    if (!table.rows[next.row] || next.column < 0 || next.column >= table.aligns.length) return false
    const count = selectedCells(table, next).texts.flat().length
    view.dispatch(toCell(table, next), {
      effects: EditorView.announce.of(`${labelOf(next)}. ${t('desk.editor.table.selected', { count })}`),
    })
    return true
  }
  const step = ({ table, row, column }: ActiveCell, by: 1 | -1): boolean => {
    const next = row * table.aligns.length + column + by
    return go(Math.floor(next / table.aligns.length), (next + table.aligns.length) % table.aligns.length)
  }
  /** To the text below the table, or above it; at an end of the text that is a new paragraph. */
  const leave = ({ table }: ActiveCell, by: 1 | -1) => {
    const { doc } = view.state
    const isAtEnd = by > 0 ? table.to === doc.length : table.from === 0
    if (!isAtEnd) {
      const anchor = by > 0 ? table.to + 1 : table.from - 1
      view.dispatch({ selection: { anchor }, effects: setCell.of(null), scrollIntoView: true })
    } else {
      const at = by > 0 ? table.to : 0
      view.dispatch({
        changes: { from: at, insert: '\n\n' },
        selection: { anchor: by > 0 ? at + 2 : 0 },
        effects: setCell.of(null),
        userEvent: 'input',
        scrollIntoView: true,
      })
    }
    view.focus()
  }
  const vertically = (cell: ActiveCell, by: 1 | -1) => {
    if (!go(cell.row + by, cell.column)) leave(cell, by)
  }
  const isLeftToRight = () => getComputedStyle(view.contentDOM).direction === 'ltr'
  const mark = (sign: string) => {
    const { selectionStart: from, selectionEnd: to, value } = field
    field.setRangeText(sign + value.slice(from, to) + sign, from, to, 'select')
    field.setSelectionRange(from + sign.length, to + sign.length)
    commit()
  }

  const onKey = (event: KeyboardEvent): boolean => {
    const cell = activeIn(view.state)
    // During IME composition all keys belong to the input method.
    if (!cell || event.isComposing) return false
    const { selectionStart: from, selectionEnd: to, selectionDirection, value } = field
    const isRightToLeft = getComputedStyle(field).direction === 'rtl'
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase()
      if (key === 'z') (event.shiftKey ? redo : undo)(view)
      else if (key === 'y') redo(view)
      else if (key === 'b' || key === 'i') {
        if (!cell.anchor) mark(key === 'b' ? '**' : '_')
      } else if (key === 'f' || key === 'h') return runScopeHandlers(view, event, 'editor')
      else return false
      return true
    }
    if (event.altKey) {
      if (event.key !== 'F10') return false
      bar.focus()
      return true
    }
    if (cell.anchor && (event.key === 'Delete' || event.key === 'Backspace')) {
      view.dispatch(tableSpec(cell, emptyCells(cell.table, cell)))
      return true
    }
    // It ends the selection.
    if (cell.anchor && !event.shiftKey && /^(?:Arrow|Home$|End$|Escape$)/.test(event.key))
      return go(cell.row, cell.column)
    switch (event.key) {
      case 'Tab':
        if (event.shiftKey) {
          if (!step(cell, -1)) leave(cell, -1)
        } else if (!step(cell, 1)) view.dispatch(tableSpec(cell, insertRow(cell.table, cell.table.rows.length, 0)))
        return true
      case 'Enter':
        vertically(cell, event.shiftKey ? -1 : 1)
        return true
      case 'Escape':
        if (!leaveTable(view, cell.table)) leave(cell, 1)
        view.focus()
        return true
    }
    if (!event.key.startsWith('Arrow')) return false
    const isVertical = event.key === 'ArrowUp' || event.key === 'ArrowDown'
    const by = event.key === 'ArrowDown' || event.key === (isRightToLeft ? 'ArrowLeft' : 'ArrowRight') ? 1 : -1
    const isOneLine = field.scrollHeight < 2 * Number.parseFloat(getComputedStyle(field).lineHeight) + 24
    if (event.shiftKey) {
      const head = selectionDirection === 'backward' ? from : to
      const isAtEdge = head === (by > 0 ? value.length : 0)
      if (!cell.anchor && !isAtEdge && !(isVertical && isOneLine)) return false
      if (isVertical) return extend(cell, by, 0)
      return extend(cell, 0, (event.key === 'ArrowRight') === isLeftToRight() ? 1 : -1)
    }
    const isAtEdge = by > 0 ? from === value.length : to === 0
    if (!isVertical) return isAtEdge && step(cell, by)
    if (!isOneLine && !isAtEdge) return false
    vertically(cell, by)
    return true
  }

  field.addEventListener('input', commit)
  field.onkeydown = (event) => {
    if (onKey(event)) event.preventDefault()
  }
  field.addEventListener('beforeinput', (event) => {
    const cell = activeIn(view.state)
    if (event.inputType === 'historyUndo') undo(view)
    else if (event.inputType === 'historyRedo') redo(view)
    // The keyboards of phones send no key.
    else if (/^insert(?:LineBreak|Paragraph)$/.test(event.inputType) && cell) vertically(cell, 1)
    else return
    event.preventDefault()
  })
  field.addEventListener('paste', (event) => {
    const cell = activeIn(view.state)
    const values = event.clipboardData && valuesOf(event.clipboardData)
    if (!cell || !values) return
    event.preventDefault()
    view.dispatch(tableSpec(cell, fillCells(cell.table, selectedCells(cell.table, cell), values)))
  })
  for (const type of ['copy', 'cut'] as const) {
    field.addEventListener(type, (event) => {
      const cell = activeIn(view.state)
      if (!cell?.anchor || !event.clipboardData) return
      event.preventDefault()
      copyCells(event.clipboardData, selectedCells(cell.table, cell).texts)
      if (type === 'cut') view.dispatch(tableSpec(cell, emptyCells(cell.table, cell)))
    })
  }
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    const cell = activeIn(view.state)
    const isInside = relatedTarget instanceof Node && (relatedTarget === field || bar.element.contains(relatedTarget))
    // Another window has the focus; the writer comes back to this one.
    if (isInside || field.hidden || !cell || !document.hasFocus()) return
    leaveTable(view, cell.table)
  }
  field.addEventListener('focusout', onFocusOut)
  bar.element.addEventListener('focusout', onFocusOut)
  const options = { signal: listeners.signal, passive: true }
  // The page, and a table that is wider than it.
  addEventListener('scroll', place, { ...options, capture: true })
  addEventListener('resize', place, options)
  visualViewport?.addEventListener('resize', place, options)
  visualViewport?.addEventListener('scroll', place, options)

  return {
    show,
    update({ state, startState, geometryChanged }) {
      const [now, before] = [state.field(tables), startState.field(tables)]
      if (!now.active && !before.active) return
      if (now !== before) show()
      else if (geometryChanged) place()
    },
    destroy() {
      listeners.abort()
      frame.remove()
      bar.element.remove()
    },
  }
}
