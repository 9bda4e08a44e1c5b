import { EditorView } from '@codemirror/view'

/** What is at the top of the window: a position in the text, and its distance from there in pixels. */
export interface Top {
  readonly at: number
  readonly distance: number
}

/** Enough for the heights to settle, and too few to be noticed. */
const restoringFrames = 8

interface TopKeeper {
  /** Undefined if the page is not scrolled. */
  top(): Top | undefined
  stop(): void
}

/**
 * Scrolls to where the writer was, and notes where they are: when the editor is removed, the window shows another page
 * already. Heights of lines out of sight are estimates, so the position counts, not the height.
 */
export function keepTop(view: EditorView, before: Top | undefined): TopKeeper {
  let top = before
  let isStopped = false
  const note = () => {
    // Hidden while the next page loads.
    if (view.dom.getClientRects().length === 0) return
    if (scrollY === 0) {
      top = undefined
      return
    }
    const { from } = view.lineBlockAtHeight(Math.max(0, -view.documentTop))
    const line = view.coordsAtPos(from)
    if (line) top = { at: from, distance: line.top }
  }
  const listen = () => addEventListener('scroll', note, { passive: true })
  /** In each frame the editor measures what it drew, and lines move. */
  const restore = ({ at, distance }: Top, frames: number) => {
    if (isStopped) return
    if (frames === 0) return listen()
    const line = view.coordsAtPos(at)
    if (line) scrollBy({ top: line.top - distance, behavior: 'instant' })
    requestAnimationFrame(() => restore({ at, distance }, frames - 1))
  }
  if (before) {
    view.dispatch({ effects: EditorView.scrollIntoView(before.at, { y: 'start' }) })
    requestAnimationFrame(() => restore(before, restoringFrames))
  } else listen()
  return {
    top: () => top,
    stop() {
      isStopped = true
      removeEventListener('scroll', note)
    },
  }
}
