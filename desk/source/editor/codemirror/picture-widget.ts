import { type EditorView, WidgetType } from '@codemirror/view'
import { t } from '../../messages.ts'
import { element } from './element.ts'
import { inlineNodes } from './inline-nodes.ts'
import type { PictureBlock } from './picture-blocks.ts'
import { createPicturePanel, type PicturePanel } from './picture-panel.ts'

/** A writer's pictures are private until the piece is public; the desk serves them under its own path. */
export const deskMediaUrl = (address: string): string => (address.startsWith('/media/') ? `/desk${address}` : address)

function imageOf(view: EditorView, address: string, alt: string): HTMLImageElement {
  const image = element('img', { alt, draggable: false, onload: () => view.requestMeasure() })
  image.onerror = () => {
    image.replaceWith(t('desk.editor.image.broken'))
    view.requestMeasure()
  }
  image.src = deskMediaUrl(address)
  return image
}

/** A picture within other text, shown below its line. */
export class PreviewWidget extends WidgetType {
  readonly address: string
  readonly words: string
  constructor(address: string, words: string) {
    super()
    this.address = address
    this.words = words
  }
  override eq(other: PreviewWidget): boolean {
    return other.address === this.address && other.words === this.words
  }
  override toDOM(view: EditorView): HTMLElement {
    return element('div', { className: 'md-picture' }, imageOf(view, this.address, this.words))
  }
  override get estimatedHeight(): number {
    return 320
  }
}

/** What the elements of a block show; kept while its properties change, so that the picture isn't loaded again. */
interface Shown {
  readonly figure: HTMLElement
  readonly caption: HTMLElement
  panel: PicturePanel | undefined
}
const shown = new WeakMap<HTMLElement, Shown>()

/** A picture alone in its paragraph, as readers see it, with its panel. */
export class BlockWidget extends WidgetType {
  readonly block: PictureBlock
  readonly isSelected: boolean
  readonly isOpen: boolean
  constructor(block: PictureBlock, isSelected: boolean, isOpen: boolean) {
    super()
    this.block = block
    this.isSelected = isSelected
    this.isOpen = isOpen
  }
  override eq({ block, isSelected, isOpen }: BlockWidget): boolean {
    const { alt, address, caption, width } = this.block
    const isSame = alt === block.alt && address === block.address && caption === block.caption && width === block.width
    return isSame && isSelected === this.isSelected && isOpen === this.isOpen
  }
  override toDOM(view: EditorView): HTMLElement {
    const caption = element('figcaption', {})
    const figure = element('figure', { draggable: true }, imageOf(view, this.block.address, this.block.alt), caption)
    const dom = element('div', { className: 'md-picture md-picture-block' }, figure)
    shown.set(dom, { figure, caption, panel: undefined })
    this.draw(dom, view)
    return dom
  }
  override updateDOM(dom: HTMLElement, view: EditorView, from: BlockWidget): boolean {
    if (!shown.has(dom) || from.block.address !== this.block.address) return false
    this.draw(dom, view)
    view.requestMeasure()
    return true
  }
  draw(dom: HTMLElement, view: EditorView) {
    const parts = shown.get(dom)!
    const { alt, caption, width } = this.block
    dom.dataset['width'] = width
    dom.classList.toggle('md-picture-selected', this.isSelected)
    const image = parts.figure.querySelector('img')
    if (image) image.alt = alt
    parts.caption.replaceChildren(...inlineNodes(caption))
    parts.caption.hidden = caption === ''
    if (this.isOpen) {
      parts.panel ??= createPicturePanel(view, dom)
      parts.panel.show(this.block)
      dom.append(parts.panel.element)
    } else parts.panel?.element.remove()
  }
  override get estimatedHeight(): number {
    return 320
  }
  /** The block handles its events itself. */
  override ignoreEvent(): boolean {
    return true
  }
}
