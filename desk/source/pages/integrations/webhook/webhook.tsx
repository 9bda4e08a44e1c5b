import { type ReactNode, useState } from 'react'
import {
  actOnWebhook,
  type Delivery,
  type DeliveryState,
  removeWebhook,
  useDelivery,
  useWebhook,
  type Webhook,
  type WebhookSaved,
} from '../../../api/webhook.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNotice, useAttempt } from '../../../components/form.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Link } from '../../../components/link.tsx'
import { Loading } from '../../../components/load-states.tsx'
import { Notice, showToast } from '../../../components/notice.tsx'
import { focusHeading } from '../../../components/page.tsx'
import { DeliveryStateLabel, deliveriesPath, RecentDeliveries } from './delivery-state.tsx'
import { adviceFor, describeResult, formatDue, hostOf } from './messages.ts'
import { AddressForm, WebhookDetails, WebhookSecret } from './settings.tsx'
import styles from './webhook.module.css'

/** The webhook section: set up, test, watch, change and remove. */
export function WebhookSection() {
  const { data: webhook, error } = useWebhook()
  const [saved, setSaved] = useState<WebhookSaved>()
  // Changing the address returns no secret, and the one shown may not be copied yet.
  const keep = (next: WebhookSaved) => setSaved((before) => (next.secret ? next : before))
  if (webhook === undefined) return error ? <ErrorNotice error={error} /> : <Loading />
  if (webhook === null) return <WebhookSetup onSaved={keep} />
  return (
    <WebhookOverview webhook={webhook} onSaved={keep}>
      {saved?.secret && (
        <WebhookSecret key={saved.secret} saved={saved} secret={saved.secret} onDone={() => setSaved(undefined)} />
      )}
    </WebhookOverview>
  )
}

interface SavedProps {
  readonly onSaved: (saved: WebhookSaved) => void
}

const WebhookSetup = ({ onSaved }: SavedProps) => (
  <>
    <AddressForm onSaved={onSaved} />
    <p className={styles.note}>
      We send it a test first, and it is live as soon as it answers. What is sent, and how to know that it is from us,
      is in <a href="/developers/webhooks">the guide to webhooks</a>.
    </p>
  </>
)

interface WebhookOverviewProps extends SavedProps {
  readonly webhook: Webhook
  /** The new secret, shown below the status. */
  readonly children: ReactNode
}

function WebhookOverview({ webhook, onSaved, children }: WebhookOverviewProps) {
  // The test started in this window: its result is shown in any case.
  const [watched, setWatched] = useState(webhook.state === 'unproven' ? webhook.ping?.id : undefined)
  const watch = (now: Webhook | null) => setWatched(now?.ping?.id)
  const { ping } = webhook
  const isNews = ping !== null && (ping.id === watched || ping.state === 'pending' || webhook.state === 'unproven')
  return (
    <>
      <WebhookStatus webhook={webhook} />
      {isNews && <PingResult ping={ping} webhook={webhook} />}
      {children}
      <WebhookActions webhook={webhook} onPinged={watch} />
      <WebhookDetails
        webhook={webhook}
        onSaved={(saved) => {
          watch(saved.webhook)
          onSaved(saved)
        }}
      />
      <section className={styles.log} aria-labelledby="webhook-deliveries">
        <h3 id="webhook-deliveries">Deliveries</h3>
        <Link to={deliveriesPath()} className={styles.all}>
          See all of them
        </Link>
        <RecentDeliveries webhook={webhook} />
      </section>
    </>
  )
}

interface StatusText {
  /** The delivery state whose icon it has. */
  readonly icon: DeliveryState
  readonly word: string
  /** What happened, then what to do. */
  readonly words: string
}

/** The webhook's state as an icon, a label and a sentence or two. */
function WebhookStatus({ webhook }: { readonly webhook: Webhook }) {
  const { icon, word, words } = statusText(webhook)
  return (
    <div className={styles.standing}>
      <DeliveryStateLabel of={icon} word={word} />
      <p className={styles.words}>{words}</p>
    </div>
  )
}

function statusText(webhook: Webhook): StatusText {
  const { held } = webhook.deliveries
  const waiting = held === 0 ? '' : held === 1 ? ' One piece is held now.' : ` ${held} pieces are held now.`
  switch (webhook.state) {
    case 'unproven':
      return {
        icon: 'pending',
        word: 'Not live yet',
        words: webhook.live_since
          ? `It is live again as soon as this address answers a test, or paused if you had paused it. What you publish until then is held for it.${waiting}`
          : 'It is live as soon as it answers a test. From then on each new piece of yours is sent there.',
      }
    case 'paused':
      return {
        icon: 'held',
        word: 'Paused',
        words: `What you publish is held, and sent when you resume.${waiting}`,
      }
    case 'disabled':
      return { icon: 'exhausted', word: 'Stopped', words: `${stoppedText(webhook)}${waiting}` }
    case 'live':
      return liveStatusText(webhook)
  }
}

const stoppedText = ({ disabled_for: why }: Webhook): string =>
  why === 'gone'
    ? 'Its server answered 410, which means: send no more. Should it go on, send a test: when it answers, it is live again. What you publish until then is held for 30 days, for you to resend.'
    : 'For five days every attempt failed, so we stopped. Mend the address, then send a test: when it answers, it is live again. What you publish until then is held for 30 days, for you to resend.'

