import { type HTMLAttributes, type PointerEvent, type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from './button.tsx'
import styles from './reorder.module.css'

/** What the lists that a writer sorts have in common: a handle to drag by, and buttons that do the same by keyboard. */

interface DragState {
  readonly from: number
  readonly to: number
}

/** It is being dragged, or the drop line is next to it. */
export type DragSide = 'taken' | 'before' | 'after' | undefined

interface Reorder {
  readonly list: RefObject<HTMLOListElement | null>
  readonly sideOf: (at: number) => DragSide
  /** Handlers of the drag handle. */
  readonly handleOf: (at: number) => HTMLAttributes<HTMLSpanElement>
  readonly press: (from: number, by: 1 | -1, button: HTMLElement) => void
}

export function useReorder(move: (from: number, to: number) => void): Reorder {
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<DragState>()
  return {
    list,
    sideOf: (at) => dragged && dropSide(at, dragged),
    handleOf: (at) => ({
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
    }),
    press: (from, by, button) => {
      flushSync(() => move(from, from + by))
      // Moving the element in the DOM dropped the focus.
      button.focus()
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

/** For pointers; the buttons do the same for everyone. The row it is in has the class `sortable`. */
export const DragHandle = (attributes: HTMLAttributes<HTMLSpanElement>) => (
  <span className={styles.handle} {...attributes}>
    <svg viewBox="0 0 12 20" width="12" height="20" aria-hidden="true">
      <path d="M3 4h.01M9 4h.01M3 10h.01M9 10h.01M3 16h.01M9 16h.01" />
    </svg>
  </span>
)

export const sortable = styles.sortable

interface MoveButtonProps {
  readonly name: string
  readonly sign: string
  /** At the end of the list: disabled, but keeps the focus. */
  readonly isEnd: boolean
  readonly onMove: (button: HTMLElement) => void
}

export const MoveButton = ({ name, sign, isEnd, onMove }: MoveButtonProps) => (
  <Button
    kind="quiet"
    aria-label={name}
    aria-disabled={isEnd || undefined}
    onClick={({ currentTarget }) => isEnd || onMove(currentTarget)}
  >
    {sign}
  </Button>
)
