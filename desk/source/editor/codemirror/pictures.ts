import { type Range, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import type { UploadPicture } from '../../components/upload-picture.ts'
import { t } from '../../messages.ts'
import { insertBlock } from './blocks.ts'
import { element } from './element.ts'
import { pictureMarkdown } from './picture-syntax.ts'
import { deskMediaUrl } from './picture-widget.ts'

/** Pictures being uploaded: a card at their position until they are uploaded and described. */

class UploadWidget extends WidgetType {
  readonly element: HTMLElement
  constructor(element: HTMLElement) {
    super()
    this.element = element
  }
  override eq(other: UploadWidget): boolean {
    return other.element === this.element
  }
  override toDOM(): HTMLElement {
    return this.element
  }
  override ignoreEvent(): boolean {
    return true
  }
}

const addCard = StateEffect.define<{ readonly card: UploadWidget; readonly at: number }>()
const removeCard = StateEffect.define<UploadWidget>()

export const uploads = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(cards, transaction) {
    let next = cards.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (effect.is(addCard)) {
        const { card, at } = effect.value
        next = next.update({ add: [Decoration.widget({ widget: card, block: true, side: 2 }).range(at)] })
      }
      if (effect.is(removeCard)) next = next.update({ filter: (_from, _to, { spec }) => spec.widget !== effect.value })
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

function positionOf(view: EditorView, card: UploadWidget): number {
  let found: Range<Decoration>['from'] | undefined
  view.state.field(uploads).between(0, view.state.doc.length, (from, _to, { spec }) => {
    if (spec.widget === card) found = from
  })
  return found ?? view.state.doc.length
}

/** Starts an upload and shows its card at the end of the line. */
export function startUpload(view: EditorView, file: File, at: number, send: UploadPicture): void {
  const card: UploadWidget = new UploadWidget(
    uploadCard(file, send, {
      insert(markdown) {
        const at = positionOf(view, card)
        const { changes, selection } = insertBlock(view.state, at, at, markdown)
        // A writer who has gone on elsewhere while it was uploaded stays there.
        const isHere = card.element.contains(document.activeElement)
        view.dispatch({
          changes: changes!,
          ...(isHere ? { selection: selection!, scrollIntoView: true } : {}),
          effects: removeCard.of(card),
          userEvent: 'input.picture',
        })
        if (isHere) view.focus()
      },
      discard() {
        view.dispatch({ effects: removeCard.of(card) })
        view.focus()
      },
      onResize: () => view.requestMeasure(),
    }),
  )
  view.dispatch({ effects: addCard.of({ card, at: view.state.doc.lineAt(at).to }) })
  card.element.querySelector('input')?.focus()
}

interface CardActions {
  readonly insert: (markdown: string) => void
  readonly discard: () => void
  readonly onResize: () => void
}

let count = 0

/** The card of an upload: progress, alt text and actions. Plain DOM, since it is a CodeMirror widget. */
function uploadCard(file: File, send: UploadPicture, { insert, discard, onResize }: CardActions): HTMLElement {
  const id = `picture-${++count}`
  const status = element('p', { className: 'md-upload-said', role: 'status' })
  const bar = element('progress', {
    max: 1,
    value: 0,
    ariaLabel: t('desk.editor.image.uploading', { file: file.name }),
  })
  const altText = element('input', {
    id,
    type: 'text',
    autocomplete: 'off',
    maxLength: 1000,
    placeholder: t('desk.editor.image.alt_text_hint'),
  })
  const caption = element('input', {
    id: `${id}-caption`,
    type: 'text',
    autocomplete: 'off',
    maxLength: 1000,
    placeholder: t('desk.editor.image.caption_hint'),
  })
  const width = element(
    'select',
    { id: `${id}-width` },
    ...(['text', 'wide', 'full'] as const).map((value) =>
      element('option', { value }, t(`desk.editor.image.width_${value}`)),
    ),
  )
  const decorative = element('input', { id: `${id}-none`, type: 'checkbox' })
  const retryButton = element('button', { type: 'button', hidden: true }, t('desk.common.try_again'))
  const insertButton = element('button', { type: 'button', className: 'md-upload-main' }, t('desk.editor.image.insert'))
  const discardButton = element('button', { type: 'button' }, t('desk.editor.image.discard'))
  const card = element(
    'div',
    { className: 'md-upload', role: 'group', ariaLabel: t('desk.editor.image.card', { file: file.name }) },
    status,
    bar,
    element('label', { htmlFor: id }, t('desk.common.picture.alt_text')),
    altText,
    element(
      'div',
      { className: 'md-upload-choice' },
      decorative,
      element('label', { htmlFor: `${id}-none` }, t('desk.editor.image.decorative')),
    ),
    element('label', { htmlFor: caption.id }, t('desk.editor.image.caption')),
    caption,
    element('label', { htmlFor: width.id }, t('desk.editor.image.width')),
    width,
    element('div', { className: 'md-upload-acts' }, discardButton, retryButton, insertButton),
  )

  let address: string | undefined
  let isConfirmed = false
  const setStatus = (text: string) => {
    status.textContent = text
    onResize()
  }
  const finish = () => {
    const alt = decorative.checked ? '' : altText.value.trim()
    if (alt === '' && !decorative.checked) {
      setStatus(t('desk.editor.image.alt_text_missing'))
      altText.setAttribute('aria-invalid', 'true')
      altText.focus()
      return
    }
    isConfirmed = true
    if (address) insert(pictureMarkdown({ alt, address, caption: caption.value, width: width.value }))
    else setStatus(t('desk.editor.image.insert_when_uploaded'))
  }

  async function start() {
    retryButton.hidden = true
    bar.hidden = false
    try {
      address = await send(file, (text, share) => {
        bar.value = share
        setStatus(text)
      })
      bar.hidden = true
      setStatus(t('desk.editor.image.uploaded'))
      const image = element('img', { src: deskMediaUrl(address), alt: '', onload: onResize })
      card.prepend(image)
      if (isConfirmed) finish()
    } catch (error) {
      isConfirmed = false
      bar.hidden = true
      retryButton.hidden = false
      setStatus(error instanceof Error ? error.message : t('desk.common.picture.failed'))
    }
  }

  const onkeydown = (event: KeyboardEvent) => {
    // During IME composition both keys belong to the input method.
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    // The editor gets the focus next and would handle the key too.
    event.preventDefault()
    if (event.key === 'Enter') finish()
    else discard()
  }
  altText.onkeydown = onkeydown
  caption.onkeydown = onkeydown
  altText.oninput = () => altText.removeAttribute('aria-invalid')
  decorative.onchange = () => {
    altText.disabled = decorative.checked
  }
  retryButton.onclick = () => void start()
  insertButton.onclick = finish
  discardButton.onclick = discard
  void start()
  return card
}
