import type { EditorView } from '@codemirror/view'
import { element } from './element.ts'
import { blockAt } from './picture-blocks.ts'
import { blockNear, dropBlock, type Span } from './picture-moves.ts'

/** Moves a picture with the mouse. A line shows between which paragraphs it would be dropped. */

interface Gap {
  readonly at: number
  readonly isBehind: boolean
  /** From the top of the window. */
  readonly y: number
}

function gapAt(view: EditorView, y: number): Gap | undefined {
  const { left } = view.contentDOM.getBoundingClientRect()
  const near = blockNear(view.state, view.posAtCoords({ x: left + 1, y }, false))
  if (!near) return undefined
  const top = view.documentTop + view.lineBlockAt(near.from).top
  const bottom = view.documentTop + view.lineBlockAt(near.to).bottom
  const isBehind = y > (top + bottom) / 2
  return { at: near.from, isBehind, y: isBehind ? bottom : top }
}

export function startDrag(view: EditorView, block: Span, { dataTransfer }: DragEvent): void {
  if (!dataTransfer) return
  dataTransfer.effectAllowed = 'move'
  dataTransfer.setData('text/plain', view.state.sliceDoc(block.from, block.to))
  const line = element('div', { className: 'md-drop', hidden: true })
  view.dom.append(line)
  const listeners = new AbortController()
  const options = { signal: listeners.signal, capture: true }
  const end = () => {
    listeners.abort()
    line.remove()
  }
  // The editor and the page would take what is dropped for text.
  const own = (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener(
    'dragover',
    (event) => {
      own(event)
      const gap = gapAt(view, event.clientY)
      line.hidden = !gap
      if (gap) line.style.top = `${gap.y - view.dom.getBoundingClientRect().top}px`
    },
    options,
  )
  addEventListener(
    'drop',
    (event) => {
      own(event)
      end()
      const gap = gapAt(view, event.clientY)
      const here = blockAt(view.state, block.from)
      const spec = gap && here && dropBlock(view.state, here, gap)
      if (spec) view.dispatch(spec)
      view.focus()
    },
    options,
  )
  addEventListener('dragend', end, options)
}
