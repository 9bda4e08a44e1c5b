import type { ViewUpdate } from '@codemirror/view'

/** What is over the text to edit a part of it. */
export interface Panel {
  /** After each change of the text, the selection or the layout. */
  update(update: ViewUpdate): void
  show(): void
  destroy(): void
}
