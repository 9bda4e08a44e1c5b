import { useEffect, useRef } from 'react'
import { Link } from '../../components/link.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { go } from '../../components/router.ts'
import { Status } from '../../components/status.tsx'
import { Time } from '../../components/time.tsx'
import { openingOf } from './opening-words.ts'
import styles from './pieces.module.css'
import type { DeskListItem } from './queries.ts'

interface EntryProps {
  readonly piece: DeskListItem
  /** After the one before it was deleted. */
  readonly takesFocus: boolean
  readonly onDelete: () => void
}

const count = new Intl.NumberFormat('en-GB')

/** One piece in the index. Its headline is the link; `data-entry` is how the keys find it. */
export function Entry({ piece, takesFocus, onDelete }: EntryProps) {
  const headline = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) headline.current?.querySelector('a')?.focus()
  }, [takesFocus])
  const place = `/desk/edit/pieces/${piece.id}`
  const acts: readonly MenuItem[] = [
    { label: 'Preview and publish', onChosen: () => go(`${place}/publish`) },
    { label: 'History', onChosen: () => go(`${place}/history`) },
    ...(piece.url ? [{ label: 'Statistics', onChosen: () => go(`/desk/stats/${piece.id}`) }] : []),
    ...(piece.status === 'draft' ? [{ label: 'Delete', onChosen: onDelete, isGrave: true }] : []),
  ]
  return (
    <li className={styles.entry}>
      <p className={styles.standing}>
        <Status of={piece.status} />
        {piece.has_unpublished_changes && <span>Changes not yet public</span>}
        {piece.key && (
          <span>
            By key <em>{piece.key}</em>
          </span>
        )}
      </p>
      <h2 ref={headline} dir="auto">
        <Link to={place} data-entry="">
          {piece.headline}
        </Link>
      </h2>
      <p className={styles.opening} dir="auto">
        {piece.sub ?? openingOf(piece.opening)}
      </p>
      <p className={styles.facts}>
        <span>{piece.words === 1 ? '1 word' : `${count.format(piece.words)} words`}</span>
        <span>
          Changed <Time at={piece.updated_at} />
        </span>
        {piece.url && <a href={piece.url}>Read it as readers do</a>}
      </p>
      <div className={styles.acts}>
        <Menu label="⋯" name={`More for “${piece.headline}”`} items={acts} />
      </div>
    </li>
  )
}
