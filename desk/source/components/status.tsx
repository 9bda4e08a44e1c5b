import type { Schedule } from '../../../server/features/pieces/desk-schema.ts'
import type { Status as StatusName } from '../../../server/features/pieces/draft-schema.ts'
import type { DeskProduct } from '../../../server/features/products/schema.ts'
import { formats, t } from '../messages.ts'
import styles from './status.module.css'

/** A word, a shape and a colour for each status, so that none of them is needed alone. */
const shapes: Readonly<Record<StatusName | 'taken_down', string>> = {
  draft: 'M8 2.75a5.25 5.25 0 1 1 0 10.5a5.25 5.25 0 0 1 0-10.5',
  pending: 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12m0 2v4l2.6 1.8',
  approved: 'M3 8.5l3.4 3.4L13 4.6',
  changes_requested: 'M3 11.5L11 3.500l1.8 1.8L4.800 13.300H3z',
  rejected: 'M4 4l8 8M12 4l-8 8',
  taken_down: 'M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5zM5 8h6',
}

export const statusWord = (status: StatusName): string => t(`desk.common.status.${status}`)

interface StatusProps {
  readonly of: StatusName
  /** By a moderator: that is no request for changes. */
  readonly isTakenDown?: boolean | undefined
  readonly schedule?: Schedule | null | undefined
}

export const Status = ({ of, isTakenDown = false, schedule }: StatusProps) => {
  if (schedule?.problem === null)
    return <StatusLabel like="pending" word={t('desk.common.schedule.for', { at: scheduleTime(schedule.at) })} />
  if (schedule) return <StatusLabel like="changes_requested" word={t('desk.common.schedule.void')} />
  return (
    <StatusLabel
      like={isTakenDown ? 'taken_down' : of}
      word={isTakenDown ? t('desk.common.status.taken_down') : statusWord(of)}
    />
  )
}

/** Exact, in the person's own time zone. */
export const scheduleTime = (at: string): string => formats.date(at, { dateStyle: 'medium', timeStyle: 'short' })

interface StatusLabelProps {
  /** The status whose shape and colour it has. */
  readonly like: keyof typeof shapes
  readonly word: string
}

const StatusLabel = ({ like, word }: StatusLabelProps) => (
  <span className={styles.status} data-status={like}>
    <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
      <path d={shapes[like]} />
    </svg>
    {word}
  </span>
)

type ListingState = Pick<DeskProduct, 'status' | 'has_unpublished_changes' | 'withheld'>

/** The public status of a listing. */
export const ListingStatus = ({ of: { status, has_unpublished_changes, withheld } }: { readonly of: ListingState }) => {
  if (withheld !== null) return <StatusLabel like="rejected" word={t('desk.common.listing.withheld')} />
  if (status === 'draft') return <StatusLabel like="draft" word={t('desk.common.listing.draft')} />
  return has_unpublished_changes ? (
    <StatusLabel like="changes_requested" word={t('desk.common.listing.changed')} />
  ) : (
    <StatusLabel like="approved" word={t('desk.common.listing.listed')} />
  )
}
