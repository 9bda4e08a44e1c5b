import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Line, StateEffect, StateField, type Transaction } from '@codemirror/state'
import { findPictures } from '../../components/find-pictures.ts'
import { type Picture, readPicture } from './picture-syntax.ts'

/** Where the pictures of a text are, and which of them is selected. */

/** A picture alone in its paragraph, which is one line. */
export interface PictureBlock extends Picture {
  readonly from: number
  readonly to: number
}

/** A picture within a paragraph, a list or a quote: shown below its line. */
interface InlinePicture {
  readonly words: string
  readonly address: string
  /** The end of its line. */
  readonly at: number
}

export interface Pictures {
  readonly blocks: readonly PictureBlock[]
  readonly inline: readonly InlinePicture[]
  /** The block that is shown as Markdown, because the cursor was put into it. */
  readonly asText: PictureBlock | undefined
  readonly selected: PictureBlock | undefined
  /** Whether the panel of the selected block is open. */
  readonly isOpen: boolean
}

export const setPanel = StateEffect.define<boolean>()
/** Shows the block as a picture again, though the cursor is in its line. */
export const endText = StateEffect.define<null>()

const isBlank = (line: Line): boolean => line.text.trim() === ''

/** Whether the picture of this line is a paragraph, and that not within a list, a quote or code. */
function isAlone(state: EditorState, line: Line): boolean {
  let node = syntaxTree(state).resolveInner(line.from + line.text.indexOf('!'), 1)
  while (node.parent && node.name !== 'Paragraph') node = node.parent
  if (node.name === 'Paragraph') {
    return node.parent?.name === 'Document' && node.from >= line.from && node.to <= line.to
  }
  // Not parsed yet.
  const { doc } = state
  const isFree = (number: number) => number < 1 || number > doc.lines || isBlank(doc.line(number))
  return isFree(line.number - 1) && isFree(line.number + 1)
}

function locate(state: EditorState): Pick<Pictures, 'blocks' | 'inline'> {
  const blocks: PictureBlock[] = []
  const inline: InlinePicture[] = []
  const tree = syntaxTree(state)
  for (const { words, address, at } of findPictures(state.doc.toString())) {
    if (/Code/.test(tree.resolveInner(at, 1).name)) continue
    const line = state.doc.lineAt(at)
    const picture = readPicture(line.text)
    if (picture && isAlone(state, line)) blocks.push({ ...picture, from: line.from, to: line.to })
    else inline.push({ words, address, at: line.to })
  }
  return { blocks, inline }
}

const selectedIn = (blocks: readonly PictureBlock[], { selection: { main, ranges } }: EditorState) =>
  ranges.length > 1 ? undefined : blocks.find(({ from, to }) => from === main.from && to === main.to)

/** The block in which the selection is to stay Markdown. */
function shownAsText(blocks: readonly PictureBlock[], before: Pictures, transaction: Transaction) {
  if (transaction.effects.some((effect) => effect.is(endText))) return undefined
  const { main } = transaction.newSelection
  const block = blocks.find(({ from, to }) => main.from >= from && main.to <= to)
  if (!block) return undefined
  const was = before.asText && transaction.changes.mapPos(before.asText.from, 1)
  if (was !== undefined && was >= block.from && was <= block.to) return block
  // Users' own movements select the whole block, so this is a cursor that was put there, or a word that was looked for.
  const isPut = main.empty || transaction.isUserEvent('select.search')
  return isPut && transaction.selection ? block : undefined
}

function update(before: Pictures, transaction: Transaction): Pictures {
  const { state, startState, docChanged } = transaction
  const isParsed = syntaxTree(startState) !== syntaxTree(state)
  const effects = transaction.effects.filter((effect) => effect.is(setPanel) || effect.is(endText))
  if (!docChanged && !isParsed && !transaction.selection && effects.length === 0) return before
  const { blocks, inline } = docChanged || isParsed ? locate(state) : before
  if (blocks.length === 0 && before.blocks.length === 0 && before.inline.length === 0 && inline.length === 0) {
    return before
  }
  const asText = shownAsText(blocks, before, transaction)
  const selected = asText ? undefined : selectedIn(blocks, state)
  const asked = effects.find((effect) => effect.is(setPanel))?.value as boolean | undefined
  const isOpen = selected !== undefined && !state.readOnly && (asked ?? (before.isOpen && !isOther(before, selected)))
  const isSame =
    blocks === before.blocks && asText === before.asText && selected === before.selected && isOpen === before.isOpen
  return isSame ? before : { blocks, inline, asText, selected, isOpen }

  function isOther(from: Pictures, block: PictureBlock): boolean {
    return from.selected === undefined || transaction.changes.mapPos(from.selected.from, -1) !== block.from
  }
}

export const pictures = StateField.define<Pictures>({
  create: (state) => ({ ...locate(state), asText: undefined, selected: undefined, isOpen: false }),
  update,
})

/** The block whose line has this position, unless it is shown as Markdown. */
export function blockAt(state: EditorState, at: number): PictureBlock | undefined {
  const { blocks, asText } = state.field(pictures)
  return blocks.find((block) => block !== asText && at >= block.from && at <= block.to)
}

export const selectedPicture = (state: EditorState): PictureBlock | undefined => state.field(pictures, false)?.selected
