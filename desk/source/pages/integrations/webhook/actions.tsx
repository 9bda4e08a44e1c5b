import { useState } from 'react'
import { useWebhookActs, type Webhook } from '../../../api/webhook.ts'
import { Button } from '../../../components/button.tsx'
import { Choices, Dialog } from '../../../components/dialog.tsx'
import { Refused, useAttempt } from '../../../components/form.tsx'
import { tell } from '../../../components/notice.tsx'
import { focusHeading } from '../../../components/page.tsx'
import { hostOf } from './messages.ts'
import styles from './webhook.module.css'

interface ActsProps {
  readonly webhook: Webhook
  readonly onPinged: (now: Webhook | null) => void
}

/** What can be done with it at once. */
export function Acts({ webhook, onPinged }: ActsProps) {
  const { act } = useWebhookActs()
  const pinging = useAttempt()
  const resting = useAttempt()
  const [isLeaving, setLeaving] = useState(false)
  const isPaused = webhook.state === 'paused'
  const isAsking = pinging.isBusy || webhook.ping?.state === 'pending'
  const ping = pinging.by(async () => onPinged((await act('ping')).webhook))
  const turn = resting.by(async () => {
    await act(isPaused ? 'resume' : 'pause')
    tell(isPaused ? 'Your webhook is told again.' : 'Your webhook is paused. What you publish is held for it.')
  })
  return (
    <>
      <Refused error={pinging.error ?? resting.error} />
      <div className={styles.acts}>
        <Button isBusy={isAsking} onClick={ping}>
          {isAsking ? 'Asking …' : webhook.state === 'live' ? 'Send a test' : 'Send a test again'}
        </Button>
        {(isPaused || webhook.state === 'live') && (
          <Button isBusy={resting.isBusy} onClick={turn}>
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        )}
        <Button kind="quiet" onClick={() => setLeaving(true)}>
          Remove
        </Button>
      </div>
      <Dialog title="Remove the webhook?" isOpen={isLeaving} onClose={() => setLeaving(false)}>
        <Removing webhook={webhook} onDone={() => setLeaving(false)} />
      </Dialog>
    </>
  )
}

interface RemovingProps {
  readonly webhook: Webhook
  readonly onDone: () => void
}

function Removing({ webhook, onDone }: RemovingProps) {
  const { remove } = useWebhookActs()
  const attempt = useAttempt()
  const { pending, held } = webhook.deliveries
  const unsent = pending + held
  const leave = attempt.by(async () => {
    await remove()
    tell(`${hostOf(webhook.url)} is told no more.`)
    focusHeading()
  })
  return (
    <>
      <Refused error={attempt.error} />
      <p>
        {hostOf(webhook.url)} gets nothing more, and its secret ends.{' '}
        {unsent > 0 &&
          `${unsent === 1 ? 'One delivery that is' : `${unsent} deliveries that are`} not sent yet will not be. `}
        You can give an address again at any time; it gets a new secret.
      </p>
      <Choices>
        <Button kind="quiet" onClick={onDone}>
          Keep it
        </Button>
        <Button kind="grave" isBusy={attempt.isBusy} onClick={leave}>
          Remove the webhook
        </Button>
      </Choices>
    </>
  )
}
