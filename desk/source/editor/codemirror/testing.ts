/** Entry point of the browser round-trip test, without the pages around the editor. */
export { EditorView } from '@codemirror/view'
export { addMessages } from '../../messages.ts'
export { createMarkdownEditor } from './codemirror.ts'
