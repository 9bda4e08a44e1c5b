import { defineLanguageFacet, Language, languageDataProp, syntaxTree } from '@codemirror/language'
import type { EditorState, StateCommand } from '@codemirror/state'
import type { Command } from '@codemirror/view'
import { GFM, parser } from '@lezer/markdown'

/** Keyboard commands for Markdown. */

const codeNodes = new Set(['FencedCode', 'CodeBlock', 'InlineCode'])

export function isCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (codeNodes.has(node.name)) return true
  }
  return false
}

/** A link within a line: label, URL and optional title. */
const links = /\[([^[\]]*)\]\(((?:[^\s()]|\([^\s()]*\))*(?:\s+"[^"]*")?)\)/g

/** Moves from the label of a link without URL to the URL, and from the URL behind the link. */
export const leaveLink: Command = ({ state, dispatch }) => {
  const { main } = state.selection
  if (!main.empty || state.selection.ranges.length > 1 || isCode(state, main.head)) return false
  const line = state.doc.lineAt(main.head)
  for (const { 0: whole, 1: words = '', 2: address = '', index } of line.text.matchAll(links)) {
    const place = main.head - line.from - index
    const begin = words.length + '[]('.length
    const isInWords = place > 0 && place <= words.length + 1
    const isInAddress = place >= begin && place < whole.length
    if (!isInAddress && !(isInWords && address === '')) continue
    const anchor = line.from + index + (isInAddress ? whole.length : begin)
    dispatch(state.update({ selection: { anchor }, userEvent: 'select', scrollIntoView: true }))
    return true
  }
  return false
}

/** The prefix of a list item or quote. */
const blockPrefix = /^(\s*(?:>\s?)*\s*)(?:(?:([-+*])|(\d{1,9})([.)]))(\s+)(\[[ xX]\]\s+)?)?/

/** Enter continues a list or quote; on an empty item it ends it. */
export const continueBlock: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection
  if (!main.empty || state.selection.ranges.length > 1 || isCode(state, main.head)) return false
  const line = state.doc.lineAt(main.head)
  const [begun = '', before = '', bullet, number, stop = '', space = ' ', task] = blockPrefix.exec(line.text) ?? []
  const isItem = bullet !== undefined || number !== undefined
  if ((!isItem && !before.includes('>')) || main.head < line.from + begun.length) return false
  if (line.text.slice(begun.length).trim() === '') {
    // Without a blank line the following text would belong to the last item.
    const isBlank = (number: number) => number < 1 || number > state.doc.lines || !state.doc.line(number).text.trim()
    const above = isBlank(line.number - 1) ? '' : '\n'
    const below = isBlank(line.number + 1) ? '' : '\n'
    dispatch(
      state.update({
        changes: { from: line.from, to: line.to, insert: above + below },
        selection: { anchor: line.from + above.length },
        userEvent: 'input',
        scrollIntoView: true,
      }),
    )
    return true
  }
  const sign = bullet ?? (number === undefined ? '' : `${Number(number) + 1}${stop}`)
  const insert = `\n${before}${sign}${isItem ? space : ''}${task ? '[ ] ' : ''}`
  dispatch(
    state.update({
      changes: { from: main.head, insert },
      selection: { anchor: main.head + insert.length },
      userEvent: 'input',
      scrollIntoView: true,
    }),
  )
  return true
}

/** Tab indents a list item; elsewhere it moves the focus as usual. */
const indentCommand =
  (
    change: (
      line: { from: number; text: string },
      width: number,
    ) => { from: number; to?: number; insert?: string } | undefined,
  ): Command =>
  ({ state, dispatch }) => {
    const line = state.doc.lineAt(state.selection.main.head)
    const sign = /^\s*([-+*]|\d{1,9}[.)])\s/.exec(line.text)
    if (!sign) return false
    const changes = change(line, sign[1]!.length + 1)
    if (changes) dispatch(state.update({ changes, userEvent: 'input.indent' }))
    return true
  }

export const indent = indentCommand(({ from }, width) => ({ from, insert: ' '.repeat(width) }))
export const outdent = indentCommand(({ from, text }, width) => {
  const spaces = /^ */.exec(text)![0].length
  return spaces > 0 ? { from, to: from + Math.min(spaces, width) } : undefined
})

/** Enter in prose, where a single line break would not be visible to readers. */

/** Nodes in which a line break has its own meaning. */
const notProse = new Set([
  'FencedCode',
  'CodeBlock',
  'Blockquote',
  'ListItem',
  'Table',
  'HTMLBlock',
  'CommentBlock',
  'ProcessingInstructionBlock',
])

function isProse(state: EditorState, at: number): boolean {
  // The first row of a table is not parsed as a table yet.
  if (/^\s*\|/.test(state.doc.lineAt(at).text)) return false
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (notProse.has(node.name)) return false
  }
  return true
}

/** Whether the position is inside a paragraph that continues after it. */
function isInsideParagraph(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (node.name === 'Paragraph') return node.from < at && node.to > at
  }
  return false
}

/**
 * Splits the text at the cursor. An existing line break there, within a paragraph, is absorbed, and the cursor goes
 * behind it.
 */
const splitText =
  (sign: (isAtStart: boolean) => string): StateCommand =>
  ({ state, dispatch }) => {
    const { main, ranges } = state.selection
    if (ranges.length > 1 || !isProse(state, main.from) || !isProse(state, main.to)) return false
    const [first, last] = [state.doc.lineAt(main.from), state.doc.lineAt(main.to)]
    const before = first.text.slice(0, main.from - first.from)
    const after = last.text.slice(main.to - last.from)
    if (before.trim() === '' && after.trim() === '') return false
    const isAtStart = before.trim() === '' && first.number > 1 && isInsideParagraph(state, first.from - 1)
    const hasBreak = after.trim() === '' && isInsideParagraph(state, last.to)
    const spaces = /^[\t ]*/.exec(after)![0].length
    const insert = sign(isAtStart)
    dispatch(
      state.update({
        changes: { from: main.from, to: main.to + spaces + (hasBreak ? 1 : 0), insert },
        selection: { anchor: main.from + insert.length },
        userEvent: 'input',
        scrollIntoView: true,
      }),
    )
    return true
  }

/** Enter: a new paragraph. */
export const beginParagraph = splitText((isAtStart) => (isAtStart ? '\n' : '\n\n'))

/** Shift+Enter: a line break in the same paragraph. */
export const breakLine = splitText((isAtStart) => (isAtStart ? '\n' : '\\\n'))

/** Markdown as the site renders it. The ready-made package would add HTML, CSS and JavaScript to the bundle. */
const data = defineLanguageFacet()

export const markdown = new Language(
  data,
  parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]),
  [],
  'markdown',
)
