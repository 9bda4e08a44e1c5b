import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  type SelectionRange,
  type TransactionSpec,
} from '@codemirror/state'
import type { SyntaxNode, Tree } from '@lezer/common'

/** Bold, italic and links: marks around words. */

interface Span {
  readonly from: number
  readonly to: number
}

/** The tree up to here, even in a text that is not parsed that far yet. At most this many milliseconds. */
const parseTime = 100
export const treeTo = (state: EditorState, to: number): Tree =>
  ensureSyntaxTree(state, to, parseTime) ?? syntaxTree(state)

/** Blocks that have marks: each needs its own, since no mark goes on in the next block. */
const markedBlocks = /^(?:Paragraph|ATXHeading\d|SetextHeading\d|TableCell|Task)$/
/** What comes before the words of such a block. */
const leadingMarks = new Set(['HeaderMark', 'TaskMarker', 'QuoteMark'])
const inlineNodes = /^(?:Emphasis|StrongEmphasis|Strikethrough|InlineCode|Link|Image|Autolink|URL|HTMLTag)$/

const contains = (outer: Span, inner: Span): boolean => outer.from <= inner.from && outer.to >= inner.to

function nodesIn(state: EditorState, { from, to }: Span, isWanted: (name: string) => boolean): SyntaxNode[] {
  const found: SyntaxNode[] = []
  treeTo(state, to).iterate({
    from,
    to,
    enter: (node) => {
      if (isWanted(node.name)) found.push(node.node)
    },
  })
  return found
}

/** What is inside the marks of a node: the words of a link, not its address. Undefined where marks have no meaning. */
function innerOf(node: SyntaxNode): Span | undefined {
  if (node.name === 'Link') {
    const [open, close] = node.getChildren('LinkMark')
    return open && close ? { from: open.to, to: close.from } : undefined
  }
  const marks = node.getChildren(node.name === 'Strikethrough' ? 'StrikethroughMark' : 'EmphasisMark')
  const [first, last] = [marks[0], marks.at(-1)]
  return first && last && first !== last ? { from: first.to, to: last.from } : undefined
}

function trimmed(state: EditorState, { from, to }: Span): Span {
  const text = state.sliceDoc(from, to)
  const before = text.length - text.trimStart().length
  return { from: from + before, to: from + Math.max(before, text.trimEnd().length) }
}

/** The selected words of each block, without the signs at the start of its line. */
function selectedWords(state: EditorState, range: SelectionRange): Span[] {
  return nodesIn(state, range, (name) => markedBlocks.test(name)).flatMap((block) => {
    let { from, to } = block
    for (let child = block.firstChild; child && leadingMarks.has(child.name); child = child.nextSibling) {
      if (child.from > from && state.sliceDoc(from, child.from).trim() !== '') break
      from = child.to
    }
    const underline = block.name.startsWith('Setext') ? block.lastChild : null
    if (underline) to = underline.from
    const words = trimmed(state, { from: Math.max(from, range.from), to: Math.min(to, range.to) })
    return words.from < words.to ? [words] : []
  })
}

/** Widened so that no mark, link or code is cut in two. */
function balanced(state: EditorState, span: Span): Span {
  let whole = span
  for (const node of nodesIn(state, span, (name) => inlineNodes.test(name))) {
    const inner = innerOf(node)
    if (node.from >= whole.to || node.to <= whole.from) continue
    if (contains(whole, node) || (inner && contains(inner, whole))) continue
    whole = { from: Math.min(whole.from, node.from), to: Math.max(whole.to, node.to) }
  }
  return contains(span, whole) ? whole : balanced(state, whole)
}

/** Without the marks that are selected with the words. */
function withoutMarks(state: EditorState, span: Span): Span {
  for (const node of nodesIn(state, span, (name) => name === 'EmphasisMark')) {
    if (node.from === span.from && node.to < span.to) return withoutMarks(state, { from: node.to, to: span.to })
    if (node.to === span.to && node.from > span.from) return withoutMarks(state, { from: span.from, to: node.from })
  }
  return span
}

export interface Mark {
  /** Its node in the syntax tree, whichever signs were typed. */
  readonly node: 'StrongEmphasis' | 'Emphasis'
  readonly sign: string
  /** Written instead within a word, where `_` is an ordinary character. */
  readonly signInWord: string
}

export const bold: Mark = { node: 'StrongEmphasis', sign: '**', signInWord: '**' }
export const italic: Mark = { node: 'Emphasis', sign: '_', signInWord: '*' }

