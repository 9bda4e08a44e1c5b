import { type HTMLAttributes, useEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { go } from '../../components/router.ts'
import { type DeskProduct, priceInWords } from './form-values.ts'
import styles from './product-list.module.css'
import { Standing } from './status.tsx'

interface EntryProps {
  readonly product: DeskProduct
  readonly isFirst: boolean
  readonly isLast: boolean
  /** It is being dragged, or the line is beside it where the dragged one will stand. */
  readonly drag: 'taken' | 'before' | 'after' | undefined
  /** After the one before it was deleted. */
  readonly takesFocus: boolean
  /** What its handle does. */
  readonly handle: HTMLAttributes<HTMLSpanElement>
  readonly onMove: (by: 1 | -1, button: HTMLElement) => void
  readonly onDelete: () => void
}

/** One listing on the shelf. Its name is the link. */
export function Entry({ product, isFirst, isLast, drag, takesFocus, handle, onMove, onDelete }: EntryProps) {
  const name = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) name.current?.querySelector('a')?.focus()
  }, [takesFocus])
  const place = `/desk/shop/${product.id}`
  const acts: readonly MenuItem[] = [
    { label: 'Edit', onChosen: () => go(place) },
    ...(product.status === 'draft' ? [{ label: 'Delete', onChosen: onDelete, isGrave: true }] : []),
  ]
  return (
    <li className={styles.entry} data-drag={drag}>
      {/* For the pointer; the buttons beside it are the same for everybody. */}
      <span className={styles.handle} title="Drag to move" {...handle}>
        <svg viewBox="0 0 12 20" width="12" height="20" aria-hidden="true">
          <path d="M3 4h.01M9 4h.01M3 10h.01M9 10h.01M3 16h.01M9 16h.01" />
        </svg>
      </span>
      <div className={styles.thumb}>
        {product.image ? (
          <img src={`/desk/media/${product.image}`} alt="" width="80" height="80" loading="lazy" />
        ) : (
          <span aria-hidden="true">{[...product.name][0]}</span>
        )}
      </div>
      <div className={styles.about}>
        <Standing of={product} />
        <h2 ref={name} dir="auto">
          <Link to={place}>{product.name}</Link>
        </h2>
        {product.summary && (
          <p className={styles.summary} dir="auto">
            {product.summary}
          </p>
        )}
        <p className={styles.facts}>
          <span>{product.price ? priceInWords(product.price) : 'No price given'}</span>
          {product.category && <span>{product.category}</span>}
          {product.url && <a href={product.url}>See it as readers do</a>}
        </p>
      </div>
      <div className={styles.acts}>
        <Mover name={`Move “${product.name}” up`} sign="↑" isEnd={isFirst} onMove={(button) => onMove(-1, button)} />
        <Mover name={`Move “${product.name}” down`} sign="↓" isEnd={isLast} onMove={(button) => onMove(1, button)} />
        <Menu label="⋯" name={`More for “${product.name}”`} items={acts} />
      </div>
    </li>
  )
}

interface MoverProps {
  readonly name: string
  readonly sign: string
  /** There is nowhere to go; it keeps the focus it may have. */
  readonly isEnd: boolean
  readonly onMove: (button: HTMLElement) => void
}

const Mover = ({ name, sign, isEnd, onMove }: MoverProps) => (
  <Button
    kind="quiet"
    aria-label={name}
    aria-disabled={isEnd || undefined}
    onClick={({ currentTarget }) => isEnd || onMove(currentTarget)}
  >
    {sign}
  </Button>
)
