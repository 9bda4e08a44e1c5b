import { isolateHistory } from '@codemirror/commands'
import type { EditorState, TransactionSpec } from '@codemirror/state'
import { treeTo } from './marks.ts'

/** Moves and removes a paragraph such as a picture. Between the other paragraphs everything stays as it was typed. */

export interface Span {
  readonly from: number
  readonly to: number
}

/** The paragraphs, lists, tables and so on of the text, in whole lines. */
function topBlocks(state: EditorState): Span[] {
  const found: Span[] = []
  for (let node = treeTo(state, state.doc.length).topNode.firstChild; node; node = node.nextSibling) {
    found.push({ from: state.doc.lineAt(node.from).from, to: state.doc.lineAt(node.to).to })
  }
  return found
}

const hasBlankLine = (separator: string): boolean => (separator.match(/\n/g)?.length ?? 0) > 1

/** Moves a block before the block at `place`, or behind the last one. */
function moveTo(state: EditorState, blocks: readonly Span[], from: number, place: number): TransactionSpec | undefined {
  const block = blocks[from]
  if (!block || place === from || place === from + 1) return undefined
  const text = state.sliceDoc(block.from, block.to)
  const between = (before: Span | undefined, after: Span | undefined) =>
    before && after ? state.sliceDoc(before.to, after.from) : undefined
  const separated = (separator: string) => (hasBlankLine(separator) ? separator : '\n\n')
  const [above, below] = [blocks[place - 1], blocks[place]]
  const gap = between(above, below)
  const missing = gap === undefined || hasBlankLine(gap) ? '' : '\n'
  const isDown = place > from
  const near = isDown ? blocks[from + 1]! : blocks[from - 1]!
  const separator = separated(isDown ? between(block, near)! : between(near, block)!)
  const removed = isDown ? { from: block.from, to: near.from } : { from: near.to, to: block.to }
  const at = isDown ? above!.to : below!.from
  const insert = isDown ? separator + text + missing : missing + text + separator
  const start = isDown ? at - (removed.to - removed.from) + separator.length : at + missing.length
  return {
    changes: [removed, { from: at, insert }],
    selection: { anchor: start, head: start + text.length },
    scrollIntoView: true,
    userEvent: 'move.picture',
    annotations: isolateHistory.of('full'),
  }
}

/** One block up or down. */
export function moveBlock(state: EditorState, { from }: Span, step: 1 | -1): TransactionSpec | undefined {
  const blocks = topBlocks(state)
  const place = blocks.findIndex((one) => one.from === from)
  const next = step > 0 ? place + 2 : place - 1
  return place < 0 || next < 0 || next > blocks.length ? undefined : moveTo(state, blocks, place, next)
}

/** Before or behind the block that has a position. */
export function dropBlock(
  state: EditorState,
  { from }: Span,
  { at, isBehind }: { readonly at: number; readonly isBehind: boolean },
): TransactionSpec | undefined {
  const blocks = topBlocks(state)
  const place = blocks.findIndex((one) => one.from === from)
  const target = blocks.findIndex((one) => at >= one.from && at <= one.to)
  return place < 0 || target < 0 ? undefined : moveTo(state, blocks, place, target + (isBehind ? 1 : 0))
}

/** The block at a position, or the last one before it. */
export const blockNear = (state: EditorState, at: number): Span | undefined => {
  const blocks = topBlocks(state)
  return blocks.findLast(({ from }) => from <= at) ?? blocks[0]
}

/** Without the block and what divides it from the next one, or from the one before it at the end of the text. */
export function removeBlock({ doc }: EditorState, { from, to }: Span): TransactionSpec {
  const after = /^\s*\n/.exec(doc.sliceString(to))?.[0].length ?? 0
  const before = /\n\s*$/.exec(doc.sliceString(0, from))?.[0].length ?? 0
  const isLast = to + after >= doc.length
  const changes = isLast ? { from: from - before, to } : { from, to: to + after }
  return {
    changes,
    selection: { anchor: changes.from },
    scrollIntoView: true,
    userEvent: 'delete.picture',
    annotations: isolateHistory.of('full'),
  }
}
