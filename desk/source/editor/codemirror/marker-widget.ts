import { WidgetType } from '@codemirror/view'
import { element } from './element.ts'

/** A bullet or a number in the place of a list mark. */
export class MarkerWidget extends WidgetType {
  readonly words: string
  constructor(words: string) {
    super()
    this.words = words
  }
  override eq(other: MarkerWidget): boolean {
    return other.words === this.words
  }
  override toDOM(): HTMLElement {
    return element('span', { className: 'md-marker' }, this.words)
  }
  override ignoreEvent(): boolean {
    return false
  }
}
