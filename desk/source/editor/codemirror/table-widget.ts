import { type EditorView, WidgetType } from '@codemirror/view'
import { t } from '../../messages.ts'
import { element } from './element.ts'
import { inlineNodes } from './inline-nodes.ts'
import { isSameSelection, type TableBlock } from './table-blocks.ts'
import { type CellSelection, selectedCells } from './table-syntax.ts'

/** What a cell shows, so that only cells that change are drawn again. */
const drawn = new WeakMap<Element, string>()

/** The cell of an element within a table. */
export function cellOf(target: EventTarget | null) {
  const cell = target instanceof Element ? target.closest<HTMLTableCellElement>('.md-grid :is(th, td)') : null
  const owner = cell?.closest<HTMLElement>('.md-grid')
  if (!cell || !owner) return undefined
  return { element: cell, owner, row: (cell.parentElement as HTMLTableRowElement).rowIndex, column: cell.cellIndex }
}

/** A table that is wider than the text can be scrolled by keyboard; elsewhere Tab does not stop at it. */
function makeReachable(dom: HTMLElement, view: EditorView): void {
  view.requestMeasure({
    key: dom,
    read: () => dom.scrollWidth > dom.clientWidth,
    write: (isWide) => (isWide ? dom.setAttribute('tabindex', '0') : dom.removeAttribute('tabindex')),
  })
}

/** A table as readers see it. The cell that is being edited shows its Markdown, which gives it its size. */
export class TableWidget extends WidgetType {
  readonly table: TableBlock
  readonly active: CellSelection | undefined
  constructor(table: TableBlock, active: CellSelection | undefined) {
    super()
    this.table = table
    this.active = active
  }
  override eq({ table, active }: TableWidget): boolean {
    return table.text === this.table.text && isSameSelection(active, this.active)
  }
  override toDOM(view: EditorView): HTMLElement {
    const dom = element(
      'div',
      { className: 'md-grid', role: 'group', ariaLabel: t('desk.editor.act.table') },
      element('table', {}, element('thead', {}), element('tbody', {})),
    )
    this.draw(dom)
    makeReachable(dom, view)
    return dom
  }
  override updateDOM(dom: HTMLElement, view: EditorView): boolean {
    if (!dom.matches('.md-grid')) return false
    this.draw(dom)
    makeReachable(dom, view)
    return true
  }
  draw(dom: HTMLElement) {
    const [head, body] = [dom.querySelector('thead')!, dom.querySelector('tbody')!]
    const { rows } = this.table
    for (const [row, texts] of rows.entries()) {
      const part = row === 0 ? head : body
      const line = part.rows[row === 0 ? 0 : row - 1] ?? part.insertRow()
      for (const [column, text] of texts.entries()) this.drawCell(line, row, column, text)
      while (line.cells.length > texts.length) line.lastElementChild!.remove()
    }
    while (body.rows.length > rows.length - 1) body.lastElementChild!.remove()
  }
  drawCell(line: HTMLTableRowElement, row: number, column: number, text: string) {
    let cell = line.cells[column]
    if (!cell) {
      cell = document.createElement(row === 0 ? 'th' : 'td')
      if (row === 0) cell.scope = 'col'
      line.append(cell)
    }
    const align = this.table.aligns[column]!
    if (cell.dataset['align'] !== align) cell.dataset['align'] = align
    const isActive = this.active?.row === row && this.active.column === column
    const isSelected = this.isSelected(row, column)
    cell.classList.toggle('md-cell-active', isActive)
    cell.classList.toggle('md-cell-selected', isSelected)
    const isEdited = isActive && !isSelected
    const key = `${isEdited} ${text}`
    if (drawn.get(cell) === key) return
    drawn.set(cell, key)
    // A last line break, and an empty cell, need something to be as high as a line.
    if (isEdited) cell.textContent = `${text}\u200b`
    else if (text === '') cell.textContent = '\u200b'
    else cell.replaceChildren(...inlineNodes(text))
  }
  isSelected(row: number, column: number): boolean {
    if (!this.active?.anchor) return false
    const cells = selectedCells(this.table, this.active)
    return row >= cells.row && row <= cells.lastRow && column >= cells.column && column <= cells.lastColumn
  }
  override get estimatedHeight(): number {
    return this.table.rows.length * 44
  }
  /** The table handles its events itself. */
  override ignoreEvent(): boolean {
    return true
  }
}
