import {
  EditorState,
  type Extension,
  Prec,
  type Range,
  type StateCommand,
  type TransactionSpec,
} from '@codemirror/state'
import { type Command, Decoration, type DecorationSet, EditorView, keymap, ViewPlugin } from '@codemirror/view'
import { t } from '../../messages.ts'
import { joinedBlock, passedBlock, typedBeside } from './beside-blocks.ts'
import { insertBlock } from './blocks.ts'
import { blockAt, endText, type PictureBlock, pictures, selectedPicture, setPanel } from './picture-blocks.ts'
import { startDrag } from './picture-dragging.ts'
import { moveBlock, removeBlock } from './picture-moves.ts'
import { BlockWidget, PreviewWidget } from './picture-widget.ts'

/** Pictures as blocks: a cursor that would go into one selects it, and keys, mouse and touch handle it as a whole. */

const decorations = EditorView.decorations.compute([pictures], (state): DecorationSet => {
  const { blocks, inline, asText, selected, isOpen } = state.field(pictures)
  const preview = (address: string, words: string, at: number): Range<Decoration> =>
    Decoration.widget({ widget: new PreviewWidget(address, words), block: true, side: 1 }).range(at)
  const found = inline.map(({ words, address, at }) => preview(address, words, at))
  for (const block of blocks) {
    if (block === asText) found.push(preview(block.address, block.alt, block.to))
    else {
      const isSelected = block === selected
      const widget = new BlockWidget(block, isSelected, isSelected && isOpen)
      found.push(Decoration.replace({ widget, block: true }).range(block.from, block.to))
    }
  }
  return Decoration.set(found, true)
})

/** The cursor never stops within a block. */
const atomic = EditorView.atomicRanges.of(({ state }) => {
  const { blocks, asText } = state.field(pictures)
  const whole = Decoration.mark({})
  return Decoration.set(blocks.filter((block) => block !== asText).map(({ from, to }) => whole.range(from, to)))
})

const selecting = ({ from, to }: PictureBlock): TransactionSpec => ({
  selection: { anchor: from, head: to },
  scrollIntoView: true,
  effects: EditorView.announce.of(t('desk.editor.image.selected')),
})

const selectWhole = EditorState.transactionFilter.of((transaction) => {
  const { main, ranges } = transaction.newSelection
  if (!transaction.isUserEvent('select') || transaction.docChanged || !main.empty || ranges.length > 1) {
    return transaction
  }
  const block = blockAt(transaction.startState, main.head)
  return block ? [transaction, selecting(block)] : transaction
})

const withSelected =
  (run: (view: EditorView, block: PictureBlock) => boolean): Command =>
  (view) => {
    const block = selectedPicture(view.state)
    return block !== undefined && run(view, block)
  }

/** Enter: the first field of the panel. */
const openPanel = withSelected((view) => {
  view.dispatch({ effects: setPanel.of(true) })
  view.dom.querySelector<HTMLElement>('.md-panel input')?.focus()
  return true
})

const closePanel = withSelected((view) => {
  if (!view.state.field(pictures).isOpen) return false
  view.dispatch({ effects: setPanel.of(false) })
  return true
})

const remove = withSelected((view, block) => {
  if (!view.state.readOnly) view.dispatch(removeBlock(view.state, block))
  return true
})

const moveCommand = (step: 1 | -1): Command =>
  withSelected((view, block) => {
    const spec = view.state.readOnly ? undefined : moveBlock(view.state, block, step)
    if (spec) view.dispatch(spec)
    return true
  })

/** To the line above or below; at an end of the text the block stays selected. */
const leave = (step: 1 | -1): Command =>
  withSelected((view, { from, to }) => {
    const anchor = step > 0 ? to + 1 : from - 1
    if (anchor < 0 || anchor > view.state.doc.length) return true
    view.dispatch({ selection: { anchor }, userEvent: 'select', scrollIntoView: true })
    return true
  })

/** A movement over a block selects it. */
const enter =
  (step: 1 | -1): Command =>
  (view) => {
    const { blocks, asText } = view.state.field(pictures)
    const block = passedBlock(
      view,
      step,
      blocks.filter((one) => one !== asText),
    )
    if (block) view.dispatch(selecting(block))
    return block !== undefined
  }

