import { type HTMLAttributes, type PointerEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../messages.ts'
import { Button } from './button.tsx'
import { moveItem } from './order.ts'
import styles from './reorder.module.css'

/** What the lists that people sort have in common: a handle to drag by, and buttons that do the same by keyboard. */

interface DragState {
  readonly from: number
  readonly to: number
}

/** It is being dragged, or the drop line is next to it. */
type DragSide = 'taken' | 'before' | 'after' | undefined

interface ReorderOptions<Item> {
  readonly items: readonly Item[]
  readonly nameOf: (item: Item) => string
  readonly onItems: (items: readonly Item[]) => void
}

interface Reorder<Item> {
  readonly list: RefObject<HTMLOListElement | null>
  readonly rowOf: (at: number) => SortableRowState
  /** A live region that says what was moved or added; rendered once, even if the list is empty. */
  readonly announcement: ReactNode
  readonly add: (item: Item) => void
  /** Removes a row with the button that had the focus, which goes to the next row; from the last one, where `focus` says. */
  readonly remove: (at: number, focus: () => void) => void
}

export function useReorder<Item>({ items, nameOf, onItems }: ReorderOptions<Item>): Reorder<Item> {
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<DragState>()
  const [announced, setAnnounced] = useState('')
  const announce = (item: Item, at: number, count: number) =>
    setAnnounced(t('desk.common.order.moved', { name: nameOf(item), place: at + 1, count }))
  const move = (from: number, to: number) => {
    const item = items[from]
    if (!item || to === from || to < 0 || to >= items.length) return
    onItems(moveItem(items, from, to))
    announce(item, to, items.length)
  }
  const handleOf = (at: number): HTMLAttributes<HTMLSpanElement> => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged({ from: at, to: at })
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (dragged?.from === at) setDragged({ from: at, to: indexAt(list.current, clientY) })
    },
    onPointerUp: () => {
      if (dragged?.from === at) move(at, dragged.to)
      setDragged(undefined)
    },
    onPointerCancel: () => setDragged(undefined),
  })
  return {
    list,
    rowOf: (at) => ({
      name: nameOf(items[at]!),
      isFirst: at === 0,
      isLast: at === items.length - 1,
      drag: dragged && dropSide(at, dragged),
      handle: handleOf(at),
      onMove: (by, button) => {
        flushSync(() => move(at, at + by))
        // Moving the element in the DOM dropped the focus.
        button.focus()
      },
    }),
    announcement: (
      <p className="hidden" role="status">
        {announced}
      </p>
    ),
    add: (item) => {
      onItems([...items, item])
      announce(item, items.length, items.length + 1)
    },
    remove: (at, focus) => {
      flushSync(() => onItems(items.toSpliced(at, 1)))
      const row = list.current?.children[Math.min(at, items.length - 2)]
      if (row) [...row.querySelectorAll('button')].at(-1)?.focus()
      else focus()
    },
  }
}

/** The index at the pointer's height. */
function indexAt(list: HTMLOListElement | null, y: number): number {
  const rows = [...(list?.children ?? [])].map((row) => row.getBoundingClientRect())
  const at = rows.findIndex(({ bottom }) => y < bottom)
  return at === -1 ? rows.length - 1 : at
}

/** On which side of the row the drop line is drawn. */
function dropSide(at: number, { from, to }: DragState): DragSide {
  if (at === from) return 'taken'
  if (at !== to) return undefined
  return to < from ? 'before' : 'after'
}

/** What a row knows from its list. */
export interface SortableRowState {
  readonly name: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly drag: DragSide
  /** Handlers of the drag handle. */
  readonly handle: HTMLAttributes<HTMLSpanElement>
  readonly onMove: (by: 1 | -1, button: HTMLElement) => void
}

interface SortableRowProps extends SortableRowState {
  readonly className: string | undefined
  /** After the buttons that move it; the one that removes it is the last. */
  readonly actions: ReactNode
  readonly children: ReactNode
}

/** A row of columns: the handle, for pointers; the children; and the buttons, which do the same for everyone. */
export const SortableRow = ({
  name,
  isFirst,
  isLast,
  drag,
  handle,
  onMove,
  className,
  actions,
  children,
}: SortableRowProps) => (
  <li className={`${styles.sortable} ${className}`} data-drag={drag}>
    <span className={styles.handle} title={t('desk.common.order.drag')} {...handle}>
      <svg viewBox="0 0 12 20" width="12" height="20" aria-hidden="true">
        <path d="M3 4h.01M9 4h.01M3 10h.01M9 10h.01M3 16h.01M9 16h.01" />
      </svg>
    </span>
    {children}
    <div className={styles.acts}>
      <MoveButton
        name={t('desk.common.order.move_up', { name })}
        sign="↑"
        isEnd={isFirst}
        onMove={(button) => onMove(-1, button)}
      />
      <MoveButton
        name={t('desk.common.order.move_down', { name })}
        sign="↓"
        isEnd={isLast}
        onMove={(button) => onMove(1, button)}
      />
      {actions}
    </div>
  </li>
)

interface MoveButtonProps {
  readonly name: string
  readonly sign: string
  /** At the end of the list: disabled, but keeps the focus. */
  readonly isEnd: boolean
  readonly onMove: (button: HTMLElement) => void
}

const MoveButton = ({ name, sign, isEnd, onMove }: MoveButtonProps) => (
  <Button
    kind="quiet"
    aria-label={name}
    aria-disabled={isEnd || undefined}
    onClick={({ currentTarget }) => isEnd || onMove(currentTarget)}
  >
    {sign}
  </Button>
)
