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
      showToast('It is on its way again, under the same id.')
    } catch (error) {
      showToast(errorMessage(error))
    }
  })
  return (
    <Button kind={kind} aria-label={name} isBusy={attempt.isBusy} onClick={resend}>
      Resend
    </Button>
  )
}

const retentionMs = 30 * 86_400_000

/** Why nothing can be resent, and what to do first. */
const notLiveTexts: Readonly<Record<Exclude<Webhook['state'], 'live'>, string>> = {
  unproven: 'Your webhook is not live yet. Make it live first: send it a test, and when it answers, you can resend.',
  paused: 'Your webhook is paused. Resume it first: what is held is sent then, and what failed can be resent.',
  disabled: 'Your webhook is stopped. Make it live first: send it a test, and when it answers, you can resend.',
}

/** Resends all failed deliveries, or those of a time range. */
export function ResendMany({ webhook }: { readonly webhook: Webhook }) {
  const [asked, setAsked] = useState<'failed' | 'range'>()
  const { exhausted, held, delivered } = webhook.deliveries
  if (exhausted + held + delivered === 0) return null
  if (webhook.state !== 'live') return exhausted + held > 0 ? <p>{notLiveTexts[webhook.state]}</p> : null
  return (
    <>
      <div className={styles.resend}>
        {exhausted + held > 0 && <Button onClick={() => setAsked('failed')}>Resend all that failed</Button>}
        <Button kind="quiet" onClick={() => setAsked('range')}>
          Resend by time
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
      title={isFailedOnly ? 'Resend all that failed?' : 'Resend by time'}
      form={form}
      onSubmit={async () => {
        if (!range || !count) return
        const sent = await resendRange(range)
        showToast(sent === 1 ? 'One delivery is on its way again.' : `${sent} deliveries are on their way again.`)
        onClose()
      }}
      isReady={Boolean(count)}
      submit="Resend"
      cancel="Not now"
      onClose={onClose}
    >
      {!isFailedOnly && (
        <>
          <div className={styles.hours}>
            <Field label="From" type="datetime-local" {...form.field('from')} required />
            <Field label="To" type="datetime-local" {...form.field('to')} required />
          </div>
          <Checkbox
            label="Only what failed or is held"
            hint="Otherwise your server also gets again what it has; the id tells it so."
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
  if (!range) return 'Give two times, the earlier one first.'
  if (count === undefined) return 'Counting …'
  if (count === 0) return 'Nothing in this time can be resent.'
  const many = count > maxResend ? `The oldest ${maxResend.toLocaleString('en-GB')}` : String(count)
  return `${count === 1 ? 'One delivery goes' : `${many} deliveries go`} out again, with the same ids and new signatures. Pieces that are no longer public are left out.`
}
