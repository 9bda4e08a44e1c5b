import { isolateHistory } from '@codemirror/commands'
import type { TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { t } from '../../messages.ts'
import { iconOf, placeAfter } from './act-bar.ts'
import { element } from './element.ts'
import { removeBlock } from './picture-moves.ts'
import { type ActiveCell, activeIn, setCell } from './table-blocks.ts'
import {
  alignColumn,
  changeTable,
  insertColumn,
  insertRow,
  moveColumn,
  moveRow,
  removeColumn,
  removeRow,
  type TableChange,
} from './table-changes.ts'
import type { Align } from './table-syntax.ts'

/** What can be done to the table of the cell that is being edited. */

/** A change of a table as one step for undo, which goes on in a cell. */
export const tableSpec = ({ table }: ActiveCell, change: TableChange): TransactionSpec => ({
  ...changeTable(table.from, table, change),
  effects: setCell.of(change.place),
  annotations: isolateHistory.of('full'),
  userEvent: 'input.table',
})

interface TableAct {
  readonly name: TableActName
  readonly icon: string
  /** Left and right are where the writer sees them. */
  readonly change?: (cell: ActiveCell, isRightToLeft: boolean) => TableChange | undefined
  readonly spec?: (view: EditorView, cell: ActiveCell) => TransactionSpec
  readonly align?: Align
}

type TableActName =
  | 'row_above'
  | 'row_below'
  | 'row_up'
  | 'row_down'
  | 'row_remove'
  | 'column_left'
  | 'column_right'
  | 'column_move_left'
  | 'column_move_right'
  | 'column_remove'
  | 'align_left'
  | 'align_center'
  | 'align_right'
  | 'as_text'
  | 'remove'

/** What Markdown calls right is the end of the line, for readers too. */
const alignFor = (seen: Align, isRightToLeft: boolean): Align =>
  !isRightToLeft || seen === 'center' ? seen : seen === 'left' ? 'right' : 'left'

const aligned = (align: 'left' | 'center' | 'right', icon: string): TableAct => ({
  name: `align_${align}`,
  icon,
  align,
  change: (cell, isRightToLeft) => alignColumn(cell.table, cell, alignFor(align, isRightToLeft)),
})

const tableActs: readonly TableAct[] = [
  {
    name: 'row_above',
    icon: 'M3 11h14v5H3zM10 2v6M7 5h6',
    change: ({ table, row, column }) => insertRow(table, row, column),
  },
  {
    name: 'row_below',
    icon: 'M3 4h14v5H3zM10 12v6M7 15h6',
    change: ({ table, row, column }) => insertRow(table, row + 1, column),
  },
  { name: 'row_up', icon: 'M3 12h14v5H3zM10 9V3M7 5.5L10 3l3 2.5', change: (cell) => moveRow(cell.table, cell, -1) },
  { name: 'row_down', icon: 'M3 3h14v5H3zM10 11v6M7 14.5l3 2.5 3-2.5', change: (cell) => moveRow(cell.table, cell, 1) },
  { name: 'row_remove', icon: 'M3 3h14v5H3zM7 12l6 6M13 12l-6 6', change: (cell) => removeRow(cell.table, cell) },
  {
    name: 'column_left',
    icon: 'M11 3h5v14h-5zM2 10h6M5 7v6',
    change: ({ table, row, column }, isRightToLeft) => insertColumn(table, row, column + (isRightToLeft ? 1 : 0)),
  },
  {
    name: 'column_right',
    icon: 'M4 3h5v14H4zM12 10h6M15 7v6',
    change: ({ table, row, column }, isRightToLeft) => insertColumn(table, row, column + (isRightToLeft ? 0 : 1)),
  },
  {
    name: 'column_move_left',
    icon: 'M12 3h5v14h-5zM9 10H3M5.5 7L3 10l2.5 3',
    change: (cell, isRightToLeft) => moveColumn(cell.table, cell, isRightToLeft ? 1 : -1),
  },
  {
    name: 'column_move_right',
    icon: 'M3 3h5v14H3zM11 10h6M14.5 7l2.5 3-2.5 3',
    change: (cell, isRightToLeft) => moveColumn(cell.table, cell, isRightToLeft ? -1 : 1),
  },
  { name: 'column_remove', icon: 'M3 3h5v14H3zM12 7l6 6M18 7l-6 6', change: (cell) => removeColumn(cell.table, cell) },
  aligned('left', 'M3 5h14M3 10h8M3 15h11'),
  aligned('center', 'M3 5h14M6 10h8M4.5 15h11'),
  aligned('right', 'M3 5h14M9 10h8M6 15h11'),
  {
    name: 'as_text',
    icon: 'M7 6l-4 4 4 4M13 6l4 4-4 4',
    spec: (view) => ({ selection: { anchor: view.state.selection.main.head }, scrollIntoView: true }),
  },
  {
    name: 'remove',
    icon: 'M4 6h12M8 6V4h4v2M5.5 6l.8 10.5h7.4L14.5 6',
    spec: (view, { table }) => ({
      ...removeBlock(view.state, table),
      effects: setCell.of(null),
      userEvent: 'input.table',
    }),
  },
]

export interface TableBar {
  readonly element: HTMLElement
  refresh(): void
  focus(): void
}

/** `onDone`: where the focus goes on after an act, and after Escape. */
export function createTableBar(view: EditorView, onDone: () => void): TableBar {
  const buttons = tableActs.map(({ name, icon, align }) => {
    const label = t(`desk.editor.table.${name}`)
    const button = element('button', { type: 'button', ariaLabel: label, title: label, tabIndex: -1 }, iconOf(icon))
    if (align) button.ariaPressed = 'false'
    button.dataset['act'] = name
    return button
  })
  const toolbar = element('div', { role: 'toolbar', ariaLabel: t('desk.editor.act.table') }, ...buttons)
  const bar = element('div', { className: 'md-bar md-table-bar', hidden: true }, toolbar)
  const moveTo = (place: number) => {
    for (const [at, button] of buttons.entries()) button.tabIndex = at === place ? 0 : -1
    buttons[place]?.focus()
  }
  buttons[0]!.tabIndex = 0

  const isRightToLeft = () => getComputedStyle(view.contentDOM).direction === 'rtl'
  const changeOf = ({ change }: TableAct, cell: ActiveCell) => change?.(cell, isRightToLeft())
  // A press of the mouse would take the focus from the cell.
  bar.onmousedown = (event) => event.preventDefault()
  toolbar.onclick = ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const act = tableActs[buttons.indexOf(button as HTMLButtonElement)]
    const cell = activeIn(view.state)
    if (!act || !cell || button?.ariaDisabled === 'true') return
    const hadFocus = bar.contains(document.activeElement)
    const change = changeOf(act, cell)
    if (change) view.dispatch(tableSpec(cell, change))
    else if (act.spec) {
      view.dispatch(act.spec(view, cell))
      view.focus()
      return
    }
    // By keyboard the next act follows from here.
    if (hadFocus) button?.focus()
    else onDone()
  }
  toolbar.onkeydown = (event) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const place = placeAfter(event.key, at, buttons.length, getComputedStyle(toolbar).direction === 'rtl')
    if (place !== undefined) moveTo(place)
    else if (event.key === 'Escape') onDone()
    else return
    event.preventDefault()
  }
  return {
    element: bar,
    refresh() {
      const cell = activeIn(view.state)
      if (!cell) return
      for (const [at, act] of tableActs.entries()) {
        const button = buttons[at]!
        if (act.align) {
          button.ariaPressed = String(cell.table.aligns[cell.column] === alignFor(act.align, isRightToLeft()))
        } else button.ariaDisabled = String(act.change !== undefined && changeOf(act, cell) === undefined)
      }
    },
    focus: () =>
      moveTo(
        Math.max(
          0,
          buttons.findIndex(({ tabIndex }) => tabIndex === 0),
        ),
      ),
  }
}
