import { completionStatus } from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import type { EditorState, Extension, Range } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

/** Everything but the paragraph with the caret is dimmed, and its line stays in the middle of the window. */

/** What is shown as one: the outermost of these. In a list it is an item. */
const blocks =
  /^(?:Paragraph|Task|ATXHeading\d|SetextHeading\d|FencedCode|CodeBlock|Table|HTMLBlock|CommentBlock|LinkReference)$/

function blockAt(state: EditorState, at: number): { readonly from: number; readonly to: number } {
  const line = state.doc.lineAt(at)
  let found = { from: line.from, to: line.to }
  for (const side of [-1, 1] as const) {
    for (let node = syntaxTree(state).resolveInner(at, side); node.parent; node = node.parent) {
      if (blocks.test(node.name)) found = { from: Math.min(found.from, node.from), to: Math.max(found.to, node.to) }
    }
  }
  return found
}

/** The lines of the paragraphs that the selection begins and ends in, and of all between them. */
export function currentLines(state: EditorState): { readonly from: number; readonly to: number } {
  const { main } = state.selection
  return { from: blockAt(state, main.from).from, to: blockAt(state, main.to).to }
}

const now = Decoration.line({ class: 'md-now' })

const dimming = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = this.find(view)
    }
    update({ docChanged, selectionSet, viewportChanged, startState, state, view }: ViewUpdate) {
      // On a slow machine paragraphs are known only some time after they were typed.
      const isParsed = syntaxTree(startState) !== syntaxTree(state)
      if (docChanged || selectionSet || viewportChanged || isParsed) this.decorations = this.find(view)
    }
    find({ state, viewport }: EditorView): DecorationSet {
      const { from, to } = currentLines(state)
      const found: Range<Decoration>[] = []
      for (let at = Math.max(from, viewport.from); at <= Math.min(to, viewport.to); ) {
        const line = state.doc.lineAt(at)
        found.push(now.range(line.from))
        at = line.to + 1
      }
      return Decoration.set(found)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

/** Half of the height of the line that is kept in the middle. */
const halfLine = 24

/**
 * What is typed is scrolled into what these leave, which costs no measuring of its own. Not while a menu is open:
 * CodeMirror hides menus within these margins.
 */
const middle = EditorView.scrollMargins.of(({ state }) => {
  if (completionStatus(state)) return null
  const half = Math.max(0, innerHeight / 2 - halfLine)
  return { top: half, bottom: half }
})

export const focusMode: Extension = [EditorView.editorAttributes.of({ class: 'md-focusing' }), dimming, middle]

/** The line with the caret in the middle. */
export function centre(view: EditorView): void {
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: 'center' }) })
}
