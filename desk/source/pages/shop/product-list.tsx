import { type PointerEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useDeletion } from './delete.ts'
import { Entry } from './entry.tsx'
import type { DeskProduct } from './form-values.ts'
import { moved } from './order.ts'
import styles from './product-list.module.css'
import { useOrdering } from './reorder.ts'

interface Dragged {
  readonly from: number
  readonly to: number
}

/** The listings, moved by their handles or by their buttons. */
export function Shelf({ products: given }: { readonly products: readonly DeskProduct[] }) {
  const { products, keep } = useOrdering(given)
  const remove = useDeletion()
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<Dragged>()
  const [said, setSaid] = useState('')
  // Which listing was deleted last, so that the focus does not fall off the page with it.
  const [removedAt, setRemovedAt] = useState<number>()

  const move = (from: number, to: number) => {
    const product = products[from]
    if (!product || to === from || to < 0 || to >= products.length) return
    const ids = products.map(({ id }) => id)
    keep(moved(ids, from, to))
    setSaid(`“${product.name}” is now ${to + 1} of ${products.length}.`)
  }
  const press = (from: number, by: 1 | -1, button: HTMLElement) => {
    flushSync(() => move(from, from + by))
    // What the list moved on the page has lost the focus on its way.
    button.focus()
  }
  const drag = (at: number) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged({ from: at, to: at })
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (dragged?.from === at) setDragged({ from: at, to: placeAt(list.current, clientY) })
    },
    onPointerUp: () => {
      if (dragged?.from === at) move(at, dragged.to)
      setDragged(undefined)
    },
    onPointerCancel: () => setDragged(undefined),
  })
  return (
    <>
      <ol className={styles.shelf} ref={list} aria-label="Your listings, in the order readers see them">
        {products.map((product, at) => (
          <Entry
            key={product.id}
            product={product}
            isFirst={at === 0}
            isLast={at === products.length - 1}
            drag={dragged && sideOf(at, dragged)}
            takesFocus={removedAt !== undefined && at === Math.min(removedAt, products.length - 1)}
            handle={drag(at)}
            onMove={(by, button) => press(at, by, button)}
            onDelete={() => {
              setRemovedAt(at)
              remove(product)
            }}
          />
        ))}
      </ol>
      <p className="hidden" role="status">
        {said}
      </p>
    </>
  )
}

/** Whose place the pointer is at, by height alone: nobody drags along a line. */
function placeAt(list: HTMLOListElement | null, y: number): number {
  const rows = [...(list?.children ?? [])].map((row) => row.getBoundingClientRect())
  const at = rows.findIndex(({ bottom }) => y < bottom)
  return at === -1 ? rows.length - 1 : at
}

/** Where the line is drawn at which the dragged one will stand. */
function sideOf(at: number, { from, to }: Dragged): 'taken' | 'before' | 'after' | undefined {
  if (at === from) return 'taken'
  if (at !== to) return undefined
  return to < from ? 'before' : 'after'
}
