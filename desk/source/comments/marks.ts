import { isolateHistory } from '@codemirror/commands'
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { findPassage, type Passage, type Range } from '../../../server/platform/text/passages.ts'

/** The commented passages in the text: decorations that move with it. */

interface Marked extends Range {
  readonly id: string
}

/** The passage of a comment that is being written. */
export const draftMark = 'new'

const setMarks = StateEffect.define<readonly Marked[]>()
const setActive = StateEffect.define<string | undefined>()

const markOf = (id: string, isActive: boolean): Decoration =>
  Decoration.mark({
    class: isActive ? 'md-comment md-comment-active' : 'md-comment',
    attributes: { 'data-comment': id },
    id,
  })

interface Marks {
  readonly set: DecorationSet
  readonly active: string | undefined
}

const idOf = (decoration: Decoration): string => decoration.spec.id as string

function rangesIn(set: DecorationSet): Map<string, Range> {
  const found = new Map<string, Range>()
  for (const cursor = set.iter(); cursor.value; cursor.next()) {
    found.set(idOf(cursor.value), { from: cursor.from, to: cursor.to })
  }
  return found
}

const decorationsOf = (marked: readonly Marked[], active: string | undefined): DecorationSet =>
  Decoration.set(
    marked.map(({ id, from, to }) => markOf(id, id === active).range(from, to)),
    true,
  )

const marks = StateField.define<Marks>({
  create: () => ({ set: Decoration.none, active: undefined }),
  update(before, { changes, effects }) {
    let { set, active } = before
    set = set.map(changes)
    for (const effect of effects) {
      if (effect.is(setMarks)) set = decorationsOf(effect.value, active)
      if (effect.is(setActive)) {
        active = effect.value
        set = decorationsOf(
          [...rangesIn(set)].map(([id, range]) => ({ id, ...range })),
          active,
        )
      }
    }
    return set === before.set && active === before.active ? before : { set, active }
  },
  provide: (field) => EditorView.decorations.from(field, ({ set }) => set),
})

const listeners = new WeakMap<EditorView, MarkListeners>()

export interface MarkListeners {
  readonly onOpen: (id: string) => void
  /** Something in the text, or its place on the page, has changed. */
  readonly onMove: (isText: boolean) => void
}

const extension = [
  marks,
  EditorView.updateListener.of(({ view, docChanged, geometryChanged, viewportChanged }) => {
    if (docChanged || geometryChanged || viewportChanged) listeners.get(view)?.onMove(docChanged)
  }),
  EditorView.domEventHandlers({
    click(event, view) {
      const mark = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-comment]') : null
      const id = mark?.dataset['comment']
      if (id !== undefined && id !== draftMark && view.state.selection.main.empty) listeners.get(view)?.onOpen(id)
      return false
    },
  }),
]

/** Adds the marks to an editor that has none. */
export function openMarks(view: EditorView, heard: MarkListeners): () => void {
  listeners.set(view, heard)
  return () => {
    listeners.delete(view)
  }
}

export const marksOf = (view: EditorView): ReadonlyMap<string, Range> =>
  rangesIn(view.state.field(marks, false)?.set ?? Decoration.none)

/** Shows these passages. Those shown before stay where they have moved to; others are looked for by their words. */
export function showMarks(view: EditorView, passages: ReadonlyMap<string, Passage>, draft: Range | undefined): void {
  const hasMarks = view.state.field(marks, false) !== undefined
  if (!hasMarks) {
    if (passages.size === 0 && !draft) return
    view.dispatch({ effects: StateEffect.appendConfig.of(extension) })
  }
  const known = marksOf(view)
  const { doc } = view.state
  const text = doc.toString()
  const marked: Marked[] = []
  for (const [id, passage] of passages) {
    const range = known.get(id) ?? findPassage(text, passage)
    if (range) marked.push({ id, ...range })
  }
  const written = known.get(draftMark) ?? draft
  if (draft && written && written.from < written.to) marked.push({ id: draftMark, ...written })
  const isSame = marked.length === known.size && marked.every(({ id }) => known.has(id))
  if (!isSame) view.dispatch({ effects: setMarks.of(marked) })
}

export function activateMark(view: EditorView, id: string | undefined): void {
  const field = view.state.field(marks, false)
  if (field && field.active !== id) view.dispatch({ effects: setActive.of(id) })
}

/** Selects the passage and scrolls to it. */
export function goToMark(view: EditorView, id: string): void {
  const range = marksOf(view).get(id)
  if (!range) return
  view.dispatch({
    selection: { anchor: range.from, head: range.to },
    effects: EditorView.scrollIntoView(range.from, { y: 'center' }),
  })
  view.focus()
}

/** Puts other words in the place of the passage, in one step that undo takes back. */
export function replaceMark(view: EditorView, id: string, insert: string): boolean {
  const range = marksOf(view).get(id)
  if (!range || view.state.readOnly) return false
  const inserted = view.state.toText(insert)
  view.dispatch({
    changes: { ...range, insert: inserted },
    selection: { anchor: range.from, head: range.from + inserted.length },
    annotations: isolateHistory.of('full'),
    effects: EditorView.scrollIntoView(range.from, { y: 'nearest', yMargin: 120 }),
    userEvent: 'input.suggestion',
  })
  // The button is gone with its thread; the writer goes on in the text, where undo is.
  view.focus()
  return true
}
