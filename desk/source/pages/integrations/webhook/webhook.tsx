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
import { type PlainMessageId, rich, t } from '../../../messages.ts'
import { DeliveryStateLabel, deliveriesPath, RecentDeliveries } from './delivery-state.tsx'
import { adviceFor, failureText, hostOf, respondedText, timeValues } from './messages.ts'
import { AddressForm, guideLink, WebhookDetails, WebhookSecret } from './settings.tsx'
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
    <p className={styles.note}>{rich('desk.integrations.webhook.setup_note', { link: guideLink })}</p>
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
        <h3 id="webhook-deliveries">{t('desk.integrations.webhook.deliveries')}</h3>
        <Link to={deliveriesPath()} className={styles.all}>
          {t('desk.integrations.webhook.view_all')}
        </Link>
        <RecentDeliveries webhook={webhook} />
      </section>
    </>
  )
}

interface StatusText {
  /** The delivery state whose icon it has. */
  readonly icon: DeliveryState
  readonly label: string
  /** What happened, then what to do. */
  readonly lines: readonly string[]
}

/** The webhook's state as an icon, a label and a sentence or two. */
function WebhookStatus({ webhook }: { readonly webhook: Webhook }) {
  const { icon, label, lines } = statusText(webhook)
  return (
    <div className={styles.standing}>
      <DeliveryStateLabel of={icon} label={label} />
      {lines.map((line) => (
        <p key={line} className={styles.words}>
          {line}
        </p>
      ))}
    </div>
  )
}

function statusText(webhook: Webhook): StatusText {
  const { held } = webhook.deliveries
  const waiting = held === 0 ? [] : [t('desk.integrations.webhook.held_now', { count: held })]
  switch (webhook.state) {
    case 'unproven': {
      const label = t('desk.integrations.webhook.status.unproven')
      return webhook.live_since
        ? { icon: 'pending', label, lines: [t('desk.integrations.webhook.about.unproven_again'), ...waiting] }
        : { icon: 'pending', label, lines: [t('desk.integrations.webhook.about.unproven')] }
    }
    case 'paused':
      return {
        icon: 'held',
        label: t('desk.integrations.webhook.status.paused'),
        lines: [t('desk.integrations.webhook.about.paused'), ...waiting],
      }
    case 'disabled': {
      const why = webhook.disabled_for === 'gone' ? 'gone' : 'disabled'
      return {
        icon: 'exhausted',
        label: t('desk.integrations.webhook.status.disabled'),
        lines: [t(`desk.integrations.webhook.about.${why}`), ...waiting],
      }
    }
    case 'live':
      return liveStatusText(webhook)
  }
}

function liveStatusText({ failures: count, rests_until: rest, deliveries: { held } }: Webhook): StatusText {
  if (rest) {
    return {
      icon: 'exhausted',
      label: t('desk.integrations.webhook.status.failing'),
      lines: [
        t('desk.integrations.webhook.about.failing', { count }),
        t('desk.integrations.webhook.try_again_at', timeValues(rest)),
      ],
    }
  }
  if (count > 0) {
    return {
      icon: 'pending',
      label: t('desk.integrations.webhook.status.trouble'),
      lines: [t('desk.integrations.webhook.about.trouble', { count })],
    }
  }
  const left = held === 0 ? [] : [t('desk.integrations.webhook.held_while_stopped', { count: held })]
  return {
    icon: 'delivered',
    label: t('desk.integrations.webhook.status.live'),
    lines: [t('desk.integrations.webhook.about.live'), ...left],
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
    const url = <span className={styles.url}>{webhook.url}</span>
    return <Notice>{rich('desk.integrations.webhook.testing_url', { url })}</Notice>
  }
  if (ping.state === 'cancelled' || !ping.last) return null
  if (ping.state === 'delivered') {
    const outcome = outcomes[webhook.state]
    return (
      <Notice kind="good">
        <p>
          <strong>{respondedText(ping.last.status, data?.attempts[0]?.ms)}</strong>
        </p>
        {outcome && <p>{t(outcome)}</p>}
        {webhook.owner_proven_at && <p>{t('desk.integrations.webhook.challenge_returned')}</p>}
      </Notice>
    )
  }
  const advice = adviceFor(ping.last, data?.attempts[0])
  return (
    <Notice kind="bad">
      <p>
        <strong>{failureText(ping.last)}</strong>
      </p>
      {advice && <p>{advice}</p>}
      <p>
        <Link to={deliveriesPath(ping.id)}>{t('desk.integrations.webhook.test_details')}</Link>
      </p>
    </Notice>
  )
}

/** What a test that was answered means for the webhook. */
const outcomes: Readonly<Partial<Record<Webhook['state'], PlainMessageId>>> = {
  live: 'desk.integrations.webhook.now_live',
  paused: 'desk.integrations.webhook.still_paused',
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
    showToast(t(`desk.integrations.webhook.toast.${isPaused ? 'resumed' : 'paused'}`))
  })
  return (
    <>
      <ErrorNotice error={pingAttempt.error ?? pauseAttempt.error} />
      <div className={styles.acts}>
        <Button isBusy={isAsking} onClick={ping}>
          {isAsking ? t('desk.integrations.webhook.testing') : t('desk.integrations.webhook.send_test')}
        </Button>
        {(isPaused || webhook.state === 'live') && (
          <Button isBusy={pauseAttempt.isBusy} onClick={togglePause}>
            {isPaused ? t('desk.integrations.webhook.resume') : t('desk.integrations.webhook.pause')}
          </Button>
        )}
        <Button kind="quiet" onClick={() => setRemoving(true)}>
          {t('desk.common.remove')}
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
      title={t('desk.integrations.webhook.remove_title')}
      onSubmit={async () => {
        await removeWebhook()
        showToast(t('desk.integrations.webhook.toast.removed'))
        focusHeading()
      }}
      submit={t('desk.integrations.webhook.remove_confirm')}
      kind="grave"
      onClose={onClose}
    >
      <p>{t('desk.integrations.webhook.remove_about', { host: hostOf(webhook.url) })}</p>
      {unsent > 0 && <p>{t('desk.integrations.webhook.remove_unsent', { count: unsent })}</p>}
    </FormDialog>
  )
}
