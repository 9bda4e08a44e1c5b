import { type EditorView, WidgetType } from '@codemirror/view'
import { t } from '../../messages.ts'
import { element } from './element.ts'

/** The checkbox of a task. A click changes one character: the one between the brackets. */
export class TaskWidget extends WidgetType {
  readonly isDone: boolean
  constructor(isDone: boolean) {
    super()
    this.isDone = isDone
  }
  override eq(other: TaskWidget): boolean {
    return other.isDone === this.isDone
  }
  override toDOM(view: EditorView): HTMLElement {
    const box = element('input', {
      type: 'checkbox',
      className: 'md-check',
      checked: this.isDone,
      tabIndex: -1,
      ariaLabel: t('desk.common.done'),
    })
    // The cursor stays where it is, and a phone's keyboard closed.
    box.onmousedown = (event) => event.preventDefault()
    box.onclick = (event) => {
      event.preventDefault()
      if (view.state.readOnly) return
      const from = view.posAtDOM(box) + 1
      view.dispatch({ changes: { from, to: from + 1, insert: this.isDone ? ' ' : 'x' }, userEvent: 'input.task' })
    }
    return box
  }
  override ignoreEvent(): boolean {
    return true
  }
}
