import { syntaxTree } from '@codemirror/language'
import { EditorSelection, type EditorState, type SelectionRange } from '@codemirror/state'
import type { Command } from '@codemirror/view'

/** What the keyboard does to Markdown. */

/** What begins a line and is no part of its words. */
const prefix = /^\s*(?:>\s?)*(?:[-+*]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+|#{1,6}\s+)?/

/** The words of a selection: marks do not go around spaces, nor around what begins a line. */
function wordsIn(state: EditorState, range: SelectionRange): { readonly from: number; readonly to: number } {
  if (range.empty) return state.wordAt(range.head) ?? range
  const line = state.doc.lineAt(range.from)
  const begun = line.from + prefix.exec(line.text)![0].length
  const from = Math.max(range.from, Math.min(begun, range.to))
  const text = state.sliceDoc(from, range.to)
  const before = /^\s*/.exec(text)![0].length
  return { from: from + before, to: from + Math.max(before, text.trimEnd().length) }
}

/** Puts a mark around the selection, or around the word at the cursor; takes it away where it is already there. */
export const toggle =
  (sign: string): Command =>
  ({ state, dispatch }) => {
    const changes = state.changeByRange((range) => {
      const { from, to } = wordsIn(state, range)
      const size = sign.length
      const isAround = state.sliceDoc(from - size, from) === sign && state.sliceDoc(to, to + size) === sign
      const moved = isAround ? -size : size
      return {
        changes: isAround
          ? [
              { from: from - size, to: from },
              { from: to, to: to + size },
            ]
          : [
              { from, insert: sign },
              { from: to, insert: sign },
            ],
        range: range.empty
          ? EditorSelection.cursor(range.head + moved)
          : EditorSelection.range(from + moved, to + moved),
      }
    })
    dispatch(state.update(changes, { userEvent: 'input', scrollIntoView: true }))
    return true
  }

const codes = new Set(['FencedCode', 'CodeBlock', 'InlineCode'])

export function isCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (codes.has(node.name)) return true
  }
  return false
}

/** Makes a link of the selection. An address that is selected becomes the target, words become the text. */
export const link: Command = ({ state, dispatch }) => {
  const { from, to } = state.selection.main
  const chosen = state.sliceDoc(from, to)
  const isAddress = /^https?:\/\/\S+$/.test(chosen)
  const insert = isAddress ? `[](${chosen})` : `[${chosen}]()`
  const cursor = isAddress || chosen === '' ? from + 1 : from + insert.length - 1
  dispatch(state.update({ changes: { from, to, insert }, selection: { anchor: cursor }, userEvent: 'input' }))
  return true
}

/** A link in a line: its words, and its address with or without a title. */
const links = /\[([^[\]]*)\]\(((?:[^\s()]|\([^\s()]*\))*(?:\s+"[^"]*")?)\)/g

/** From the words of a link that has no address yet to the address; from the address to what follows the link. */
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

/** What begins a line of a list or a quote. */
const beginning = /^(\s*(?:>\s?)*\s*)(?:(?:([-+*])|(\d{1,9})([.)]))(\s+)(\[[ xX]\]\s+)?)?/

/** Enter in a list or a quote goes on with it; on an empty item it ends it. */
export const continueBlock: Command = ({ state, dispatch }) => {
  const { main } = state.selection
  if (!main.empty || state.selection.ranges.length > 1 || isCode(state, main.head)) return false
  const line = state.doc.lineAt(main.head)
  const [begun = '', before = '', bullet, number, stop = '', space = ' ', task] = beginning.exec(line.text) ?? []
  const isItem = bullet !== undefined || number !== undefined
  if ((!isItem && !before.includes('>')) || main.head < line.from + begun.length) return false
  if (line.text.slice(begun.length).trim() === '') {
    // Without an empty line between, what follows would go on with the last item.
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

/** Tab moves an item of a list in or out, and elsewhere leaves the text as it does everywhere. */
const shift =
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

export const moveIn = shift(({ from }, width) => ({ from, insert: ' '.repeat(width) }))
export const moveOut = shift(({ from, text }, width) => {
  const spaces = /^ */.exec(text)![0].length
  return spaces > 0 ? { from, to: from + Math.min(spaces, width) } : undefined
})
