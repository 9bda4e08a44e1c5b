import { EditorSelection, type Extension, Prec, StateEffect, StateField } from '@codemirror/state'
import { type Command, Decoration, EditorView, keymap, ViewPlugin } from '@codemirror/view'
import { type Reference, referenceAt } from './note-syntax.ts'

/** The footnote whose text is being written in a panel by its reference. */

/** Opens the panel of the reference around this position; null closes it. */
export const openNote = StateEffect.define<number | null>()

export const note = StateField.define<Reference | undefined>({
  create: () => undefined,
  update(before, { changes, effects, state }) {
    const asked = effects.findLast((effect) => effect.is(openNote))?.value
    if (asked !== undefined) return asked === null || state.readOnly ? undefined : referenceAt(state, asked)
    if (!before || state.readOnly) return undefined
    if (changes.empty) return before
    const now = referenceAt(state, changes.mapPos(before.from, 1) + 1)
    return now?.label === before.label ? now : undefined
  },
})

const shown = Decoration.mark({ class: 'md-asked' })
const decorations = EditorView.decorations.compute([note], (state) => {
  const open = state.field(note)
  return open ? Decoration.set(shown.range(open.from, open.to)) : Decoration.none
})

/** Enter within a reference. */
const openAtCursor: Command = (view) => {
  const { main, ranges } = view.state.selection
  if (!main.empty || ranges.length > 1 || view.state.readOnly || !referenceAt(view.state, main.head)) return false
  view.dispatch({ effects: openNote.of(main.head) })
  return true
}

const pointing = ViewPlugin.define((view) => {
  const listeners = new AbortController()
  view.contentDOM.addEventListener(
    'click',
    ({ target }) => {
      const mark = target instanceof Element ? target.closest('.md-note-mark') : null
      if (!mark || view.state.readOnly || !view.state.selection.main.empty) return
      const at = view.posAtDOM(mark) + 1
      const reference = referenceAt(view.state, at)
      if (!reference) return
      view.dispatch({ selection: EditorSelection.cursor(reference.to), effects: openNote.of(at) })
    },
    { signal: listeners.signal },
  )
  return { destroy: () => listeners.abort() }
})

export const notes: Extension = [
  note,
  decorations,
  pointing,
  Prec.high(keymap.of([{ key: 'Enter', run: openAtCursor }])),
]
