import { useState } from 'react'
import { errorMessage } from '../../../api/client.ts'
import {
  type Delivery,
  maxResend,
  type Range,
  resendOne,
  resendRange,
  useResendCount,
  type Webhook,
} from '../../../api/webhook.ts'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/choices.tsx'
import { Field } from '../../../components/field.tsx'
import { useAttempt, useForm } from '../../../components/form.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { showToast } from '../../../components/notice.tsx'
import { t } from '../../../messages.ts'
import { parseRange, toLocalInput } from './messages.ts'
import styles from './webhook.module.css'

interface ResendButtonProps {
  readonly delivery: Pick<Delivery, 'id'>
  readonly name?: string
  readonly kind?: 'main' | 'plain'
}

export function ResendButton({ delivery, name, kind = 'plain' }: ResendButtonProps) {
  const attempt = useAttempt()
  const resend = attempt.handler(async () => {
    try {
      await resendOne(delivery.id)
      showToast(t('desk.integrations.webhook.resend_queued'))
    } catch (error) {
      showToast(errorMessage(error))
    }
  })
  return (
    <Button kind={kind} aria-label={name} isBusy={attempt.isBusy} onClick={resend}>
      {t('desk.integrations.webhook.resend')}
    </Button>
  )
}

const retentionMs = 30 * 86_400_000

/** Resends all failed deliveries, or those of a time range. */
export function ResendMany({ webhook }: { readonly webhook: Webhook }) {
  const [asked, setAsked] = useState<'failed' | 'range'>()
  const { exhausted, held, delivered } = webhook.deliveries
  if (exhausted + held + delivered === 0) return null
  if (webhook.state !== 'live') {
    return exhausted + held > 0 ? <p>{t(`desk.integrations.webhook.resend_blocked.${webhook.state}`)}</p> : null
  }
  return (
    <>
      <div className={styles.resend}>
        {exhausted + held > 0 && (
          <Button onClick={() => setAsked('failed')}>{t('desk.integrations.webhook.resend_failed')}</Button>
        )}
        <Button kind="quiet" onClick={() => setAsked('range')}>
          {t('desk.integrations.webhook.resend_by_date')}
        </Button>
      </div>
      {asked && <ResendDialog isFailedOnly={asked === 'failed'} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface ResendDialogProps {
  readonly isFailedOnly: boolean
  readonly onClose: () => void
}

function ResendDialog({ isFailedOnly, onClose }: ResendDialogProps) {
  const form = useForm(() => {
    const now = new Date()
    const from = toLocalInput(new Date(now.getTime() - (isFailedOnly ? retentionMs : 86_400_000)))
    return { from, to: toLocalInput(now, 'up'), onlyFailed: true }
  })
  const { from, to, onlyFailed } = form.values
  const range = parseRange(from, to, onlyFailed)
  const { data: count, error } = useResendCount(range)
  return (
    <FormDialog
      title={
        isFailedOnly
          ? t('desk.integrations.webhook.resend_failed_title')
          : t('desk.integrations.webhook.resend_by_date')
      }
      form={form}
      onSubmit={async () => {
        if (!range || !count) return
        const sent = await resendRange(range)
        showToast(t('desk.integrations.webhook.resent', { count: sent }))
        onClose()
      }}
      isReady={Boolean(count)}
      submit={t('desk.integrations.webhook.resend')}
      onClose={onClose}
    >
      {!isFailedOnly && (
        <>
          <div className={styles.hours}>
            <Field label={t('desk.integrations.webhook.from')} type="datetime-local" {...form.field('from')} required />
            <Field label={t('desk.integrations.webhook.to')} type="datetime-local" {...form.field('to')} required />
          </div>
          <Checkbox
            label={t('desk.integrations.webhook.only_failed')}
            hint={t('desk.integrations.webhook.only_failed_hint')}
            isOn={onlyFailed}
            onChange={(onlyFailed) => form.change({ onlyFailed })}
          />
        </>
      )}
      <p role="status">{error ? errorMessage(error) : resendPreview(range, count)}</p>
    </FormDialog>
  )
}

/** The number of deliveries, before they are sent. */
function resendPreview(range: Range | undefined, count: number | undefined): string {
  if (!range) return t('desk.integrations.webhook.range_invalid')
  if (count === undefined) return t('desk.integrations.webhook.counting')
  if (count === 0) return t('desk.integrations.webhook.range_empty')
  return count > maxResend
    ? t('desk.integrations.webhook.will_resend_oldest', { count: maxResend })
    : t('desk.integrations.webhook.will_resend', { count })
}
