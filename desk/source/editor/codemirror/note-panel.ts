import { isolateHistory, redo, undo } from '@codemirror/commands'
import type { EditorView } from '@codemirror/view'
import { t } from '../../messages.ts'
import { element } from './element.ts'
import { noteOf, removeNote, writeNote } from './note-syntax.ts'
import { note, openNote } from './notes.ts'
import type { Panel } from './panel.ts'

/** Between the reference and the panel. */
const gap = 8

let count = 0

/** The place to write a footnote, by its reference. */
export function createNotePanel(view: EditorView): Panel {
  const id = `note-${++count}`
  const label = element('label', { htmlFor: id })
  const field = element('textarea', {
    id,
    rows: 3,
    spellcheck: true,
    autocapitalize: 'sentences',
    dir: 'auto',
    placeholder: t('desk.editor.note.hint'),
  })
  const button = (words: string, onclick: () => void, className = '') =>
    element('button', { type: 'button', className, onclick }, words)
  const panel = element(
    'div',
    { className: 'md-panel md-note', role: 'group', ariaLabel: t('desk.editor.act.footnote'), hidden: true },
    label,
    field,
    element(
      'div',
      { className: 'md-upload-acts' },
      button(t('desk.editor.note.remove'), () => {
        const open = view.state.field(note)
        if (!open) return
        view.dispatch({
          changes: removeNote(view.state, open),
          selection: { anchor: open.from },
          effects: openNote.of(null),
          annotations: isolateHistory.of('full'),
          userEvent: 'input.note',
        })
        view.focus()
      }),
      button(t('desk.common.done'), () => close(), 'md-upload-main'),
    ),
  )
  view.dom.append(panel)

  /** Back to the text behind the reference. */
  const close = () => {
    const open = view.state.field(note)
    if (!open) return
    view.dispatch({ selection: { anchor: open.to }, effects: openNote.of(null), scrollIntoView: true })
    view.focus()
  }

  const place = () => {
    if (panel.hidden) return
    view.requestMeasure({
      key: panel,
      read() {
        const open = view.state.field(note)
        const [start, end] = [open && view.coordsAtPos(open.from, 1), open && view.coordsAtPos(open.to, -1)]
        return start && end && { start, end, editor: view.dom.getBoundingClientRect(), width: panel.offsetWidth }
      },
      write(found) {
        if (!found) return
        const { start, end, editor, width } = found
        const left = Math.max(0, Math.min((start.left + end.left - width) / 2 - editor.left, editor.width - width))
        Object.assign(panel.style, { top: `${end.bottom - editor.top + gap}px`, left: `${left}px` })
      },
    })
  }

  let shown: string | undefined
  const show = () => {
    const open = view.state.field(note)
    const isNew = open !== undefined && shown !== open.label
    shown = open?.label
    panel.hidden = !open
    if (!open) return
    const text = noteOf(view.state, open.label)?.text ?? ''
    // What is being typed stays: the text has it without spaces at its end.
    if (isNew || field.value.trimEnd() !== text.trimEnd()) field.value = text
    label.textContent = t('desk.editor.note.text', { label: open.label })
    place()
    if (!isNew) return
    field.focus({ preventScroll: true })
    field.setSelectionRange(field.value.length, field.value.length)
    // Below the last line of the window there is no place for it.
    requestAnimationFrame(() => panel.scrollIntoView({ block: 'nearest' }))
  }

  field.addEventListener('input', () => {
    const open = view.state.field(note)
    const changes = open && writeNote(view.state, open.label, field.value.trimEnd())
    // Typing is one step for undo, as in the text.
    if (changes) view.dispatch({ changes, userEvent: 'input.type.panel' })
  })
  panel.onkeydown = (event) => {
    // During IME composition these keys belong to the input method.
    if (event.isComposing) return
    const key = event.key.toLowerCase()
    const isField = event.target === field
    if (key === 'escape' || (key === 'enter' && isField && !event.shiftKey)) close()
    else if (isField && (event.ctrlKey || event.metaKey) && (key === 'z' || key === 'y')) {
      const isBack = key === 'z' && !event.shiftKey
      ;(isBack ? undo : redo)(view)
    } else return
    // The editor gets the focus next and would handle the key too.
    event.preventDefault()
  }
  panel.addEventListener('focusout', ({ relatedTarget }) => {
    const isInside = relatedTarget instanceof Node && panel.contains(relatedTarget)
    // Another window has the focus; the writer comes back to this one.
    if (isInside || panel.hidden || !document.hasFocus() || !view.state.field(note)) return
    view.dispatch({ effects: openNote.of(null) })
  })

  return {
    update({ state, startState, geometryChanged }) {
      const isOpen = state.field(note) !== undefined
      if (isOpen !== (startState.field(note) !== undefined) || (isOpen && state !== startState)) show()
      else if (geometryChanged) place()
    },
    show,
    destroy: () => panel.remove(),
  }
}