function liveStatusText({ failures, rests_until: rest, deliveries: { held } }: Webhook): StatusText {
  if (rest) {
    return {
      icon: 'exhausted',
      word: 'Failing',
      words: `It failed ${failures} times in a row. So as not to add to its trouble, we try once a minute until it answers, next ${formatDue(rest)}. Nothing is lost: look at the last deliveries to see what is wrong.`,
    }
  }
  if (failures > 0) {
    const last = failures === 1 ? 'The last attempt' : `The last ${failures} attempts`
    return {
      icon: 'pending',
      word: 'Live, with trouble',
      words: `${last} failed. Each piece is tried ten times in three days, so nothing is lost; look at the last deliveries to see what is wrong.`,
    }
  }
  const left = held === 1 ? 'one piece was held. Resend it' : `${held} pieces were held. Resend them`
  return {
    icon: 'delivered',
    word: 'Live',
    words:
      held > 0
        ? `Each new piece of yours is sent there. While it was stopped, ${left} from the list of deliveries.`
        : 'Each new piece of yours is sent there the moment it is public.',
  }
}

interface PingResultProps {
  readonly ping: Delivery
  readonly webhook: Webhook
}

/** The result of a test. A test is tried once. */
function PingResult({ ping, webhook }: PingResultProps) {
  const isOver = ping.state !== 'pending'
  const { data } = useDelivery(ping.id, isOver)
  if (!isOver) {
    return (
      <Notice>
        Asking <span className={styles.url}>{webhook.url}</span> …
      </Notice>
    )
  }
  if (ping.state === 'cancelled' || !ping.last) return null
  if (ping.state === 'delivered') {
    const ms = data?.attempts[0]?.ms
    return (
      <Notice kind="good">
        <strong>
          It answered {ping.last.status}
          {typeof ms === 'number' && ` in ${ms} ms`}.
        </strong>{' '}
        {outcomeTexts[webhook.state]}
        {webhook.owner_proven_at && ' It sent our challenge back, so whoever runs it knows of you.'}
      </Notice>
    )
  }
  const advice = adviceFor(ping.last, data?.attempts[0])
  return (
    <Notice kind="bad">
      <p>
        <strong>It {describeResult(ping.last)}.</strong>
        {advice ? ` ${advice} Then send a test again.` : ' Send a test again.'}
      </p>
      <p>
        <Link to={deliveriesPath(ping.id)}>What was sent, and what came back</Link>
      </p>
    </Notice>
  )
}

const outcomeTexts: Readonly<Record<Webhook['state'], string>> = {
  live: 'Your webhook is live.',
  paused: 'It stays paused until you resume.',
  unproven: '',
  disabled: '',
}

interface WebhookActionsProps {
  readonly webhook: Webhook
  readonly onPinged: (now: Webhook | null) => void
}

function WebhookActions({ webhook, onPinged }: WebhookActionsProps) {
  const pingAttempt = useAttempt()
  const pauseAttempt = useAttempt()
  const [isRemoving, setRemoving] = useState(false)
  const isPaused = webhook.state === 'paused'
  const isAsking = pingAttempt.isBusy || webhook.ping?.state === 'pending'
  const ping = pingAttempt.handler(async () => onPinged((await actOnWebhook('ping')).webhook))
  const togglePause = pauseAttempt.handler(async () => {
    await actOnWebhook(isPaused ? 'resume' : 'pause')
    showToast(isPaused ? 'Your webhook is told again.' : 'Your webhook is paused. What you publish is held for it.')
  })
  return (
    <>
      <ErrorNotice error={pingAttempt.error ?? pauseAttempt.error} />
      <div className={styles.acts}>
        <Button isBusy={isAsking} onClick={ping}>
          {isAsking ? 'Asking …' : webhook.state === 'live' ? 'Send a test' : 'Send a test again'}
        </Button>
        {(isPaused || webhook.state === 'live') && (
          <Button isBusy={pauseAttempt.isBusy} onClick={togglePause}>
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        )}
        <Button kind="quiet" onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </div>
      {isRemoving && <RemoveDialog webhook={webhook} onClose={() => setRemoving(false)} />}
    </>
  )
}

interface RemoveDialogProps {
  readonly webhook: Webhook
  readonly onClose: () => void
}

function RemoveDialog({ webhook, onClose }: RemoveDialogProps) {
  const { pending, held } = webhook.deliveries
  const unsent = pending + held
  return (
    <FormDialog
      title="Remove the webhook?"
      onSubmit={async () => {
        await removeWebhook()
        showToast(`${hostOf(webhook.url)} is told no more.`)
        focusHeading()
      }}
      submit="Remove the webhook"
      kind="grave"
      cancel="Keep it"
      onClose={onClose}
    >
      <p>
        {hostOf(webhook.url)} gets nothing more, and its secret ends.{' '}
        {unsent > 0 &&
          `${unsent === 1 ? 'One delivery that is' : `${unsent} deliveries that are`} not sent yet will not be. `}
        You can give an address again at any time; it gets a new secret.
      </p>
    </FormDialog>
  )
}
