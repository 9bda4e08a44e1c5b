import type { EditorState, Line, StateCommand } from '@codemirror/state'
import { treeTo } from './marks.ts'
import { cellsIn, wordsIn } from './table-syntax.ts'

/** Tab and Shift+Tab in a table that is shown as Markdown. */

interface Cell {
  /** Between its pipes. */
  readonly from: number
  readonly to: number
  /** Behind its text, or in the middle of an empty cell. */
  readonly end: number
}

const rowPrefix = /^\s*(?:>\s?)*/
const divider = /^\s*(?:>\s?)*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

function cellsOf({ from, text }: Line): Cell[] {
  return cellsIn(text, rowPrefix.exec(text)![0].length).map((cell) => ({
    from: from + cell.from,
    to: from + cell.to,
    end: from + wordsIn(text, cell).to,
  }))
}

/** The rows of the table at the cursor, without the one that divides its head from its body. */
function rowsAt(state: EditorState): Line[] | undefined {
  const { main, ranges } = state.selection
  if (ranges.length > 1) return undefined
  let node = treeTo(state, main.head).resolveInner(main.head, -1)
  if (node.name === 'Document') node = treeTo(state, main.head).resolveInner(main.head, 1)
  while (node.name !== 'Table') {
    if (!node.parent) return undefined
    node = node.parent
  }
  const rows: Line[] = []
  const last = state.doc.lineAt(node.to).number
  for (let at = state.doc.lineAt(node.from).number; at <= last; at += 1) rows.push(state.doc.line(at))
  return rows.filter(({ text }, at) => at !== 1 || !divider.test(text))
}

const toCell =
  (step: 1 | -1): StateCommand =>
  ({ state, dispatch }) => {
    const rows = rowsAt(state)
    if (!rows || state.readOnly) return false
    const { head } = state.selection.main
    const cells = rows.flatMap(cellsOf)
    const here = cells.findIndex(({ from, to }) => head >= from && head <= to)
    // Before its first pipe, behind its last one, or in the row of dashes.
    const near = step > 0 ? cells.findIndex(({ from }) => from > head) : cells.findLastIndex(({ to }) => to < head)
    const next = cells[here < 0 ? near : here + step]
    if (next) {
      dispatch(state.update({ selection: { anchor: next.end }, userEvent: 'select', scrollIntoView: true }))
    } else if (step > 0) {
      const last = rows.at(-1)!
      const start = `\n${rowPrefix.exec(last.text)![0]}| `
      dispatch(
        state.update({
          changes: { from: last.to, insert: `${start}${' | '.repeat(cellsOf(rows[0]!).length - 1)} |` },
          selection: { anchor: last.to + start.length },
          userEvent: 'input',
          scrollIntoView: true,
        }),
      )
    }
    return true
  }

export const nextCell = toCell(1)
export const previousCell = toCell(-1)