/** The marked words around a span. */
function markAround(state: EditorState, { node }: Mark, span: Span): SyntaxNode | undefined {
  const inner = withoutMarks(state, span)
  return nodesIn(state, span, (name) => name === node).findLast((one) => {
    const words = innerOf(one)
    return words !== undefined && contains(words, inner)
  })
}

export const isWordCharacter = (text: string): boolean => /^[\p{L}\p{N}\p{M}_]$/u.test(text)

/** `from` and `to` are where the words end and others may begin. */
const signFor = (state: EditorState, { sign, signInWord }: Mark, { from, to }: Span): string =>
  isWordCharacter(state.sliceDoc(from - 1, from)) || isWordCharacter(state.sliceDoc(to, to + 1)) ? signInWord : sign

/** Marks the words; marks of the same kind within them are no longer needed. */
function addMark(state: EditorState, mark: Mark, words: Span): ChangeSpec[] {
  const whole = balanced(state, words)
  const inside = nodesIn(state, whole, (name) => name === mark.node).filter((node) => contains(whole, node))
  const insert = signFor(state, mark, whole)
  return [
    ...inside.flatMap((node) => node.getChildren('EmphasisMark').map(({ from, to }) => ({ from, to }))),
    { from: whole.from, insert },
    { from: whole.to, insert },
  ]
}

/** Takes the mark from these words; the rest of what it marked keeps it. */
function removeMark(state: EditorState, mark: Mark, node: SyntaxNode, words: Span): ChangeSpec[] {
  const signs = node.getChildren('EmphasisMark')
  const { from, to } = innerOf(node)!
  let { from: begin, to: end } = words
  // Marks of another kind around the words are not cut in two.
  for (const other of nodesIn(state, words, (name) => inlineNodes.test(name))) {
    if (other.from < from || other.to > to || other.from >= end || other.to <= begin) continue
    begin = Math.min(begin, other.from)
    end = Math.max(end, other.to)
  }
  const rest = (span: Span): ChangeSpec[] => {
    const kept = trimmed(state, span)
    // The signs that are taken away are no neighbours.
    const insert = signFor(state, mark, {
      from: kept.from === from ? node.from : kept.from,
      to: kept.to === to ? node.to : kept.to,
    })
    return kept.from < kept.to
      ? [
          { from: kept.from, insert },
          { from: kept.to, insert },
        ]
      : []
  }
  return [
    ...[signs[0]!, signs.at(-1)!].map((sign) => ({ from: sign.from, to: sign.to })),
    ...rest({ from, to: begin }),
    ...rest({ from: end, to }),
  ]
}

/** Nothing is selected: the word at the cursor, the marked words around it, or a place to type marked words. */
function toggleAtCursor(
  state: EditorState,
  mark: Mark,
  range: SelectionRange,
): { changes: ChangeSpec; range: SelectionRange } {
  const { head } = range
  const { sign } = mark
  if (state.sliceDoc(head - sign.length, head) === sign && state.sliceDoc(head, head + sign.length) === sign) {
    return {
      changes: { from: head - sign.length, to: head + sign.length },
      range: EditorSelection.cursor(head - sign.length),
    }
  }
  const around = markAround(state, mark, range)
  const inner = around && innerOf(around)
  // What is typed next has no mark.
  if (around && inner?.to === head) return { changes: [], range: EditorSelection.cursor(around.to) }
  const word = state.wordAt(head)
  const changes = state.changes(
    around && inner
      ? removeMark(state, mark, around, inner)
      : word
        ? addMark(state, mark, word)
        : { from: head, insert: sign + sign },
  )
  const isInWords = around !== undefined || word !== null
  return { changes, range: EditorSelection.cursor(isInWords ? changes.mapPos(head, 1) : head + sign.length) }
}

/** Marks the selection, each paragraph, item and cell on its own; removes the mark where all of it has it. */
export function toggleMark(state: EditorState, mark: Mark): TransactionSpec {
  const result = state.changeByRange((range) => {
    if (range.empty) return toggleAtCursor(state, mark, range)
    const spans = selectedWords(state, range)
    const around = spans.map((span) => markAround(state, mark, span))
    const isMarked = around.every((node) => node !== undefined)
    const changes = state.changes(
      spans.flatMap((span, at) => {
        const node = around[at]
        if (isMarked) return removeMark(state, mark, node!, withoutMarks(state, span))
        return node ? [] : addMark(state, mark, span)
      }),
    )
    const [first, last] = [spans[0] ?? range, spans.at(-1) ?? range]
    return { changes, range: EditorSelection.range(changes.mapPos(first.from, 1), changes.mapPos(last.to, -1)) }
  })
  return { ...result, userEvent: 'input', scrollIntoView: true }
}

