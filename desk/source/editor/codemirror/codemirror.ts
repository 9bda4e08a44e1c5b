import { acceptCompletion, autocompletion, completionKeymap, completionStatus } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyField, historyKeymap, insertNewlineKeepIndent } from '@codemirror/commands'
import { Compartment, type EditorSelection, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, placeholder, repositionTooltips, tooltips } from '@codemirror/view'
import type { UploadPicture } from '../../components/upload-picture.ts'
import { t } from '../../messages.ts'

import { actKeys, commentOpener, findOpener, pictureChooser } from './acts.ts'
import { actBars } from './bars.ts'
import { acceptPictures, type OnRefused, pasteAndDrop } from './clipboard.ts'

import { markdownDecorations } from './decorations.ts'
import { hidesSigns } from './hidden-signs.ts'
import { enterAmongSigns, hiddenSignsEditing } from './hidden-signs-editing.ts'
import { beginParagraph, breakLine, continueBlock, indent, leaveLink, markdown, outdent } from './keymap.ts'
import { parseLineEndings, serializeText } from './line-endings.ts'
import { changeInto } from './merge-changes.ts'
import { notes } from './notes.ts'
import { type LoadPanels, panelHost, panelLoader } from './panel-host.ts'
import { pictureBlocks } from './picture-editing.ts'
import { choosePictureFile, pictureTools } from './picture-panel.ts'
import { startUpload, uploads } from './pictures.ts'
import { punctuation } from './punctuation.ts'
import { keepTop, type Top } from './scrolling.ts'
import { slashMenu } from './slash.ts'
import { tableBlocks } from './table-editing.ts'
import { nextCell, previousCell } from './tables.ts'

/** The CodeMirror editor. The text is kept byte for byte; everything else is decoration. */
export interface MarkdownEditor {
  text(): string
  /** Shows another text. Caret, undo history and pictures on their way stay. */
  replace(text: string): void
  focus(): void
  readonly view: EditorView
  /** Adds what a part that is loaded later brings, in the place of what it brought before. */
  use(part: 'focus' | 'outline', extension: Extension): void
  setReadOnly(isReadOnly: boolean): void
  setLanguage(locale: string): void
  /** Whether the signs of Markdown are hidden while their line is written. */
  setHidesSigns(isHidden: boolean): void
  choosePicture(): void
  /** Opens find and replace. */
  find(): void
  /** Adds pictures dropped anywhere on the page, at the nearest place in the text. */
  dropFiles(files: Iterable<File>, point: { readonly x: number; readonly y: number }): void
  /** Focuses the first picture that is not in the text yet. */
  focusPicture(): void
  /** Where the writer is, to be given to the next editor of the same text. */
  place(): EditorPlace
  destroy(): void
}

/** Caret, undo history and what is at the top of the window, in a text. */
export interface EditorPlace {
  readonly text: string
  readonly selection: EditorSelection
  readonly history: unknown
  readonly top: Top | undefined
}

interface MarkdownEditorOptions {
  readonly parent: HTMLElement
  readonly text: string
  /** Used if it is of this text. */
  readonly place?: EditorPlace | undefined
  readonly isReadOnly: boolean
  readonly locale: string
  readonly isHidingSigns: boolean
  readonly onText: (text: string) => void
  readonly onFocus: () => void
  /** The number of chosen pictures that are not in the text yet. */
  readonly onWaiting: (pictures: number) => void
  readonly onRefused: OnRefused
  readonly upload: UploadPicture
  /** Find and replace, which is loaded when it is first asked for. */
  readonly loadFind: () => Promise<typeof import('./find.ts')>
  /** What edits tables and footnotes, which is loaded when a text has some. */
  readonly loadPanels: LoadPanels
  /** A comment on what is selected. */
  readonly onComment: (view: EditorView) => void
}

/** The CSP allows styles with the document's nonce only. */
const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** The height of the bar above the editor. */
const barHeight = 64

/** Keeps menus off the headline and the bar. */
const belowHeadline = ({ contentDOM }: EditorView) => ({
  top: Math.max(barHeight, contentDOM.getBoundingClientRect().top),
  left: 0,
  right: document.documentElement.clientWidth,
  bottom: innerHeight,
})

/** Keeps the cursor off the page's edges. Not while a menu is open: CodeMirror hides menus within these margins. */
const scrollMargins = ({ state }: EditorView) => (completionStatus(state) ? null : { top: 80, bottom: 96 })

/** CodeMirror's own words, by its English ones. It puts a number in the place of `$`. */
const phrases = (): Record<string, string> => ({
  Completions: t('desk.editor.slash.label'),
  'current match': t('desk.editor.find.current_match'),
  'on line': t('desk.editor.find.on_line'),
  'replaced match on line $': t('desk.editor.find.replaced_on_line'),
  'replaced $ matches': t('desk.editor.find.replaced_matches'),
  'Selection deleted': t('desk.editor.selection_deleted'),
})

