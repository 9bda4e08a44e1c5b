import type { ReactNode } from 'react'
import type { Schedule } from '../../../server/features/pieces/desk-schema.ts'
import { t } from '../messages.ts'
import { Notice } from './notice.tsx'
import { scheduleTime } from './status.tsx'

/** Why a piece will not be published at its time, and what to do next. */
export const VoidSchedule = ({
  of,
  children,
}: {
  readonly of: Schedule | null | undefined
  readonly children: ReactNode
}) =>
  of?.problem ? (
    <Notice kind="bad">
      <p>
        {t('desk.common.schedule.void_at', { at: scheduleTime(of.at) })}{' '}
        {t('desk.common.schedule.reason', { reason: of.problem })} {t('desk.common.schedule.next')}
      </p>
      {children}
    </Notice>
  ) : null