export function hasMark(state: EditorState, mark: Mark): boolean {
  const { main } = state.selection
  const spans = main.empty ? [main] : selectedWords(state, main)
  return spans.length > 0 && spans.every((span) => markAround(state, mark, span) !== undefined)
}

/** Links. */

export const isAddress = (text: string): boolean => /^(?:https?:\/\/|mailto:)\S+$/i.test(text)

/** An address as people type it: example.org and a@example.org too. Undefined if it is none. */
export function readAddress(typed: string): string | undefined {
  const text = typed.trim()
  if (isAddress(text) || /^[/#]\S*$/.test(text)) return text
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)) return `mailto:${text}`
  return /^[^\s/:@]+\.[^\s/:@]{2,}(?:[/:?#]\S*)?$/.test(text) ? `https://${text}` : undefined
}

/** Without what would end a link in Markdown: spaces, angle brackets, unbalanced parentheses. */
export function linkTarget(address: string): string {
  const whole = address.replace(/[\s<>]/g, encodeURIComponent)
  const isEven = /^[^()]*(\([^()]*\)[^()]*)*$/.test(whole)
  return isEven ? whole : whole.replace(/\(/g, '%28').replace(/\)/g, '%29')
}

/** The link with an address of its own that the selection is in. */
function linkAt(state: EditorState): SyntaxNode | undefined {
  const { main } = state.selection
  return nodesIn(state, main, (name) => name === 'Link').find((node) => node.getChild('URL') && contains(node, main))
}

export const linkAddress = (state: EditorState): string | undefined => {
  const address = linkAt(state)?.getChild('URL')
  return address ? state.sliceDoc(address.from, address.to).replace(/^<|>$/g, '') : undefined
}

/** Gives the selected words this address; in a link, another address. Undefined if no link can be made of them. */
export function setLink(state: EditorState, address: string): TransactionSpec | undefined {
  const { main } = state.selection
  const insert = linkTarget(address)
  const url = linkAt(state)?.getChild('URL')
  if (url) return { changes: { from: url.from, to: url.to, insert }, userEvent: 'input.link' }
  const words = main.empty ? state.wordAt(main.head) : (selectedWords(state, main)[0] ?? null)
  if (!words) return main.empty ? { ...state.replaceSelection(insert), userEvent: 'input.link' } : undefined
  const whole = balanced(state, words)
  const isPart = !main.empty && selectedWords(state, main).length > 1
  const label = state.sliceDoc(whole.from, whole.to)
  const links = nodesIn(state, whole, (name) => name === 'Link' || name === 'Autolink')
  const hasLink = links.some((node) => node.name === 'Autolink' || node.getChild('URL') || node.getChild('LinkLabel'))
  if (isPart || hasLink || isAddress(label) || label.includes('[^')) return undefined
  // A single bracket in the words would end them.
  const brackets = [...label.matchAll(/\\.|[[\]]/g)].filter(([sign]) => sign.length === 1)
  const changes = state.changes([
    { from: whole.from, insert: '[' },
    ...brackets.map(({ index }) => ({ from: whole.from + index, insert: '\\' })),
    { from: whole.to, insert: `](${insert})` },
  ])
  return {
    changes,
    selection: { anchor: changes.mapPos(whole.to, 1) },
    userEvent: 'input.link',
    scrollIntoView: true,
  }
}

/** Leaves the words and takes away the address. */
export function removeLink(state: EditorState): TransactionSpec | undefined {
  const node = linkAt(state)
  const words = node && innerOf(node)
  if (!words) return undefined
  return {
    changes: [
      { from: node.from, to: words.from },
      { from: words.to, to: node.to },
    ],
    userEvent: 'input.link',
  }
}

/** A link to type: its words, then its address. A selected address becomes the target, other text the words. */
export function beginLink(state: EditorState): TransactionSpec {
  const { from, to } = state.selection.main
  const chosen = state.sliceDoc(from, to)
  const insert = isAddress(chosen) ? `[](${chosen})` : `[${chosen}]()`
  const anchor = isAddress(chosen) || chosen === '' ? from + 1 : from + insert.length - 1
  return { changes: { from, to, insert }, selection: { anchor }, userEvent: 'input' }
}
