import type { Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { type ActBar, createActBar } from './act-bar.ts'
import { type ActName, linkForm } from './acts.ts'
import { selectedPicture } from './picture-blocks.ts'

/** Formatting by hand: a toolbar at the selection, and on touch screens a bar above the keyboard. */

const selectionActs: readonly ActName[] = [
  'bold',
  'italic',
  'link',
  'heading',
  'subheading',
  'list',
  'numbered_list',
  'quote',
  'footnote',
  'comment',
]
const touchActs: readonly ActName[] = [
  'bold',
  'italic',
  'link',
  'heading',
  'list',
  'quote',
  'image',
  'footnote',
  'comment',
  'undo',
  'redo',
  'find',
]

/** Between the toolbar and the selected line, and between it and the edge of the window. */
const gap = 8

/** Which acts the selection has is looked up after a pause in typing (milliseconds). */
const refreshDelay = 150

/** Where the toolbar may begin: below the page's bar and the headline. */
type TopEdge = (view: EditorView) => number

class Bars {
  readonly view: EditorView
  readonly topEdge: TopEdge
  readonly touch: MediaQueryList = matchMedia('(pointer: coarse)')
  /** Made when it is first needed. */
  bar: ActBar | undefined
  isTouchBar = false
  /** By Escape, until the selection changes. */
  isDismissed = false
  /** Asked for by its key, also without a selection. */
  isForced = false
  /** The selection is being made with the mouse. */
  isSelecting = false
  decorations: DecorationSet = Decoration.none
  timer: ReturnType<typeof setTimeout> | undefined
  readonly listeners = new AbortController()

  constructor(view: EditorView, topEdge: TopEdge) {
    this.view = view
    this.topEdge = topEdge
    const { signal } = this.listeners
    view.contentDOM.addEventListener('pointerdown', () => this.setSelecting(true), { signal })
    addEventListener('pointerup', () => this.setSelecting(false), { signal })
    addEventListener('pointercancel', () => this.setSelecting(false), { signal })
    addEventListener('scroll', () => this.place(), { signal, passive: true })
    addEventListener('resize', () => this.place(), { signal })
    visualViewport?.addEventListener('resize', () => this.place(), { signal })
    visualViewport?.addEventListener('scroll', () => this.place(), { signal })
  }

  update(update: ViewUpdate) {
    if (update.selectionSet || update.docChanged) {
      this.isDismissed = false
      if (!this.hasFocus()) this.isForced = false
    }
    if (this.bar?.isAsking() && update.docChanged) this.bar.closeForm()
    const isAsking = this.bar?.isAsking() === true
    const { from, to } = update.state.selection.main
    this.decorations = isAsking && from < to ? Decoration.set(asked.range(from, to)) : Decoration.none
    // While typing there is no selection, and nothing more to do.
    if (update.state.selection.main.empty && !this.isShown() && !update.focusChanged) return
    this.show(this.isWanted())
    if (update.geometryChanged || update.selectionSet) this.place()
  }

  destroy() {
    this.listeners.abort()
    clearTimeout(this.timer)
    this.bar?.element.remove()
  }

  isShown(): boolean {
    return this.bar?.element.hidden === false
  }

  hasFocus(): boolean {
    return this.bar?.element.contains(document.activeElement) === true
  }

  setSelecting(isSelecting: boolean) {
    if (this.isSelecting === isSelecting) return
    this.isSelecting = isSelecting
    this.show(this.isWanted())
  }

  isWanted(): boolean {
    const { state, hasFocus } = this.view
    if (state.readOnly || !(hasFocus || this.hasFocus())) return false
    if (this.touch.matches || this.isForced || this.hasFocus()) return true
    const hasWords = !state.selection.main.empty && selectedPicture(state) === undefined
    return hasWords && !this.isDismissed && !this.isSelecting
  }

  /** The bar for this device, made again if a mouse or a touch screen has come. */
  barForDevice(): ActBar {
    if (this.bar && this.isTouchBar === this.touch.matches) return this.bar
    this.bar?.element.remove()
    this.isTouchBar = this.touch.matches
    const bar = createActBar(this.view, {
      names: this.isTouchBar ? touchActs : selectionActs,
      className: this.isTouchBar ? 'md-bar-touch' : 'md-bar-selection',
      onForm: (isOpen) => {
        // An empty transaction, so that the selection is drawn while the form has the focus.
        if (isOpen) this.view.dispatch({})
        this.place()
      },
    })
    bar.element.addEventListener('focusout', ({ relatedTarget }) => {
      // Another window has the focus; the writer comes back to this one.
      if (!document.hasFocus()) return
      const isInside = relatedTarget instanceof Node && this.view.dom.contains(relatedTarget)
      if (!isInside) this.show(false)
    })
    this.view.dom.append(bar.element)
    this.bar = bar
    return bar
  }

  show(isWanted: boolean) {
    if (!isWanted) {
      if (!this.bar || this.bar.element.hidden) return
      this.isForced = false
      this.bar.element.hidden = true
      this.bar.closeForm()
      return
    }
    const bar = this.barForDevice()
    if (bar.element.hidden) {
      bar.element.hidden = false
      bar.refresh()
      this.place()
    } else this.refreshSoon()
  }

  refreshSoon() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.bar?.refresh(), refreshDelay)
  }

  place() {
    if (!this.isShown()) return
    this.view.requestMeasure({
      key: this,
      read: () => (this.isTouchBar ? touchPlace() : this.selectionPlace()),
      write: (place) => {
        if (this.bar) Object.assign(this.bar.element.style, place)
      },
    })
  }

  /** Above the first selected line, or below the last one; at the foot of the window if both are out of sight. */
  selectionPlace(): Record<string, string> {
    const { view } = this
    const { from, to, head } = view.state.selection.main
    const [start, end] = [view.coordsAtPos(from, 1), view.coordsAtPos(to, -1)]
    const editor = view.dom.getBoundingClientRect()
    const { width, height } = this.bar!.element.getBoundingClientRect()
    const above = (start?.top ?? Number.NEGATIVE_INFINITY) - height - gap
    const below = (end?.bottom ?? Number.POSITIVE_INFINITY) + gap
    const foot = innerHeight - height - gap
    const top = above >= this.topEdge(view) ? above : below >= this.topEdge(view) && below <= foot ? below : foot
    const isOneLine = start && end && Math.abs(start.top - end.top) < 2
    const middle = isOneLine ? (start.left + end.left) / 2 : (view.coordsAtPos(head)?.left ?? editor.left)
    const right = document.documentElement.clientWidth - width - gap
    const left = Math.max(gap, Math.min(middle - width / 2, right))
    return { top: `${top - editor.top}px`, left: `${left - editor.left}px` }
  }

  focusBar(): boolean {
    if (this.view.state.readOnly) return false
    this.isForced = true
    this.show(true)
    this.bar?.focus()
    return true
  }

  askForLink(): boolean {
    this.isForced = true
    this.show(true)
    this.bar?.askForLink()
    return true
  }

  dismiss(): boolean {
    if (!this.isShown() || this.isTouchBar) return false
    this.isDismissed = true
    this.isForced = false
    this.show(false)
    return true
  }
}

/** The keyboard covers a part of the page, which keeps its size. */
export function touchPlace(): Record<string, string> {
  const { offsetTop = 0, height = innerHeight } = visualViewport ?? {}
  return { bottom: `${Math.max(0, innerHeight - offsetTop - height)}px` }
}

/** The browser shows no selection where the focus is not. */
const asked = Decoration.mark({ class: 'md-asked' })

export function actBars(topEdge: TopEdge): Extension {
  const plugin = ViewPlugin.define((view) => new Bars(view, topEdge), { decorations: ({ decorations }) => decorations })
  const withBars = (run: (bars: Bars) => boolean) => (view: EditorView) => {
    const bars = view.plugin(plugin)
    return bars !== null && run(bars)
  }
  return [
    plugin,
    linkForm.of(withBars((bars) => bars.askForLink())),
    keymap.of([
      { key: 'Escape', run: withBars((bars) => bars.dismiss()) },
      { key: 'Alt-F10', run: withBars((bars) => bars.focusBar()) },
    ]),
  ]
}
