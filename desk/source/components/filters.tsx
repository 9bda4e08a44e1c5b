import styles from './filters.module.css'
import { LinkRow, type RowLink } from './link-row.tsx'

interface FiltersProps {
  readonly label: string
  readonly choices: readonly RowLink[]
}

/** Parts of one list to choose from, as words with their numbers. The list stays where it is; only what it shows changes. */
export const Filters = ({ label, choices }: FiltersProps) => (
  <LinkRow label={label} links={choices} className={styles.filters} kind="part" />
)
