/** What the round trip of documents is tried with, in a browser but without the pages around it. */
export { EditorView } from '@codemirror/view'
export { openSurface } from './codemirror.ts'
