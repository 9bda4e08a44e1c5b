import { type Range, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { type Sending, uploadCard } from './upload-card.ts'

/** Pictures on their way into the text: a card where each will stand, until it has come and been described. */

class Card extends WidgetType {
  readonly element: HTMLElement
  constructor(element: HTMLElement) {
    super()
    this.element = element
  }
  override eq(other: Card): boolean {
    return other.element === this.element
  }
  override toDOM(): HTMLElement {
    return this.element
  }
  override ignoreEvent(): boolean {
    return true
  }
}

const shown = StateEffect.define<{ readonly card: Card; readonly at: number }>()
const gone = StateEffect.define<Card>()

export const uploads = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(cards, transaction) {
    let next = cards.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (effect.is(shown)) {
        const { card, at } = effect.value
        next = next.update({ add: [Decoration.widget({ widget: card, block: true, side: 2 }).range(at)] })
      }
      if (effect.is(gone)) next = next.update({ filter: (_from, _to, { spec }) => spec.widget !== effect.value })
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

function placeOf(view: EditorView, card: Card): number {
  let found: Range<Decoration>['from'] | undefined
  view.state.field(uploads).between(0, view.state.doc.length, (from, _to, { spec }) => {
    if (spec.widget === card) found = from
  })
  return found ?? view.state.doc.length
}

/** Begins to send a picture, and shows it at the end of the line it was dropped on. */
export function sendPicture(view: EditorView, file: File, at: number, send: Sending): void {
  const card: Card = new Card(
    uploadCard(file, send, {
      put(markdown) {
        const { state } = view
        const line = state.doc.lineAt(placeOf(view, card))
        const isEmpty = line.text.trim() === ''
        const after = state.doc.lines > line.number ? state.doc.line(line.number + 1).text : ''
        const insert = `${isEmpty ? '' : '\n\n'}${markdown}${after.trim() === '' ? '' : '\n'}`
        view.dispatch({
          changes: { from: isEmpty ? line.from : line.to, to: line.to, insert },
          effects: gone.of(card),
          userEvent: 'input.picture',
        })
        view.focus()
      },
      leave() {
        view.dispatch({ effects: gone.of(card) })
        view.focus()
      },
      grown: () => view.requestMeasure(),
    }),
  )
  view.dispatch({ effects: shown.of({ card, at: view.state.doc.lineAt(at).to }) })
  card.element.querySelector('input')?.focus()
}
