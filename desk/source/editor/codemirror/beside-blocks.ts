import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** What typing, deleting and moving beside a block that is shown as a whole must not do to it. */

interface Block {
  readonly from: number
  readonly to: number
}
type BlockAt<Found extends Block> = (state: EditorState, at: number) => Found | undefined

const lineAt = ({ doc }: EditorState, number: number) =>
  number >= 1 && number <= doc.lines ? doc.line(number) : undefined

/** The block that a deletion at the end of a paragraph would join with it. */
export function joinedBlock<Found extends Block>(
  state: EditorState,
  step: 1 | -1,
  blockAt: BlockAt<Found>,
): Found | undefined {
  const { main, ranges } = state.selection
  const line = state.doc.lineAt(main.head)
  if (!main.empty || ranges.length > 1 || main.head !== (step > 0 ? line.to : line.from)) return undefined
  const next = lineAt(state, line.number + step)
  const isEmpty = line.text.trim() === ''
  const reached = next && next.text.trim() === '' && !isEmpty ? lineAt(state, line.number + 2 * step) : next
  return reached && reached.text !== '' ? blockAt(state, reached.from) : undefined
}

/** The block that a movement by a line would pass. */
export function passedBlock<Found extends Block>(
  view: EditorView,
  step: 1 | -1,
  blocks: readonly Found[],
): Found | undefined {
  const { main, ranges } = view.state.selection
  if (!main.empty || ranges.length > 1 || blocks.length === 0) return undefined
  const { head } = view.moveVertically(main, step > 0)
  const passed = blocks.filter((block) =>
    step > 0 ? block.from > main.head && block.from <= head : block.to < main.head && block.to >= head,
  )
  return step > 0 ? passed[0] : passed.at(-1)
}

/** What is typed in the blank line beside a block is a paragraph of its own. Whether that was done. */
export function typedBeside(
  view: EditorView,
  from: number,
  to: number,
  text: string,
  blockAt: BlockAt<Block>,
): boolean {
  const { state } = view
  const line = state.doc.lineAt(from)
  if (from !== to || text === '' || line.text.trim() !== '') return false
  const beside = [lineAt(state, line.number - 1), lineAt(state, line.number + 1)]
  if (!beside.some((one) => one?.text && blockAt(state, one.from))) return false
  const [above, below] = beside.map((one) => (one && one.text.trim() !== '' ? '\n' : '')) as [string, string]
  view.dispatch({
    changes: [
      { from: line.from, insert: above },
      { from, insert: text },
      { from: line.to, insert: below },
    ],
    selection: { anchor: from + above.length + text.length },
    userEvent: 'input.type',
    scrollIntoView: true,
  })
  return true
}
