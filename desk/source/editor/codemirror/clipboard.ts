import { EditorView } from '@codemirror/view'
import { pictureTypes } from '../../components/picture-file.ts'
import { htmlToMarkdown } from '../paste.ts'

export const acceptedPictures = pictureTypes.join(',')

const pictureFiles = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => pictureTypes.includes(type))

/** Paste and drop: images are uploaded, HTML becomes Markdown, plain text stays. */
export function pasteAndDrop(onPictures: (files: readonly File[], at: number) => void) {
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
      const files = pictureFiles(data)
      // Word and Google Docs add an image of the text to the text.
      if (files.length > 0 && !/<(p|h\d|li|td)\b/i.test(html)) {
        event.preventDefault()
        onPictures(files, view.state.selection.main.head)
        return true
      }
      const markdown = html && !data.types.includes('vscode-editor-data') ? htmlToMarkdown(html) : undefined
      if (!markdown) return false
      event.preventDefault()
      view.dispatch(view.state.replaceSelection(markdown), { userEvent: 'input.paste', scrollIntoView: true })
      return true
    },
    dragover(event) {
      // Without this the browser opens the dropped file and leaves the page.
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
      return false
    },
    drop(event, view) {
      const files = pictureFiles(event.dataTransfer)
      if ((event.dataTransfer?.files.length ?? 0) === 0) return false
      event.preventDefault()
      if (view.state.readOnly || files.length === 0) return true
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.head
      onPictures(files, at)
      return true
    },
  })
}
