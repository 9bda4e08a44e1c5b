import type { EditorState, TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { pictureTypeProblem } from '../../components/picture-file.ts'
import { convertHtml } from '../paste.ts'
import { insertBlock } from './blocks.ts'
import { embeddedPictures } from './embedded-pictures.ts'
import { isCode } from './keymap.ts'
import { isAddress, setLink } from './marks.ts'
import { breaksBeforeNotes, nextNote } from './note-syntax.ts'
import { selectedPicture } from './picture-blocks.ts'
import { tableAt } from './table-blocks.ts'
import { tableOf } from './table-changes.ts'
import { tableText } from './table-clipboard.ts'
import { readTable } from './table-syntax.ts'

/** Called with each file that is no picture we take, and what to do about it. */
export type OnRefused = (file: File, problem: string) => void

/** The pictures among files. */
export function acceptPictures(files: Iterable<File>, onRefused: OnRefused): File[] {
  return [...files].filter((file) => {
    const problem = pictureTypeProblem(file)
    if (problem) onRefused(file, problem)
    return problem === undefined
  })
}

/** An address pasted over words makes a link of them. */
function linkSelection(state: EditorState, plain: string): TransactionSpec[] | undefined {
  const { main, ranges } = state.selection
  const isWords =
    !main.empty &&
    ranges.length === 1 &&
    !isCode(state, main.from) &&
    !isCode(state, main.to) &&
    !selectedPicture(state)
  const spec = isWords && isAddress(plain) ? setLink(state, plain) : undefined
  return spec && [spec]
}

/** HTML as Markdown; its footnotes go to the end of the text. */
function insertHtml(state: EditorState, { types }: DataTransfer, html: string): TransactionSpec[] | undefined {
  const isCodeEditor = types.includes('vscode-editor-data')
  const converted = html && !isCodeEditor ? convertHtml(html, nextNote(state)) : undefined
  if (!converted) return undefined
  const { markdown, notes } = converted
  const { from, to } = state.selection.main
  // A table is a paragraph of its own.
  const spec = readTable(markdown) ? insertBlock(state, from, to, markdown) : state.replaceSelection(markdown)
  if (notes === '') return [spec]
  const { newDoc } = state.update(spec)
  const insert = breaksBeforeNotes(newDoc.toString()) + notes
  return [spec, { changes: { from: newDoc.length, insert }, sequential: true }]
}

/** The text of a spreadsheet as a table. */
function insertCells(state: EditorState, plain: string): TransactionSpec[] | undefined {
  const { main, ranges } = state.selection
  const values =
    ranges.length > 1 || isCode(state, main.from) || tableAt(state, main.from) ? undefined : tableText(plain)
  return values && [insertBlock(state, main.from, main.to, tableOf(values))]
}

/** Paste and drop: images are uploaded, HTML becomes Markdown, plain text stays. */
export function pasteAndDrop(onPictures: (files: readonly File[], at: number) => void, onRefused: OnRefused) {
  let isPlain = false
  return EditorView.domEventHandlers({
    keydown(event) {
      // Ctrl+Shift+V asks for plain text; the paste event itself does not say so.
      isPlain = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v'
      return false
    },
    paste(event, view) {
      const data = event.clipboardData
      const wantsPlain = isPlain
      isPlain = false
      if (!data || view.state.readOnly || wantsPlain) return false
      const html = data.getData('text/html')
      // Word and Google Docs add an image of the text to the text.
      if (data.files.length > 0 && !/<(p|h\d|li|td)\b/i.test(html)) {
        event.preventDefault()
        onPictures(acceptPictures(data.files, onRefused), view.state.selection.main.head)
        return true
      }
      const embedded = embeddedPictures(html)
      const plain = data.getData('text/plain')
      const specs =
        linkSelection(view.state, plain.trim()) ?? insertHtml(view.state, data, html) ?? insertCells(view.state, plain)
      if (!specs && embedded.length === 0) return false
      event.preventDefault()
      if (specs) view.dispatch(...specs, { userEvent: 'input.paste', scrollIntoView: true })
      onPictures(embedded, view.state.selection.main.head)
      return true
    },
    dragover(event) {
      // Without this the browser opens the dropped file and leaves the page.
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
      return false
    },
    drop(event, view) {
      const files = event.dataTransfer?.files ?? []
      if (files.length === 0) return false
      event.preventDefault()
      if (view.state.readOnly) return true
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
      onPictures(acceptPictures(files, onRefused), at)
      return true
    },
  })
}
