import { EditorState, type TransactionSpec } from '@codemirror/state'
import { markdown } from './keymap.ts'

/** For tests: `‸` is the cursor, `⟦` and `⟧` are the ends of a selection. */
export function stateOf(text: string): EditorState {
  const from = text.search(/[‸⟦]/)
  const doc = text.replace(/[‸⟦⟧]/g, '')
  const head = text.includes('⟧') ? text.indexOf('⟧') - 1 : from
  return EditorState.create({ doc, selection: { anchor: from, head }, extensions: [markdown] })
}

export function textOf({ doc, selection: { main } }: EditorState): string {
  const [before, inside, after] = [
    doc.sliceString(0, main.from),
    doc.sliceString(main.from, main.to),
    doc.sliceString(main.to),
  ]
  return main.empty ? `${before}‸${after}` : `${before}⟦${inside}⟧${after}`
}

/** The text after a change; undefined if there is none. */
export function changed(text: string, change: (state: EditorState) => TransactionSpec | undefined): string | undefined {
  const state = stateOf(text)
  const spec = change(state)
  return spec && textOf(state.update(spec).state)
}
