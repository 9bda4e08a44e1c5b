import styles from './filters.module.css'
import { Link } from './link.tsx'

interface FiltersProps {
  readonly label: string
  readonly choices: readonly {
    readonly words: string
    readonly to: string
    readonly isChosen: boolean
    readonly count?: number | undefined
  }[]
}

/** Parts of one list to choose from, as words with their numbers. The list stays where it is; only what it shows changes. */
export const Filters = ({ label, choices }: FiltersProps) => (
  <nav aria-label={label} className={styles.filters}>
    <ul>
      {choices.map(({ words, to, isChosen, count }) => (
        <li key={to}>
          <Link to={to} replace aria-current={isChosen ? 'true' : undefined}>
            {words}
            {count !== undefined && <span className={styles.count}> {count}</span>}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
