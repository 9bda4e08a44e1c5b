import type { ReactNode } from 'react'
import { t } from '../messages.ts'
import { Button } from './button.tsx'
import { FormActions } from './form.tsx'
import { Notice } from './notice.tsx'

interface ConflictNoticeProps {
  readonly isBusy: boolean
  readonly onKeep: () => void
  readonly onUseOther: () => void
  /** What has happened. */
  readonly children: ReactNode
}

/** What a person edits was saved elsewhere too: two ways to resolve it. Nothing is overwritten before. */
export const ConflictNotice = ({ isBusy, onKeep, onUseOther, children }: ConflictNoticeProps) => (
  <Notice kind="bad">
    {children}
    <FormActions>
      <Button isBusy={isBusy} onClick={onKeep}>
        {t('desk.common.conflict.keep_this')}
      </Button>
      <Button isBusy={isBusy} onClick={onUseOther}>
        {t('desk.common.conflict.use_other')}
      </Button>
    </FormActions>
  </Notice>
)
