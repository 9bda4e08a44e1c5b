import { type EditorState, Transaction } from '@codemirror/state'
import { textChanges } from '../../diff/changes.ts'
import { serializeText } from './line-endings.ts'

/**
 * Turns the document into `text` by changes that are not this writer's: caret and undo history stay. Undefined if the
 * line endings would differ.
 */
export function changeInto(state: EditorState, text: string): Transaction | undefined {
  const transaction = state.update({
    changes: textChanges(state.doc.toString(), text.replace(/\r\n?/g, '\n')),
    annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true)],
  })
  return serializeText(transaction.state) === text ? transaction : undefined
}