export function createMarkdownEditor({
  parent,
  text,
  place,
  isReadOnly,
  locale,
  isHidingSigns,
  onText,
  onFocus,
  onWaiting,
  onRefused,
  upload,
  loadFind,
  loadPanels,
  onComment,
}: MarkdownEditorOptions): MarkdownEditor {
  const readOnlySlot = new Compartment()
  const languageSlot = new Compartment()
  const findSlot = new Compartment()
  const signsSlot = new Compartment()
  let areSignsHidden = isHidingSigns
  const partsSlot = new Compartment()
  const parts = new Map<string, Extension>()
  let findExtension: Extension = []
  let isLocked = isReadOnly
  let currentLocale = locale

  const readOnlyExtension = (): Extension => [EditorState.readOnly.of(isLocked), EditorView.editable.of(!isLocked)]
  const languageExtension = (): Extension => [
    punctuation(currentLocale),
    EditorView.contentAttributes.of({
      'aria-label': t('desk.editor.text'),
      lang: currentLocale,
      dir: 'auto',
      spellcheck: 'true',
      autocapitalize: 'sentences',
      autocorrect: 'on',
    }),
  ]
  const choosePicture = () =>
    choosePictureFile((files) => {
      for (const file of files) startUpload(view, file, view.state.selection.main.head, upload)
    })

  const openFind = async (isReplacing: boolean) => {
    const loaded = await loadFind().catch(() => undefined)
    if (!loaded || !view.dom.isConnected) return
    if (findExtension !== loaded.find) {
      findExtension = loaded.find
      view.dispatch({ effects: findSlot.reconfigure(findExtension) })
    }
    loaded.openFind(view, isReplacing)
  }
  const openFindBar = (isReplacing: boolean) => () => {
    void openFind(isReplacing)
    return true
  }

  const extensions: Extension = [
    EditorView.cspNonce.of(nonce()),
    EditorView.lineWrapping,
    EditorState.phrases.of(phrases()),
    EditorView.scrollMargins.of(scrollMargins),
    history(),
    markdown,
    markdownDecorations,
    hiddenSignsEditing,
    pictureBlocks,
    tableBlocks,
    notes,
    panelHost,
    panelLoader.of(loadPanels),
    pictureTools.of({ upload, onRefused }),
    uploads,
    pasteAndDrop((files, at) => {
      for (const file of files) startUpload(view, file, at, upload)
    }, onRefused),
    pictureChooser.of(choosePicture),
    actBars((view) => belowHeadline(view).top),
    commentOpener.of(onComment),
    findOpener.of((isReplacing) => void openFind(isReplacing)),
    autocompletion({
      override: [slashMenu()],
      icons: false,
      interactionDelay: 0,
      activateOnTypingDelay: 0,
    }),
    tooltips({ tooltipSpace: belowHeadline }),
    placeholder(t('desk.editor.text_hint')),
    keymap.of([
      ...actKeys,
      { key: 'Mod-f', run: openFindBar(false) },
      { key: 'Mod-h', mac: 'Mod-Alt-f', run: openFindBar(true) },
      { key: 'Enter', run: enterAmongSigns([continueBlock, beginParagraph, insertNewlineKeepIndent]) },
      { key: 'Enter', run: leaveLink },
      { key: 'Enter', run: continueBlock },
      { key: 'Enter', run: beginParagraph, shift: breakLine },
      { key: 'Enter', run: insertNewlineKeepIndent, shift: insertNewlineKeepIndent },
      { key: 'Tab', run: acceptCompletion },
      { key: 'Tab', run: leaveLink },
      { key: 'Tab', run: nextCell, shift: previousCell },
      { key: 'Tab', run: indent, shift: outdent },
      // Handled by the page: saves and goes to the publish page.
      { key: 'Mod-Enter', run: () => true },
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(serializeText(update.state))
      if (update.focusChanged && update.view.hasFocus) onFocus()
      const waiting = update.state.field(uploads).size
      if (waiting !== update.startState.field(uploads).size) onWaiting(waiting)
      // A scrollable list must be reachable by keyboard.
      update.view.dom.querySelector('.cm-tooltip-autocomplete > ul')?.setAttribute('tabindex', '0')
    }),
  ]
  const stateOf = (given: string, at?: EditorPlace): EditorState => {
    const { doc, endings } = parseLineEndings(given)
    return EditorState.create({
      doc,
      ...(at ? { selection: at.selection } : {}),
      extensions: [
        extensions,
        endings,
        readOnlySlot.of(readOnlyExtension()),
        languageSlot.of(languageExtension()),
        findSlot.of(findExtension),
        signsSlot.of(hidesSigns.of(areSignsHidden)),
        partsSlot.of([...parts.values()]),
        at ? historyField.init(() => at.history) : [],
      ],
    })
  }
  const known = place?.text === text ? place : undefined
  const view = new EditorView({ parent, state: stateOf(text, known) })
  const scrolling = keepTop(view, known?.top)
  // CodeMirror itself moves an open menu only some frames later.
  const onResize = () => repositionTooltips(view)
  addEventListener('resize', onResize)

  return {
    text: () => serializeText(view.state),
    replace(given) {
      const transaction = changeInto(view.state, given)
      if (transaction) return view.dispatch(transaction)
      view.setState(stateOf(given))
      onWaiting(0)
    },
    focus: () => view.focus(),
    view,
    use(part, extension) {
      parts.set(part, extension)
      view.dispatch({ effects: partsSlot.reconfigure([...parts.values()]) })
    },
    setReadOnly(next) {
      isLocked = next
      view.dispatch({ effects: readOnlySlot.reconfigure(readOnlyExtension()) })
    },
    setLanguage(next) {
      currentLocale = next
      view.dispatch({ effects: languageSlot.reconfigure(languageExtension()) })
    },
    setHidesSigns(next) {
      areSignsHidden = next
      view.dispatch({ effects: signsSlot.reconfigure(hidesSigns.of(next)) })
    },
    choosePicture,
    find: () => void openFind(false),
    dropFiles(files, point) {
      if (isLocked) return
      const at = view.posAtCoords(point, false)
      for (const file of acceptPictures(files, onRefused)) startUpload(view, file, at, upload)
    },
    focusPicture: () => view.dom.querySelector<HTMLElement>('.md-upload input')?.focus(),
    place: () => ({
      text: serializeText(view.state),
      selection: view.state.selection,
      history: view.state.field(historyField),
      top: scrolling.top(),
    }),
    destroy() {
      scrolling.stop()
      removeEventListener('resize', onResize)
      view.destroy()
    },
  }
}
