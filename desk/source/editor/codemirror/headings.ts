import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState, Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'

/** The headings of the text, for the outline. */
export interface Heading {
  readonly from: number
  /** Where its words end. */
  readonly to: number
  readonly level: number
  readonly words: string
}

const headingName = /^(?:ATXHeading|SetextHeading)(\d)$/
const signs = /Mark$|^(?:URL|LinkTitle|LinkLabel|Image)$/

/** How long a long text may be parsed for it (milliseconds). The rest is found the next time. */
const longestParse = 100

/** Those of the piece; headings in quotations and lists are not among the contents of its page either. */
export function headingsOf(state: EditorState): readonly Heading[] {
  const tree = ensureSyntaxTree(state, state.doc.length, longestParse) ?? syntaxTree(state)
  const found: Heading[] = []
  for (let node = tree.topNode.firstChild; node; node = node.nextSibling) {
    const level = headingName.exec(node.name)?.[1]
    if (level === undefined) continue
    const words = wordsOf(state, node).replace(/\s+/g, ' ').trim()
    const to = node.name.startsWith('ATX') ? node.to : (node.getChild('HeaderMark')?.from ?? node.to + 1) - 1
    if (words !== '') found.push({ from: node.from, to, level: Number(level), words })
  }
  return found
}

/** Without the signs of Markdown. */
function wordsOf(state: EditorState, node: SyntaxNode): string {
  let words = ''
  let at = node.from
  for (let child = node.firstChild; child; child = child.nextSibling) {
    words += state.sliceDoc(at, child.from)
    if (child.name === 'Escape') words += state.sliceDoc(child.from + 1, child.to)
    else if (!signs.test(child.name)) words += wordsOf(state, child)
    at = child.to
  }
  return words + state.sliceDoc(at, node.to)
}

/** The last that begins before the caret; -1 above the first. */
export const headingAt = (headings: readonly Heading[], { selection }: EditorState): number =>
  headings.findLastIndex(({ from }) => from <= selection.main.head)

/** Below the bar. */
const gap = 96

/** The caret goes to the end of its words. */
export function goToHeading(view: EditorView, { from, to }: Heading): void {
  view.dispatch({ selection: { anchor: to }, effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: gap }) })
  view.focus()
}

/** Calls when the text changes or the caret moves. */
export const onMove = (listen: () => void): Extension =>
  EditorView.updateListener.of(({ docChanged, selectionSet }) => {
    if (docChanged || selectionSet) listen()
  })
