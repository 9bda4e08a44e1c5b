import { syntaxTree } from '@codemirror/language'
import type { EditorState, StateCommand } from '@codemirror/state'

/** What the Enter key does in plain prose, where one line break alone would not be seen by a reader. */

/** Where a line break means something of its own. */
const otherwise = new Set([
  'FencedCode',
  'CodeBlock',
  'Blockquote',
  'ListItem',
  'Table',
  'HTMLBlock',
  'CommentBlock',
  'ProcessingInstructionBlock',
])

function isProse(state: EditorState, at: number): boolean {
  // The first row of a table is no table yet.
  if (/^\s*\|/.test(state.doc.lineAt(at).text)) return false
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (otherwise.has(node.name)) return false
  }
  return true
}

/** Whether a paragraph goes on over this place, as one with line breaks of its own does. */
function goesOver(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (node.name === 'Paragraph') return node.from < at && node.to > at
  }
  return false
}

/**
 * Parts the text at the cursor. A line break that stands there already, within a paragraph, becomes part of what parts
 * it, and the cursor goes behind it.
 */
const part =
  (sign: (isAtStart: boolean) => string): StateCommand =>
  ({ state, dispatch }) => {
    const { main, ranges } = state.selection
    if (ranges.length > 1 || !isProse(state, main.from) || !isProse(state, main.to)) return false
    const [first, last] = [state.doc.lineAt(main.from), state.doc.lineAt(main.to)]
    const before = first.text.slice(0, main.from - first.from)
    const after = last.text.slice(main.to - last.from)
    if (before.trim() === '' && after.trim() === '') return false
    const isAtStart = before.trim() === '' && first.number > 1 && goesOver(state, first.from - 1)
    const hasBreak = after.trim() === '' && goesOver(state, last.to)
    const spaces = /^[\t ]*/.exec(after)![0].length
    const insert = sign(isAtStart)
    dispatch(
      state.update({
        changes: { from: main.from, to: main.to + spaces + (hasBreak ? 1 : 0), insert },
        selection: { anchor: main.from + insert.length },
        userEvent: 'input',
        scrollIntoView: true,
      }),
    )
    return true
  }

/** Enter: a paragraph of its own. */
export const beginParagraph = part((isAtStart) => (isAtStart ? '\n' : '\n\n'))

/** Shift and Enter: a line of its own in the same paragraph. */
export const breakLine = part((isAtStart) => (isAtStart ? '\n' : '\\\n'))