/** Left and right, by the direction of the text. */
const leaveSideways =
  (step: 1 | -1): Command =>
  (view) =>
    leave(view.textDirection === 1 ? (step > 0 ? -1 : 1) : step)(view)

/** A deletion that would join a paragraph with a picture's selects the picture instead. */
const selectNeighbour =
  (step: 1 | -1): StateCommand =>
  ({ state, dispatch }) => {
    const block = joinedBlock(state, step, blockAt)
    if (!block || state.readOnly) return false
    dispatch(state.update(selecting(block)))
    return true
  }

const keys = keymap.of([
  { key: 'Enter', run: openPanel },
  { key: 'Escape', run: closePanel },
  { key: 'Backspace', run: remove },
  { key: 'Delete', run: remove },
  { key: 'Backspace', run: selectNeighbour(-1) },
  { key: 'Delete', run: selectNeighbour(1) },
  { key: 'Alt-ArrowUp', run: moveCommand(-1) },
  { key: 'Alt-ArrowDown', run: moveCommand(1) },
  { key: 'ArrowUp', run: leave(-1) },
  { key: 'ArrowDown', run: leave(1) },
  { key: 'ArrowUp', run: enter(-1) },
  { key: 'ArrowDown', run: enter(1) },
  { key: 'ArrowLeft', run: leaveSideways(-1) },
  { key: 'ArrowRight', run: leaveSideways(1) },
])

/** What is typed at a picture or in the blank line beside it is a paragraph of its own, so that the picture stays alone. */
const typing = EditorView.inputHandler.of((view, from, to, text) => {
  const { state } = view
  const block = selectedPicture(state)
  if (block && from === block.from && to === block.to) {
    view.dispatch({ ...insertBlock(state, block.to, block.to, `${text}‸`), userEvent: 'input.type' })
    return true
  }
  return typedBeside(view, from, to, text, blockAt)
})

/** The block of an element within it. */
function blockOf(view: EditorView, target: EventTarget | null): PictureBlock | undefined {
  const owner = target instanceof Element ? target.closest<HTMLElement>('.md-picture-block') : null
  return owner ? blockAt(view.state, view.posAtDOM(owner)) : undefined
}

/** CodeMirror leaves events within widgets to them, so these are listened to on its element. */
const pointing = ViewPlugin.define((view) => {
  const listeners = new AbortController()
  const { signal } = listeners
  const isTouch = matchMedia('(pointer: coarse)')
  const isPanel = (target: EventTarget | null) => target instanceof Element && target.closest('.md-panel') !== null
  view.contentDOM.addEventListener(
    'click',
    (event) => {
      const block = isPanel(event.target) ? undefined : blockOf(view, event.target)
      if (!block) return
      view.dispatch(selecting(block), { effects: setPanel.of(true) })
      if (!isTouch.matches) view.focus()
    },
    { signal },
  )
  view.contentDOM.addEventListener(
    'mousedown',
    (event) => {
      // A touch must not bring up the keyboard.
      if (isTouch.matches && !isPanel(event.target) && blockOf(view, event.target)) event.preventDefault()
    },
    { signal },
  )
  view.contentDOM.addEventListener(
    'dragstart',
    (event) => {
      const block = isPanel(event.target) ? undefined : blockOf(view, event.target)
      if (block && !view.state.readOnly) startDrag(view, block, event)
    },
    { signal },
  )
  return { destroy: () => listeners.abort() }
})

/** Coming from elsewhere, the cursor may be within a block; going elsewhere, Markdown becomes a picture again. */
const focusing = EditorView.domEventHandlers({
  focus(_event, view) {
    const { main } = view.state.selection
    const block = main.empty ? blockAt(view.state, main.head) : undefined
    if (block) view.dispatch({ selection: { anchor: block.from, head: block.to } })
  },
  blur(_event, view) {
    // Another window has the focus; the writer comes back to this one.
    if (document.hasFocus() && view.state.field(pictures).asText) view.dispatch({ effects: endText.of(null) })
  },
})

export const pictureBlocks: Extension = [
  pictures,
  decorations,
  atomic,
  selectWhole,
  typing,
  focusing,
  pointing,
  Prec.high(keys),
]
