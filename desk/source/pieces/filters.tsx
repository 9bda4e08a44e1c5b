import type { DeskCounts } from '../../../server/features/pieces/desk-schema.ts'
import { Link } from '../ui/link.tsx'
import { statusWord } from '../ui/status.tsx'
import { addressOf, type Status, statuses, type Wanted } from './asking.ts'
import styles from './pieces.module.css'

interface FiltersProps {
  readonly wanted: Wanted
  readonly counts: DeskCounts['counts'] | undefined
}

/** The states a writer has pieces in, as words with their numbers; what there is none of is left out. */
export function Filters({ wanted, counts }: FiltersProps) {
  const shown = statuses.filter((status) => status === wanted.status || (counts?.[status] ?? 0) > 0)
  const total = counts && Object.values(counts).reduce((sum, one) => sum + one, 0)
  return (
    <nav aria-label="Which pieces" className={styles.filters}>
      <ul>
        <li>
          <Filter wanted={wanted} status={undefined} words="All" count={total} />
        </li>
        {shown.map((status) => (
          <li key={status}>
            <Filter wanted={wanted} status={status} words={pluralOf(status)} count={counts?.[status]} />
          </li>
        ))}
        <li>
          <Link
            to={addressOf({ ...wanted, status: undefined, isByKey: true })}
            replace
            aria-current={wanted.isByKey ? 'true' : undefined}
          >
            By key
          </Link>
        </li>
      </ul>
    </nav>
  )
}

interface FilterProps {
  readonly wanted: Wanted
  readonly status: Status | undefined
  readonly words: string
  readonly count: number | undefined
}

const Filter = ({ wanted, status, words, count }: FilterProps) => (
  <Link
    to={addressOf({ ...wanted, status, isByKey: false })}
    replace
    aria-current={wanted.status === status && !wanted.isByKey ? 'true' : undefined}
  >
    {words}
    {count !== undefined && <span className={styles.count}> {count}</span>}
  </Link>
)

const pluralOf = (status: Status): string => (status === 'draft' ? 'Drafts' : statusWord(status))
