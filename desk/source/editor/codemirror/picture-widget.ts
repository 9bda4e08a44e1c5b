import { type EditorView, WidgetType } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { t } from '../../messages.ts'
import { element } from './element.ts'
import { markdown } from './keymap.ts'
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
    parts.caption.replaceChildren(...captionNodes(caption))
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

const captionElements: Readonly<Record<string, 'em' | 'strong' | 's' | 'code' | 'u'>> = {
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 's',
  InlineCode: 'code',
  Link: 'u',
}
const captionMarks = /Mark$|^(?:URL|LinkTitle|LinkLabel)$/

/** A caption with its marks set. Its links lead nowhere while writing. */
function captionNodes(text: string): Node[] {
  const nodes: Node[] = []
  const inner = (node: SyntaxNode): Node[] => {
    const found: Node[] = []
    let at = node.from
    const addText = (to: number) => {
      if (to > at) found.push(document.createTextNode(text.slice(at, to)))
    }
    for (let child = node.firstChild; child; child = child.nextSibling) {
      const name = captionElements[child.name]
      const isMark = captionMarks.test(child.name) && node.name !== 'Paragraph'
      if (!name && !isMark && child.name !== 'Escape') continue
      addText(child.from)
      at = child.name === 'Escape' ? child.from + 1 : child.to
      if (name) found.push(element(name, {}, ...inner(child)))
    }
    addText(node.to)
    return found
  }
  const paragraph = markdown.parser.parse(text).topNode.firstChild
  if (paragraph?.name === 'Paragraph') nodes.push(...inner(paragraph))
  else if (text) nodes.push(document.createTextNode(text))
  return nodes
}
