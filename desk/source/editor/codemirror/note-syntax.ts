import type { ChangeSpec, EditorState } from '@codemirror/state'
import { isCode } from './keymap.ts'
import { removeBlock } from './picture-moves.ts'
import { common, type Span } from './table-syntax.ts'

/** Footnotes: `[^label]` in the text, and `[^label]: …` somewhere below, whose further lines are indented. */

export interface Reference extends Span {
  readonly label: string
}

const references = /\[\^([^\s[\]]{1,100})\](:?)/g

/** The references in a line; what begins a note is none. */
function referencesIn({ from, text }: { readonly from: number; readonly text: string }): Reference[] {
  return [...text.matchAll(references)].flatMap(({ 0: whole, 1: label = '', 2: colon, index }) => {
    const isNote = colon !== '' && /^ {0,3}$/.test(text.slice(0, index))
    const end = from + index + whole.length - (colon ? 1 : 0)
    return isNote ? [] : [{ from: from + index, to: end, label }]
  })
}

/** The reference around a position, between its first and its last character. */
export function referenceAt(state: EditorState, at: number): Reference | undefined {
  if (isCode(state, at)) return undefined
  return referencesIn(state.doc.lineAt(at)).find(({ from, to }) => at > from && at < to)
}

export interface Note extends Span {
  /** What it says, without the indentation of its lines. */
  readonly text: string
  /** Where each character of that is in the document, and its end. */
  readonly places: readonly number[]
}

const begun = /^ {0,3}\[\^([^\s[\]]{1,100})\]:[\t ]*/
/** What ends a paragraph without a blank line. */
const otherBlock = /^ {0,3}(?:[-+*>#|]|\d{1,9}[.)]|```|~~~|\[\^)/
const indented = /^(?: {4}|\t)/

/** The first note of a label. */
export function noteOf(state: EditorState, label: string): Note | undefined {
  const { doc } = state
  let number = 0
  for (const text of doc.iterLines()) {
    number += 1
    const start = begun.exec(text)
    if (start?.[1]?.toLowerCase() !== label.toLowerCase()) continue
    const line = doc.line(number)
    if (isCode(state, line.from + start[0].length)) continue
    return readNote(state, number, line.from + start[0].length)
  }
  return undefined
}

function readNote({ doc }: EditorState, first: number, begin: number): Note {
  let last = first
  for (let number = first + 1; number <= doc.lines; number += 1) {
    const { text } = doc.line(number)
    if (text.trim() === '') continue
    const isBelow = last === number - 1
    if (!indented.test(text) && !(isBelow && !otherBlock.test(text))) break
    last = number
  }
  let text = ''
  const places: number[] = []
  for (let number = first; number <= last; number += 1) {
    const line = doc.line(number)
    const from = number === first ? begin : line.from + Math.min(4, /^(?:\t| {0,4})/.exec(line.text)![0].length)
    if (number > first) {
      text += '\n'
      places.push(line.from - 1)
    }
    text += doc.sliceString(from, line.to)
    for (let at = from; at < line.to; at += 1) places.push(at)
  }
  const { to } = doc.line(last)
  return { from: doc.line(first).from, to, text, places: [...places, to] }
}

/** The change that makes a note say something else; one that is not there yet goes to the end of the text. */
export function writeNote(state: EditorState, label: string, value: string): ChangeSpec | undefined {
  const note = noteOf(state, label)
  const indent = (start: number, end: number) =>
    value
      .slice(start, end)
      .replace(/\n/g, (_, at: number) => (/[^\n]/.test(value.charAt(start + at + 1)) ? '\n    ' : '\n'))
  if (!note) {
    const end = state.doc.length
    return { from: end, insert: `${breaksBeforeNotes(state.doc.toString())}[^${label}]: ${indent(0, value.length)}` }
  }
  if (note.text === value) return undefined
  const [start, end] = common(note.text, value)
  return {
    from: note.places[start]!,
    to: note.places[note.text.length - end]!,
    insert: indent(start, value.length - end),
  }
}

/** Without the reference, and without its note unless the note has another one. */
export function removeNote(state: EditorState, reference: Reference): ChangeSpec[] {
  const isOther = (one: Reference) =>
    one.label.toLowerCase() === reference.label.toLowerCase() && one.from !== reference.from
  const { from, to } = reference
  const lines = Array.from({ length: state.doc.lines }, (_, at) => state.doc.line(at + 1))
  const isShared = lines.some((line) => referencesIn(line).some(isOther))
  const note = isShared ? undefined : noteOf(state, reference.label)
  return [{ from, to }, ...(note ? [removeBlock(state, note).changes!] : [])]
}

/** The first footnote number that is free. */
export const nextNote = ({ doc }: EditorState): number =>
  Math.max(0, ...[...doc.toString().matchAll(/\[\^(\d{1,6})\]/g)].map(([, number]) => Number(number))) + 1

/** What divides the end of the text from notes after it. */
export const breaksBeforeNotes = (text: string): string => '\n'.repeat(Math.max(0, 2 - /\n*$/.exec(text)![0].length))
