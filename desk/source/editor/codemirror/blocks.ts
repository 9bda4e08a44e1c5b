import type { ChangeSpec, EditorState, Line, TransactionSpec } from '@codemirror/state'
import { treeTo } from './marks.ts'
import { breaksBeforeNotes, nextNote } from './note-syntax.ts'
import { openNote } from './notes.ts'
import { setCell } from './table-blocks.ts'

/** Headings, lists and quotes: signs at the start of lines. Tables, dividers, pictures and notes: paragraphs of their own. */

export type LineStyle = 'heading' | 'subheading' | 'list' | 'numbered_list' | 'checklist'

const written: Readonly<Record<LineStyle, (number: number) => string>> = {
  heading: () => '## ',
  subheading: () => '### ',
  list: () => '- ',
  numbered_list: (number) => `${number}. `,
  checklist: () => '- [ ] ',
}
const recognised: Readonly<Record<LineStyle, RegExp>> = {
  heading: /^##\s/,
  subheading: /^###\s/,
  list: /^[-+*]\s+(?!\[[ xX]\]\s)/,
  numbered_list: /^\d{1,9}[.)]\s/,
  checklist: /^[-+*]\s+\[[ xX]\]\s/,
}

const indentation = /^\s*(?:>\s?)*\s*/
const lineSigns = /^(?:#{1,6}(?:\s+|$)|[-+*]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+)/
const quoteSign = /^(\s{0,3})>\s?/

/** Where the start of a line has another meaning. */
const otherBlocks = /^(?:FencedCode|CodeBlock|Table|HTMLBlock|CommentBlock|ProcessingInstructionBlock|LinkReference)$/

function isText(state: EditorState, line: Line): boolean {
  const at = line.from + indentation.exec(line.text)![0].length
  for (let node = treeTo(state, line.to).resolveInner(at, 1); node.parent; node = node.parent) {
    if (otherBlocks.test(node.name)) return false
  }
  return true
}

function linesBetween(state: EditorState, from: number, to: number): Line[] {
  const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number]
  return Array.from({ length: last - first + 1 }, (_, at) => state.doc.line(first + at))
}

const isBlank = ({ text }: Line): boolean => text.trim() === ''

/** The selected lines with words; an empty line only if it is the only one. */
function selectedLines(state: EditorState): Line[] {
  const { from, to } = state.selection.main
  const lines = linesBetween(state, from, to).filter((line) => isText(state, line))
  const filled = lines.filter((line) => !isBlank(line))
  return filled.length > 0 ? filled : lines.slice(0, 1)
}

const contentOf = ({ text }: Line): string => text.slice(indentation.exec(text)![0].length)

export const hasLineStyle = (state: EditorState, style: LineStyle): boolean =>
  selectedLines(state).every((line) => recognised[style].test(contentOf(line))) && selectedLines(state).length > 0

/** The line below a heading that is underlined instead of begun with `#`. */
function underlineOf(state: EditorState, line: Line): ChangeSpec[] {
  const node = treeTo(state, line.to).resolveInner(line.to, -1)
  for (let up = node; up.parent; up = up.parent) {
    const underline = up.name.startsWith('Setext') ? up.lastChild : null
    if (underline) return [{ from: state.doc.lineAt(underline.from).from - 1, to: underline.to }]
  }
  return []
}

/** The change, with the cursor moved behind signs that are written where it is. */
function withSelection(state: EditorState, specs: readonly ChangeSpec[]): TransactionSpec {
  const changes = state.changes(specs)
  return {
    changes,
    selection: state.selection.map(changes, 1),
    userEvent: 'input',
    scrollIntoView: true,
  }
}

/** Makes the selected lines a heading or a list; or text again, if all of them are that already. */
export function toggleLineStyle(state: EditorState, style: LineStyle): TransactionSpec | undefined {
  const lines = selectedLines(state)
  if (lines.length === 0) return undefined
  const isOn = hasLineStyle(state, style)
  return withSelection(
    state,
    lines.flatMap((line, at) => {
      const from = line.from + indentation.exec(line.text)![0].length
      const before = lineSigns.exec(contentOf(line))?.[0].length ?? 0
      const insert = isOn ? '' : written[style](at + 1)
      return [{ from, to: from + before, insert }, ...underlineOf(state, line)]
    }),
  )
}

/** The lines of the selected paragraphs: a quote goes on to the end of its paragraph. */
function paragraphLines(state: EditorState): Line[] {
  const { main } = state.selection
  let [first, last] = [state.doc.lineAt(main.from).number, state.doc.lineAt(main.to).number]
  const isPart = (number: number) =>
    number >= 1 && number <= state.doc.lines && !isBlank(state.doc.line(number)) && !isBlank(state.doc.line(first))
  while (isPart(first - 1)) first -= 1
  while (isPart(last + 1) && !isBlank(state.doc.line(last))) last += 1
  return linesBetween(state, state.doc.line(first).from, state.doc.line(last).to)
}

