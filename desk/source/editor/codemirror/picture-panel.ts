import { Facet } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { acceptedPictures } from '../../components/picture-file.ts'
import type { UploadPicture } from '../../components/upload-picture.ts'
import { t } from '../../messages.ts'
import { acceptPictures, type OnRefused } from './clipboard.ts'
import { element } from './element.ts'
import { type PictureBlock, pictures, setPanel } from './picture-blocks.ts'
import { moveBlock, removeBlock } from './picture-moves.ts'
import { editPicture, type Picture } from './picture-syntax.ts'

interface PictureTools {
  readonly upload: UploadPicture
  readonly onRefused: OnRefused
}
export const pictureTools = Facet.define<PictureTools, PictureTools | undefined>({ combine: ([tools]) => tools })

/** The panel of a picture in the text. Plain DOM, since it is part of a CodeMirror widget. */
export interface PicturePanel {
  readonly element: HTMLElement
  show(block: PictureBlock): void
}

/** Gives a block other properties. */
function edit(view: EditorView, { from, to }: PictureBlock, next: Partial<Picture>, userEvent: string): void {
  const changes = editPicture(view.state.sliceDoc(from, to), next)
  if (changes.length === 0) return
  view.dispatch({ changes: changes.map((one) => ({ ...one, from: from + one.from, to: from + one.to })), userEvent })
}

/** Opens the file chooser. */
export function choosePictureFile(onFiles: (files: Iterable<File>) => void): void {
  const input = element('input', { type: 'file', accept: acceptedPictures })
  input.onchange = () => onFiles(input.files ?? [])
  input.click()
}

async function replace(view: EditorView, before: PictureBlock, file: File, say: (words: string) => void) {
  const tools = view.state.facet(pictureTools)
  if (!tools) return
  try {
    const address = await tools.upload(file, (words) => say(words))
    const { blocks, selected } = view.state.field(pictures)
    const isIt = (block: PictureBlock | undefined) => block?.address === before.address
    const block = isIt(selected) ? selected : blocks.find(isIt)
    if (block && !view.state.readOnly) edit(view, block, { address }, 'input.picture')
    say('')
  } catch (error) {
    say('')
    tools.onRefused(file, error instanceof Error ? error.message : t('desk.common.picture.failed'))
  }
}

let count = 0

export function createPicturePanel(view: EditorView, owner: HTMLElement): PicturePanel {
  const id = `picture-panel-${++count}`
  const field = (name: 'alt_text' | 'caption') =>
    element('input', {
      id: `${id}-${name}`,
      name,
      type: 'text',
      autocomplete: 'off',
      maxLength: 1000,
      placeholder: t(`desk.editor.image.${name}_hint`),
    })
  const label = (name: 'alt_text' | 'caption' | 'width') =>
    element(
      'label',
      { htmlFor: `${id}-${name}` },
      t(name === 'alt_text' ? 'desk.common.picture.alt_text' : `desk.editor.image.${name}`),
    )
  const altText = field('alt_text')
  const caption = field('caption')
  const width = element(
    'select',
    { id: `${id}-width`, name: 'width' },
    ...(['text', 'wide', 'full'] as const).map((value) =>
      element('option', { value }, t(`desk.editor.image.width_${value}`)),
    ),
  )
  const status = element('p', { className: 'md-upload-said', role: 'status' })
  const say = (words: string) => {
    status.textContent = words
    view.requestMeasure()
  }
  const button = (words: string, onclick: () => void, className = '') =>
    element('button', { type: 'button', className, onclick }, words)

  /** The block as it is now: the panel is older than the last change of the text. */
  const block = (): PictureBlock | undefined => {
    const at = view.posAtDOM(owner)
    return view.state.field(pictures).blocks.find(({ from, to }) => at >= from && at <= to)
  }
  const close = () => {
    view.dispatch({ effects: setPanel.of(false) })
    view.focus()
  }
  const move = (step: 1 | -1) => {
    const here = block()
    const spec = here && moveBlock(view.state, here, step)
    if (!here || !spec) return
    view.dispatch(spec, { effects: setPanel.of(true) })
    // It may have been drawn again.
    view.dom.querySelector<HTMLElement>(`.md-panel [data-step="${step}"]`)?.focus()
  }
  const mover = (words: string, step: 1 | -1) => {
    const made = button(words, () => move(step))
    made.dataset['step'] = String(step)
    return made
  }

  const panel = element(
    'div',
    { className: 'md-panel', role: 'group', ariaLabel: t('desk.editor.act.image') },
    label('alt_text'),
    altText,
    label('caption'),
    caption,
    label('width'),
    width,
    status,
    element(
      'div',
      { className: 'md-upload-acts' },
      button(t('desk.editor.image.replace'), () =>
        choosePictureFile((files) => {
          const onRefused = view.state.facet(pictureTools)?.onRefused ?? (() => undefined)
          const [file] = acceptPictures(files, onRefused)
          const here = block()
          if (file && here) void replace(view, here, file, say)
        }),
      ),
      mover(t('desk.editor.image.move_up'), -1),
      mover(t('desk.editor.image.move_down'), 1),
      button(t('desk.editor.image.edit_as_text'), () => {
        const here = block()
        if (here) view.dispatch({ selection: { anchor: here.to }, scrollIntoView: true })
        view.focus()
      }),
      button(t('desk.common.remove'), () => {
        const here = block()
        if (here) view.dispatch(removeBlock(view.state, here))
        view.focus()
      }),
      button(t('desk.common.done'), close, 'md-upload-main'),
    ),
  )

  /** CodeMirror takes the panel out of the page and back when the picture changes, which takes the focus from it. */
  const change = (field: HTMLInputElement | HTMLSelectElement, next: Partial<Picture>, userEvent: string) => {
    const here = block()
    if (!here) return
    const { value } = field
    const [start, end] = field instanceof HTMLInputElement ? [field.selectionStart, field.selectionEnd] : [null, null]
    edit(view, here, next, userEvent)
    if (document.activeElement === field) return
    const now = field.isConnected ? field : view.dom.querySelector<typeof field>(`.md-panel [name="${field.name}"]`)
    if (!now) return
    now.value = value
    now.focus({ preventScroll: true })
    if (now instanceof HTMLInputElement) now.setSelectionRange(start, end)
  }
  const onTyped = (field: HTMLInputElement, next: () => Partial<Picture>) => {
    // Typing is one step for undo, as in the text. An input method needs the field to stay where it is.
    const commit = () => change(field, next(), 'input.type.panel')
    field.addEventListener('input', (event) => {
      if (!(event instanceof InputEvent && event.isComposing)) commit()
    })
    field.addEventListener('compositionend', commit)
  }
  onTyped(altText, () => ({ alt: altText.value }))
  onTyped(caption, () => ({ caption: caption.value }))
  width.onchange = () => change(width, { width: width.value }, 'input.picture')
  panel.onkeydown = (event) => {
    // During IME composition both keys belong to the input method.
    if (event.isComposing) return
    const isInField = event.target instanceof HTMLInputElement
    if (event.key !== 'Escape' && !(event.key === 'Enter' && isInField)) return
    // The editor gets the focus next and would handle the key too.
    event.preventDefault()
    close()
  }

  return {
    element: panel,
    show(shown) {
      // What is being typed stays: the text has it without spaces at its ends.
      if (document.activeElement !== altText) altText.value = shown.alt
      if (document.activeElement !== caption) caption.value = shown.caption
      width.value = shown.width
    },
  }
}
