import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Range, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { picturesIn } from './picture-names.ts'

/** Pictures below the line that names them. */

/** A writer's own pictures are private until their piece is public; the desk has a way to them. */
export const shownAt = (address: string): string => (address.startsWith('/media/') ? `/desk${address}` : address)

class Picture extends WidgetType {
  readonly address: string
  readonly words: string
  constructor(address: string, words: string) {
    super()
    this.address = address
    this.words = words
  }
  override eq(other: Picture): boolean {
    return other.address === this.address && other.words === this.words
  }
  override toDOM(view: EditorView): HTMLElement {
    const figure = document.createElement('div')
    figure.className = 'md-picture'
    const image = document.createElement('img')
    image.alt = this.words
    image.src = shownAt(this.address)
    image.onload = () => view.requestMeasure()
    image.onerror = () => {
      figure.textContent = 'This picture cannot be shown.'
      view.requestMeasure()
    }
    figure.append(image)
    return figure
  }
  override get estimatedHeight(): number {
    return 320
  }
}

function pictures(state: EditorState): DecorationSet {
  const found: Range<Decoration>[] = []
  const tree = syntaxTree(state)
  for (const { words, address, at } of picturesIn(state.doc.toString())) {
    if (/Code/.test(tree.resolveInner(at, 1).name)) continue
    const widget = new Picture(address, words)
    found.push(Decoration.widget({ widget, block: true, side: 1 }).range(state.doc.lineAt(at).to))
  }
  return Decoration.set(found, true)
}

export const shownPictures = StateField.define<DecorationSet>({
  create: pictures,
  update: (shown, transaction) => (transaction.docChanged ? pictures(transaction.state) : shown),
  provide: (field) => EditorView.decorations.from(field),
})