export function isQuote(state: EditorState): boolean {
  const lines = linesBetween(state, state.selection.main.from, state.selection.main.to)
  const filled = lines.filter((line) => !isBlank(line))
  return filled.length > 0 && filled.every(({ text }) => quoteSign.test(text))
}

export function toggleQuote(state: EditorState): TransactionSpec {
  const lines = paragraphLines(state)
  if (isQuote(state)) {
    return withSelection(
      state,
      lines.flatMap(({ from, text }) => {
        const [whole = '', before = ''] = quoteSign.exec(text) ?? []
        return whole ? [{ from: from + before.length, to: from + whole.length }] : []
      }),
    )
  }
  return withSelection(
    state,
    lines.map((line) => ({ from: line.from, insert: isBlank(line) && lines.length > 1 ? '>' : '> ' })),
  )
}

/** `‸` marks the cursor in what is inserted. */
const cursorSign = '‸'

/**
 * Inserts a paragraph of its own, with a blank line above and below wherever there is text. Without a cursor sign the
 * cursor goes to the start of what follows.
 */
export function insertBlock({ doc }: EditorState, from: number, to: number, text: string): TransactionSpec {
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)]
  const isTaken = (number: number) => number >= 1 && number <= doc.lines && !isBlank(doc.line(number))
  const before = first.text.slice(0, from - first.from)
  const after = last.text.slice(to - last.from)
  const above = before.trim() !== '' ? '\n\n' : isTaken(first.number - 1) ? '\n' : ''
  const hasCursor = text.includes(cursorSign)
  const rest = doc.sliceString(to)
  // At the end of the text the cursor needs a paragraph to go to.
  const atEnd = rest.trim() === '' && !hasCursor ? '\n'.repeat(Math.max(0, 3 - rest.split('\n').length)) : ''
  const below = after.trim() !== '' ? '\n\n' : isTaken(last.number + 1) ? '\n' : atEnd
  const start = before.trim() === '' ? first.from : first.from + before.trimEnd().length
  const end = to + (after.length - after.trimStart().length)
  const insert = above + text.replace(cursorSign, '') + below
  const changes = { from: start, to: end, insert }
  return {
    changes,
    selection: {
      anchor: hasCursor
        ? start + above.length + text.indexOf(cursorSign)
        : nextText(doc.sliceString(end), start + insert.length),
    },
    userEvent: 'input',
    scrollIntoView: true,
  }
}

/** The start of the next line with text, or of this one. */
const nextText = (rest: string, at: number): number => at + /^(?:[\t ]*\n)*/.exec(rest)![0].length

/** Lines of code; what is selected becomes them. */
export function insertCode(state: EditorState): TransactionSpec {
  const { from, to } = state.selection.main
  const lines = linesBetween(state, from, to)
  const [first, last] = [lines[0]!, lines.at(-1)!]
  const text = state.sliceDoc(first.from, last.to)
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)))
  const changes = state.changes([
    { from: first.from, insert: `${fence}\n` },
    { from: last.to, insert: `\n${fence}` },
  ])
  return {
    changes,
    selection: { anchor: changes.mapPos(last.to, -1) + (first.from === last.to ? fence.length + 1 : 0) },
    userEvent: 'input',
    scrollIntoView: true,
  }
}

/** Three columns, with the cursor in the first cell. */
export const insertTable = (state: EditorState): TransactionSpec => {
  const { to } = state.selection.main
  const spec = insertBlock(state, to, to, '| ‸ |  |  |\n| --- | --- | --- |\n|  |  |  |')
  return { ...spec, effects: setCell.of('at_cursor') }
}

export const insertDivider = (state: EditorState): TransactionSpec =>
  insertBlock(state, state.selection.main.to, state.selection.main.to, '---')

/** Inserts the next footnote number behind the selection, starts the note at the end of the text, and opens its panel. */
export function insertFootnote(state: EditorState): TransactionSpec {
  const { to } = state.selection.main
  const mark = `[^${nextNote(state)}]`
  const whole = state.sliceDoc(0, to) + mark + state.sliceDoc(to)
  const breaks = breaksBeforeNotes(whole)
  return {
    changes: [
      { from: to, insert: mark },
      { from: state.doc.length, insert: `${breaks}${mark}: ` },
    ],
    selection: { anchor: to + mark.length },
    effects: openNote.of(to + 1),
    userEvent: 'input',
    scrollIntoView: true,
  }
}
