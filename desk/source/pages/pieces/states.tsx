import type { DeskCounts } from '../../../../server/features/pieces/desk-schema.ts'
import { Filters } from '../../components/filters.tsx'
import { statusWord } from '../../components/status.tsx'
import { addressOf, type Status, statuses, type Wanted } from './queries.ts'

interface StatesProps {
  readonly wanted: Wanted
  readonly counts: DeskCounts['counts'] | undefined
}

/** The states a writer has pieces in, what came by key, and the trash; a state there is none of is left out. */
export function States({ wanted, counts }: StatesProps) {
  const shown = statuses.filter((status) => status === wanted.status || (counts?.[status] ?? 0) > 0)
  const total = counts && Object.values(counts).reduce((sum, one) => sum + one, 0)
  const choice = (words: string, status: Status | undefined, count: number | undefined) => ({
    words,
    to: addressOf({ ...wanted, status, isByKey: false }),
    isChosen: wanted.status === status && !wanted.isByKey,
    count,
  })
  const byKey = addressOf({ ...wanted, status: undefined, isByKey: true })
  return (
    <Filters
      label="Which pieces"
      choices={[
        choice('All', undefined, total),
        ...shown.map((status) => choice(pluralOf(status), status, counts?.[status])),
        { words: 'By key', to: byKey, isChosen: wanted.isByKey },
        { words: 'Trash', to: '/desk/trash', isChosen: false },
      ]}
    />
  )
}

const pluralOf = (status: Status): string => (status === 'draft' ? 'Drafts' : statusWord(status))
