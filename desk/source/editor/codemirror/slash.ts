import type { Completion, CompletionSource } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import { t } from '../../messages.ts'
import { type Act, acts } from './acts.ts'
import { isCode } from './keymap.ts'

/** The menu that `/` opens at the start of a line or after a space. */

/** What has been typed is taken away, and the act done, in one step that undo takes back. */
function applyAct({ change, run }: Act, view: EditorView, from: number, to: number): void {
  const clear = { changes: { from, to }, selection: { anchor: from }, userEvent: 'input.complete' }
  const spec = change?.(view.state.update(clear).state)
  if (spec) view.dispatch(clear, { ...spec, sequential: true, userEvent: 'input.complete' })
  else {
    view.dispatch(clear)
    run?.(view)
  }
}

/** The typed text is matched with the label, so labels begin with the slash: the list then follows each keystroke. */
function completionOf(act: Act, place: number): Completion {
  const label = t(`desk.editor.act.${act.name}`)
  return {
    label: `/${label} ${act.terms}`.toLowerCase(),
    displayLabel: label,
    detail: act.hint!,
    sortText: String(place).padStart(2, '0'),
    apply: (view, _completion, from, to) => applyAct(act, view, from, to),
  }
}

/** Within a sentence one word, so that the menu closes where a slash is only a slash: "tea / coffee". */
const atStart = /^\s*\/(?:[\p{L}\p{M}][\p{L}\p{M} ]*)?/u
const inSentence = /(?<=\s)\/[\p{L}\p{M}]*/u

export function slashMenu(): CompletionSource {
  const options = acts.filter(({ hint }) => hint !== undefined).map(completionOf)
  return (context) => {
    const line = context.matchBefore(atStart)
    const found = line ?? context.matchBefore(inSentence)
    if (!found || isCode(context.state, context.pos)) return null
    const from = found.from + found.text.indexOf('/')
    return { from, options, validFor: line ? /^\/(?:[\p{L}\p{M}][\p{L}\p{M} ]*)?$/u : /^\/[\p{L}\p{M}]*$/u }
  }
}
