import type { Completion, CompletionSource } from '@codemirror/autocomplete'
import type { EditorState, TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { isCode } from './keymap.ts'

/** The menu that `/` opens at the start of a line. `‸` marks the cursor. */

interface SlashItem {
  readonly name: string
  readonly text: string
  /** The Markdown it inserts, as a hint. */
  readonly hint: string
  readonly also?: string
  /** Needs a blank line above and below. */
  readonly isApart?: boolean
}

const slashItems: readonly SlashItem[] = [
  { name: 'Heading', text: '## ‸', hint: '##', also: 'title section' },
  { name: 'Smaller heading', text: '### ‸', hint: '###', also: 'subheading' },
  { name: 'List', text: '- ‸', hint: '-', also: 'bullets' },
  { name: 'Numbered list', text: '1. ‸', hint: '1.', also: 'ordered' },
  { name: 'Tasks', text: '- [ ] ‸', hint: '- [ ]', also: 'todo checklist' },
  { name: 'Quote', text: '> ‸', hint: '>', also: 'blockquote' },
  { name: 'Code', text: '```\n‸\n```', hint: '```', also: 'source' },
  { name: 'Table', text: '| ‸ |  |\n| --- | --- |\n|  |  |', hint: '| |', isApart: true },
  { name: 'Link', text: '[‸]()', hint: '[ ]( )', also: 'address' },
  { name: 'Rule', text: '---\n\n‸', hint: '---', also: 'line divider break', isApart: true },
]

const cursorSign = '‸'

type Change = (state: EditorState, from: number, to: number) => TransactionSpec

const insertItem =
  ({ text, isApart = false }: SlashItem): Change =>
  ({ doc }, from, to) => {
    const { number } = doc.lineAt(from)
    const isTaken = (line: number) => isApart && line > 0 && line <= doc.lines && doc.line(line).text.trim() !== ''
    const above = isTaken(number - 1) ? '\n' : ''
    const below = isTaken(number + 1) ? '\n' : ''
    return {
      changes: { from, to, insert: above + text.replace(cursorSign, '') + below },
      selection: { anchor: from + above.length + text.indexOf(cursorSign) },
    }
  }

/** Inserts the next footnote number at the cursor and starts the note at the end of the text. */
const insertFootnote: Change = ({ doc }, from, to) => {
  const numbers = [...doc.toString().matchAll(/\[\^(\d{1,6})\]/g)].map(([, number]) => Number(number))
  const mark = `[^${Math.max(0, ...numbers) + 1}]`
  const whole = doc.sliceString(0, from) + mark + doc.sliceString(to)
  const breaks = '\n'.repeat(Math.max(0, 2 - /\n*$/.exec(whole)![0].length))
  return {
    changes: [
      { from, to, insert: mark },
      { from: doc.length, insert: `${breaks}${mark}: ` },
    ],
    selection: { anchor: whole.length + breaks.length + mark.length + 2 },
  }
}

/**
 * `onPicture` opens the file chooser. The typed text is matched with the label, so labels begin with the slash: the
 * list then follows each keystroke at once, and Enter selects from it.
 */
export function slashMenu(onPicture: () => void): CompletionSource {
  const completion = (name: string, hint: string, also: string, change: Change): Completion => ({
    label: `/${name} ${also}`.trim().toLowerCase(),
    displayLabel: name,
    detail: hint,
    apply(view: EditorView, _completion: Completion, from: number, to: number) {
      view.dispatch(change(view.state, from, to), { userEvent: 'input.complete', scrollIntoView: true })
    },
  })
  const toCompletion = (offer: SlashItem) => completion(offer.name, offer.hint, offer.also ?? '', insertItem(offer))
  const picture: Completion = {
    label: '/picture image photo',
    displayLabel: 'Picture',
    detail: '![ ]',
    apply(view, _completion, from, to) {
      view.dispatch({ changes: { from, to } })
      onPicture()
    },
  }
  const options = [
    ...slashItems.slice(0, 7).map(toCompletion),
    picture,
    ...slashItems.slice(7).map(toCompletion),
    completion('Footnote', '[^1]', 'note', insertFootnote),
  ].map((one, place): Completion => ({ ...one, sortText: String(place).padStart(2, '0') }))
  const typed = /^\/[\p{L} ]*$/u
  return (context) => {
    const found = context.matchBefore(typed)
    return found && !isCode(context.state, context.pos) ? { from: found.from, options, validFor: typed } : null
  }
}
