import type { Completion, CompletionSource } from '@codemirror/autocomplete'
import type { EditorState, TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { t } from '../../messages.ts'
import { isCode } from './keymap.ts'

/** The menu that `/` opens at the start of a line. `‸` marks the cursor. */

interface SlashItem {
  /** The last part of its message's id. */
  readonly name: keyof typeof searchTerms
  readonly text: string
  /** The Markdown it inserts, as a hint. */
  readonly hint: string
  /** Needs a blank line above and below. */
  readonly isApart?: boolean
}

/**
 * What finds an item besides its label. English in every language: writers know these words from Markdown and from
 * other editors.
 */
const searchTerms = {
  heading: 'heading title section',
  subheading: 'subheading smaller',
  list: 'list bullets',
  numbered_list: 'numbered ordered',
  checklist: 'checklist tasks todo',
  quote: 'quote blockquote',
  code: 'code source',
  image: 'image picture photo',
  table: 'table',
  link: 'link address url',
  divider: 'divider rule line break',
  footnote: 'footnote note',
} as const

const slashItems: readonly SlashItem[] = [
  { name: 'heading', text: '## ‸', hint: '##' },
  { name: 'subheading', text: '### ‸', hint: '###' },
  { name: 'list', text: '- ‸', hint: '-' },
  { name: 'numbered_list', text: '1. ‸', hint: '1.' },
  { name: 'checklist', text: '- [ ] ‸', hint: '- [ ]' },
  { name: 'quote', text: '> ‸', hint: '>' },
  { name: 'code', text: '```\n‸\n```', hint: '```' },
  { name: 'table', text: '| ‸ |  |\n| --- | --- |\n|  |  |', hint: '| |', isApart: true },
  { name: 'link', text: '[‸]()', hint: '[ ]( )' },
  { name: 'divider', text: '---\n\n‸', hint: '---', isApart: true },
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
  const completion = (name: SlashItem['name'], hint: string, apply: Apply): Completion => {
    const label = t(`desk.editor.slash.${name}`)
    return { label: `/${label} ${searchTerms[name]}`.toLowerCase(), displayLabel: label, detail: hint, apply }
  }
  const toCompletion = (item: SlashItem) => completion(item.name, item.hint, applyChange(insertItem(item)))
  const options = [
    ...slashItems.slice(0, 7).map(toCompletion),
    completion('image', '![ ]', (view, _completion, from, to) => {
      view.dispatch({ changes: { from, to } })
      onPicture()
    }),
    ...slashItems.slice(7).map(toCompletion),
    completion('footnote', '[^1]', applyChange(insertFootnote)),
  ].map((one, place): Completion => ({ ...one, sortText: String(place).padStart(2, '0') }))
  const typed = /^\/[\p{L}\p{M} ]*$/u
  return (context) => {
    const found = context.matchBefore(typed)
    return found && !isCode(context.state, context.pos) ? { from: found.from, options, validFor: typed } : null
  }
}

type Apply = (view: EditorView, completion: Completion, from: number, to: number) => void

const applyChange =
  (change: Change): Apply =>
  (view, _completion, from, to) =>
    view.dispatch(change(view.state, from, to), { userEvent: 'input.complete', scrollIntoView: true })
