import { acceptCompletion, autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, insertNewlineKeepIndent } from '@codemirror/commands'
import { search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, placeholder, tooltips } from '@codemirror/view'
import { acceptedPictures, clipboard } from './clipboard.ts'
import { looks } from './decorations.ts'
import { continueBlock, leaveLink, link, moveIn, moveOut, toggle } from './keymap.ts'
import { markdown } from './language.ts'
import { taken, textOf } from './line-endings.ts'
import { beginParagraph, breakLine } from './paragraph.ts'
import { shownPictures } from './pictures.ts'
import { slashMenu } from './slash.ts'
import type { Sending } from './upload-card.ts'
import { sendPicture, uploads } from './uploads.ts'

/** Where the text is written. The text is the truth, byte for byte; everything else is how it looks. */
export interface Surface {
  text(): string
  /** Shows another text, with a history of its own. */
  replace(text: string): void
  focus(): void
  setReadOnly(isReadOnly: boolean): void
  setLanguage(locale: string): void
  choosePicture(): void
  /** Goes to the first picture that is not in the text yet. */
  focusPicture(): void
  destroy(): void
}

interface Given {
  readonly parent: HTMLElement
  readonly text: string
  readonly isReadOnly: boolean
  readonly locale: string
  readonly onText: (text: string) => void
  /** How many pictures were chosen and are not in the text yet. */
  readonly onWaiting: (pictures: number) => void
  readonly send: Sending
}

/** The policy lets in styles of ours alone; the document says how to tell them. */
const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** The height of the bar above the sheet. */
const bar = 64

/** Menus stay beside the text: neither the headline nor the bar is covered. */
const besideHeadline = ({ contentDOM }: EditorView) => ({
  top: Math.max(bar, contentDOM.getBoundingClientRect().top),
  left: 0,
  right: document.documentElement.clientWidth,
  bottom: innerHeight,
})

export function openSurface({ parent, text, isReadOnly, locale, onText, onWaiting, send }: Given): Surface {
  const reading = new Compartment()
  const language = new Compartment()
  let isFixed = isReadOnly
  let spoken = locale

  const fixed = (): Extension => [EditorState.readOnly.of(isFixed), EditorView.editable.of(!isFixed)]
  const attributes = (): Extension =>
    EditorView.contentAttributes.of({
      'aria-label': 'Text',
      lang: spoken,
      dir: 'auto',
      spellcheck: 'true',
      autocapitalize: 'sentences',
      autocorrect: 'on',
    })
  const choosePicture = () => {
    const input = Object.assign(document.createElement('input'), { type: 'file', accept: acceptedPictures })
    input.onchange = () => {
      for (const file of input.files ?? []) sendPicture(view, file, view.state.selection.main.head, send)
    }
    input.click()
  }

  const extensions: Extension = [
    EditorView.cspNonce.of(nonce()),
    EditorView.lineWrapping,
    EditorView.scrollMargins.of(() => ({ top: 80, bottom: 96 })),
    history(),
    markdown,
    looks,
    shownPictures,
    uploads,
    clipboard((files, at) => {
      for (const file of files) sendPicture(view, file, at, send)
    }),
    search({ top: true }),
    autocompletion({
      override: [slashMenu(choosePicture)],
      icons: false,
      interactionDelay: 0,
      activateOnTypingDelay: 0,
    }),
    tooltips({ tooltipSpace: besideHeadline }),
    placeholder('Write here. A / at the start of a line offers headings, lists and pictures.'),
    keymap.of([
      { key: 'Mod-b', run: toggle('**') },
      { key: 'Mod-i', run: toggle('_') },
      { key: 'Mod-k', run: link },
      { key: 'Enter', run: leaveLink },
      { key: 'Enter', run: continueBlock },
      { key: 'Enter', run: beginParagraph, shift: breakLine },
      { key: 'Enter', run: insertNewlineKeepIndent, shift: insertNewlineKeepIndent },
      { key: 'Tab', run: acceptCompletion },
      { key: 'Tab', run: leaveLink },
      { key: 'Tab', run: moveIn, shift: moveOut },
      // The page's own: it saves, and goes to publishing.
      { key: 'Mod-Enter', run: () => true },
      ...completionKeymap,
      ...historyKeymap,
      ...searchKeymap,
      ...defaultKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(textOf(update.state))
      const waiting = update.state.field(uploads).size
      if (waiting !== update.startState.field(uploads).size) onWaiting(waiting)
      // What scrolls can be reached by the keyboard.
      update.view.dom.querySelector('.cm-tooltip-autocomplete > ul')?.setAttribute('tabindex', '0')
    }),
  ]
  const stateOf = (given: string): EditorState => {
    const { doc, endings } = taken(given)
    return EditorState.create({
      doc,
      extensions: [extensions, endings, reading.of(fixed()), language.of(attributes())],
    })
  }
  const view = new EditorView({ parent, state: stateOf(text) })

  return {
    text: () => textOf(view.state),
    replace(given) {
      view.setState(stateOf(given))
      onWaiting(0)
    },
    focus: () => view.focus(),
    setReadOnly(next) {
      isFixed = next
      view.dispatch({ effects: reading.reconfigure(fixed()) })
    },
    setLanguage(next) {
      spoken = next
      view.dispatch({ effects: language.reconfigure(attributes()) })
    },
    choosePicture,
    focusPicture: () => view.dom.querySelector<HTMLElement>('.md-upload input')?.focus(),
    destroy: () => view.destroy(),
  }
}
