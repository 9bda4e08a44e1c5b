import { Link } from './link.tsx'
import styles from './link-row.module.css'

export interface RowLink {
  readonly words: string
  readonly to: string
  readonly isChosen: boolean
  readonly count?: number | string | undefined
}

interface LinkRowProps {
  readonly label: string
  readonly links: readonly RowLink[]
  /** How it looks where it stands. */
  readonly className: string | undefined
  /** What the chosen one is: a page, or a part of this one, which then takes the place of the other in the history. */
  readonly kind: 'page' | 'part'
}

/** Words in a row, of which one is where we are. */
export const LinkRow = ({ label, links, className, kind }: LinkRowProps) => (
  <nav aria-label={label} className={`${styles.row} ${className}`}>
    <ul>
      {links.map(({ words, to, isChosen, count }) => (
        <li key={to}>
          <Link
            to={to}
            replace={kind === 'part'}
            aria-current={isChosen ? (kind === 'part' ? 'true' : 'page') : undefined}
          >
            {words}
            {count !== undefined && <span className={styles.count}> {count}</span>}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
