import { Facet } from '@codemirror/state'
import { EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { openNote } from './notes.ts'
import type { Panel } from './panel.ts'
import { setCell, tables } from './table-blocks.ts'

/** What edits tables and footnotes is loaded when a text has a table, or when a writer comes to write. */

export type LoadPanels = () => Promise<typeof import('./panels.ts')>
export const panelLoader = Facet.define<LoadPanels, LoadPanels | undefined>({ combine: ([load]) => load })

class Host {
  readonly view: EditorView
  panels: readonly Panel[] | undefined
  isLoading = false
  isOver = false
  constructor(view: EditorView) {
    this.view = view
  }
  follow(update: ViewUpdate) {
    const { state } = update
    if (this.panels) for (const panel of this.panels) panel.update(update)
    else if (!state.readOnly && (update.focusChanged || state.field(tables).blocks.length > 0)) void this.load()
  }
  async load() {
    const load = this.view.state.facet(panelLoader)
    if (this.isLoading || !load) return
    this.isLoading = true
    const loaded = await load().catch(() => undefined)
    this.isLoading = false
    if (this.isOver) return
    if (!loaded) {
      this.view.dispatch({ effects: [setCell.of(null), openNote.of(null)] })
      return
    }
    this.panels = [loaded.createTableEditor(this.view), loaded.createNotePanel(this.view)]
    for (const panel of this.panels) panel.show()
  }
  destroy() {
    this.isOver = true
    for (const panel of this.panels ?? []) panel.destroy()
  }
}

const host = ViewPlugin.define((view) => new Host(view))

export const panelHost = [host, EditorView.updateListener.of((update) => update.view.plugin(host)?.follow(update))]
