import { type EditorState, Facet, findClusterBreak, type Line } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import { treeTo } from './marks.ts'

/** Which signs of Markdown are hidden, and where the cursor stands beside them. */

/** Whether the signs are hidden on the line that is being written, too. */
export const hidesSigns = Facet.define<boolean, boolean>({ combine: ([isHidden]) => isHidden ?? false })

export interface Span {
  readonly from: number
  readonly to: number
}

/** Words between signs: bold, italic, struck, code, a link, or one character behind a backslash. */
export interface Wrapped extends Span {
  readonly name: string
  readonly inner: Span
}

/** A replaced range, and what replaces it. */
export interface Change extends Span {
  readonly text: string
}

interface Sign extends Span {
  /** At the start of a line, before its words: of a heading or a quote. */
  readonly isLeading: boolean
  /** The end of a link or of code, where what is typed next no longer belongs to it. */
  readonly isLeft: boolean
  /** Before bold, italic or struck words. */
  readonly isOpening: boolean
}

const signNodes = new Set([
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'LinkMark',
  'URL',
  'LinkTitle',
  'HeaderMark',
  'QuoteMark',
])
/** The range of a sign to hide; undefined if it is all there is to read, as in a bare URL. */
export function hiddenRange(state: EditorState, { name, from, to, parent }: SyntaxNode): Span | undefined {
  if (name === 'Escape') return { from, to: from + 1 }
  if (!signNodes.has(name) || to === from) return undefined
  if (name === 'URL' || name === 'LinkMark' || name === 'LinkTitle') {
    if (parent?.name !== 'Link' && parent?.name !== 'Image') return undefined
    // A reference such as [^1] or [here][1] stays visible.
    if (!parent.getChild('URL')) return undefined
    // Without words nothing of it would be seen.
    const [open, close] = parent.getChildren('LinkMark')
    if (parent.name === 'Link' && open?.to === close?.from) return undefined
  }
  if (name === 'CodeMark' && parent?.name !== 'InlineCode') return undefined
  if (name === 'HeaderMark' && parent?.name.startsWith('Setext')) return undefined
  // The space after these is part of the sign.
  const isLeading = name === 'HeaderMark' || name === 'QuoteMark'
  const end = isLeading && /[\t ]/.test(state.sliceDoc(to, to + 1)) ? to + 1 : to
  // A title may continue on the next line; a line break is never hidden.
  const stop = Math.min(end, state.doc.lineAt(from).to)
  return from < stop ? { from, to: stop } : undefined
}

/** The first and the last sign of a node, with what is between them. */
function wrappedBy(node: SyntaxNode): Wrapped | undefined {
  const { name, from, to } = node
  if (name === 'Escape') return { name, from, to, inner: { from: from + 1, to } }
  const signName = {
    Emphasis: 'EmphasisMark',
    StrongEmphasis: 'EmphasisMark',
    Strikethrough: 'StrikethroughMark',
    InlineCode: 'CodeMark',
    Link: 'LinkMark',
  }[name]
  if (signName === undefined || (name === 'Link' && !node.getChild('URL'))) return undefined
  const signs = node.getChildren(signName)
  const [first, last] = [signs[0], name === 'Link' ? signs[1] : signs.at(-1)]
  return first && last && first !== last ? { name, from, to, inner: { from: first.to, to: last.from } } : undefined
}

/** What is between signs and touches this range, the outer before the inner. */
export function wrappedIn(state: EditorState, { from, to }: Span): Wrapped[] {
  const found: Wrapped[] = []
  treeTo(state, Math.min(state.doc.length, to + 1)).iterate({
    from: Math.max(0, from - 1),
    to: Math.min(state.doc.length, to + 1),
    enter: (node) => {
      const wrapped = wrappedBy(node.node)
      if (wrapped && wrapped.from <= to && wrapped.to >= from) found.push(wrapped)
    },
  })
  return found
}

/** The hidden signs of a line, in their order. */
function signsOf(state: EditorState, line: Line): Sign[] {
  const found: Sign[] = []
  treeTo(state, line.to).iterate({
    from: line.from,
    to: line.to,
    enter: ({ node, name, from }) => {
      // A picture within a paragraph shows its signs on the line that is being written.
      const range = from < line.from || node.parent?.name === 'Image' ? undefined : hiddenRange(state, node)
      if (!range) return
      const isLast = node.parent?.lastChild?.from === from
      found.push({
        ...range,
        isLeading: (name === 'HeaderMark' || name === 'QuoteMark') && !isLastOfClosedHeading(node),
        isLeft: isLast && (node.parent?.name === 'Link' || name === 'CodeMark'),
        isOpening: /^(?:Emphasis|Strikethrough)Mark$/.test(name) && node.parent?.firstChild?.from === from,
      })
    },
  })
  return found.toSorted((one, other) => one.from - other.from)
}

/** `## Title ##` has signs at its end, too. */
const isLastOfClosedHeading = (node: SyntaxNode): boolean =>
  node.name === 'HeaderMark' && node.parent?.firstChild?.from !== node.from

/** Signs without a character between them. */
export interface SignRun extends Span {
  /** Where the cursor stands, which could be at either end for all that is seen. */
  readonly place: number
  /** The end of the signs that begin the line, or the start of the run. */
  readonly leadEnd: number
  /** The start of the last of them. */
  readonly lastLead: number
}

/** The signs around a position. Undefined where there are none. */
export function runAt(state: EditorState, at: number): SignRun | undefined {
  const line = state.doc.lineAt(at)
  let run: Sign[] = []
  for (const sign of signsOf(state, line)) {
    const end = run.at(-1)?.to
    if (end !== undefined && sign.from > end) {
      if (end >= at) break
      run = []
    }
    run.push(sign)
  }
  const [first, last] = [run[0], run.at(-1)]
  if (!first || !last || at < first.from || at > last.to) return undefined
  let [lastLead, leadEnd] = [first.from, first.from]
  for (const sign of run) {
    if (!sign.isLeading) break
    lastLead = sign.from
    leadEnd = sign.to
  }
  const left = run.findLast(({ isLeft }) => isLeft)
  const isAtStart = /^\s*(?:(?:[-+*]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?$/.test(state.sliceDoc(line.from, first.from))
  const isOpening = isAtStart && run.every((sign) => sign.isLeading || sign.isOpening)
  // As in other editors, what is typed looks like the character before it, at the start of a line like the one after it;
  // but it no longer belongs to a link.
  const place = isOpening ? last.to : (left?.to ?? leadEnd)
  return { from: first.from, to: last.to, place, leadEnd, lastLead }
}

/** Where a cursor that comes to this position is to stand. */
export const placeAt = (state: EditorState, at: number): number => runAt(state, at)?.place ?? at

/** The next character in a direction, over signs. */
export function stepFrom({ doc }: EditorState, at: number, isForward: boolean): number {
  const line = doc.lineAt(at)
  if (isForward ? at === line.to : at === line.from) {
    return Math.max(0, Math.min(doc.length, at + (isForward ? 1 : -1)))
  }
  return line.from + findClusterBreak(line.text, at - line.from, isForward)
}

export const isEmphasis = ({ name }: Wrapped): boolean => /^(?:Strong)?Emphasis$|^Strikethrough$/.test(name)
