import {
  EditorSelection,
  EditorState,
  type Extension,
  type SelectionRange,
  type StateCommand,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state'
import { deleteAmongSigns } from './delete-among-signs.ts'
import { type Change, hidesSigns, placeAt, runAt, stepFrom, wrappedIn } from './hidden-signs.ts'
import { isPlaced, pending, typeBeside, typePending, typeSpace } from './next-marks.ts'

/** Writing in text whose signs are hidden: no key leaves half a pair of them, or one that shows. */

/** Moves the end of a selection to where it belongs; a key that would not move it for the eye moves it on. */
function placed(state: EditorState, before: number, next: number): number {
  const place = placeAt(state, next)
  if (next === before || place !== placeAt(state, before)) return place
  const run = runAt(state, next)
  if (!run) return place
  const isForward = next > before
  return placeAt(state, stepFrom(state, isForward ? run.to : run.from, isForward))
}

const keepPlaces = EditorState.transactionFilter.of((transaction) => {
  const { startState: state, selection } = transaction
  const isMove = selection && !transaction.docChanged && transaction.isUserEvent('select')
  if (!isMove || !state.facet(hidesSigns) || transaction.isUserEvent('select.search')) return transaction
  const move = (range: SelectionRange, at: number): SelectionRange => {
    const before = state.selection.ranges[at] ?? state.selection.main
    const isKey = !transaction.isUserEvent('select.pointer') && selection.ranges.length === 1
    const head = isKey ? placed(state, before.head, range.head) : placeAt(state, range.head)
    if (range.empty) return EditorSelection.cursor(head, range.assoc, range.bidiLevel ?? undefined, range.goalColumn)
    return head === range.head ? range : EditorSelection.range(range.anchor, head, range.goalColumn)
  }
  const ranges = selection.ranges.map(move)
  if (ranges.every((range, at) => range.eq(selection.ranges[at]!))) return transaction
  return [transaction, { selection: EditorSelection.create(ranges, selection.mainIndex), sequential: true }]
})

/** The only change of a transaction. */
function changeOf({ changes }: Transaction): Change | undefined {
  const found: Change[] = []
  changes.iterChanges((from, to, _, __, inserted) => found.push({ from, to, text: inserted.toString() }))
  return found.length === 1 ? found[0] : undefined
}

/** Several paragraphs that are pasted within marked words divide these. */
function pasteParagraphs(state: EditorState, { from, to, text }: Change): TransactionSpec | undefined {
  const split = from === to && from === state.selection.main.head && text.includes('\n') && splitWords(state)
  if (!split) return undefined
  const first = state.update(split)
  const { head } = first.newSelection.main
  const second = first.state.update({ changes: { from: head, insert: text } })
  return { changes: first.changes.compose(second.changes), selection: EditorSelection.cursor(head + text.length) }
}

const keepPairs = EditorState.transactionFilter.of((transaction) => {
  const { startState: state } = transaction
  const userEvent = ['input.type', 'input.paste', 'delete'].find((event) => transaction.isUserEvent(event))
  // What is typed in a panel is written as it is.
  const isPanel = transaction.isUserEvent('input.type.panel')
  if (!transaction.docChanged || !userEvent || isPanel || !state.facet(hidesSigns)) return transaction
  const change = changeOf(transaction)
  if (!change || transaction.annotation(isPlaced)) return transaction
  const spec =
    userEvent === 'input.paste'
      ? pasteParagraphs(state, change)
      : change.from === change.to
        ? (typeSpace(state, change) ?? typePending(state, change) ?? typeBeside(state, change))
        : deleteAmongSigns(state, change, transaction)
  return spec ? { ...spec, userEvent, scrollIntoView: true, annotations: isPlaced.of(true) } : transaction
})

/** What Enter does where signs are hidden, before the commands that break the line: all of it is one step for undo. */
export const enterAmongSigns =
  (commands: readonly StateCommand[]): StateCommand =>
  ({ state, dispatch }) => {
    const { main, ranges } = state.selection
    if (!state.facet(hidesSigns) || !main.empty || ranges.length > 1) return false
    const spec = leaveHeading(state)
    if (spec) {
      dispatch(state.update(spec, { userEvent: 'input', scrollIntoView: true }))
      return true
    }
    const split = splitWords(state)
    if (!split) return false
    const first = state.update(split)
    return commands.some((command) =>
      command({
        state: first.state,
        dispatch: (second) =>
          dispatch(
            state.update({
              changes: first.changes.compose(second.changes),
              selection: EditorSelection.cursor(placeAt(second.state, second.state.selection.main.head)),
              userEvent: 'input',
              scrollIntoView: true,
            }),
          ),
      }),
    )
  }

/** An empty heading becomes a paragraph; before a heading, Enter adds one. */
function leaveHeading(state: EditorState): TransactionSpec | undefined {
  const { head } = state.selection.main
  const line = state.doc.lineAt(head)
  const run = runAt(state, head)
  if (run?.from !== line.from || run.place !== head || !/^#{1,6}(?:\s|$)/.test(line.text)) return undefined
  const isEmpty = line.to === run.leadEnd
  return { changes: isEmpty ? { from: line.from, to: line.to } : { from: line.from, insert: '\n\n' } }
}

/** Within marked words, each of the two paragraphs gets signs of its own; at their end, the cursor leaves them. */
function splitWords(state: EditorState): TransactionSpec | undefined {
  const { head } = state.selection.main
  const line = state.doc.lineAt(head)
  const around = wrappedIn(state, { from: head, to: head }).filter(
    ({ name, from, to }) => from < head && to > head && name !== 'Escape',
  )
  if (around.length === 0) return undefined
  const run = runAt(state, head)
  if (run && run.from <= head && around.every(({ to }) => to <= run.to)) return { selection: { anchor: run.to } }
  if (run && run.to >= head && around.every(({ from }) => from >= run.from))
    return { selection: { anchor: run.leadEnd } }
  const left = /[^\S\n]*$/.exec(state.sliceDoc(line.from, head))![0]
  const right = /^[^\S\n]*/.exec(state.sliceDoc(head, line.to))![0]
  const closing = around.toReversed().map(({ inner, to }) => state.sliceDoc(inner.to, to))
  const opening = around.map(({ from, inner }) => state.sliceDoc(from, inner.from))
  const from = head - left.length
  const before = closing.join('') + left
  return {
    changes: { from, to: head + right.length, insert: before + right + opening.join('') },
    selection: { anchor: from + before.length },
  }
}

export const hiddenSignsEditing: Extension = [pending, keepPlaces, keepPairs]
