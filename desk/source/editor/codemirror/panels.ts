/** What edits tables and footnotes; loaded when a text has some. */
export { createNotePanel } from './note-panel.ts'
export { createTableEditor } from './table-editor.ts'
