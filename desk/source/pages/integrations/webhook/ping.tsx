import { type Delivery, useDelivery, type Webhook } from '../../../api/webhook.ts'
import { Link } from '../../../components/link.tsx'
import { Notice } from '../../../components/notice.tsx'
import { logAddress } from './address.ts'
import { adviceOf, resultOf } from './messages.ts'
import styles from './webhook.module.css'

interface PingProps {
  readonly ping: Delivery
  readonly webhook: Webhook
}

/** A test, from its sending to its end: it is tried once. */
export function Ping({ ping, webhook }: PingProps) {
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
        {endings[webhook.state]}
        {webhook.owner_proven_at && ' It sent our challenge back, so whoever runs it knows of you.'}
      </Notice>
    )
  }
  const advice = adviceOf(ping.last, data?.attempts[0])
  return (
    <Notice kind="bad">
      <p>
        <strong>It {resultOf(ping.last)}.</strong>
        {advice ? ` ${advice} Then send a test again.` : ' Send a test again.'}
      </p>
      <p>
        <Link to={logAddress(ping.id)}>What was sent, and what came back</Link>
      </p>
    </Notice>
  )
}

const endings: Readonly<Record<Webhook['state'], string>> = {
  live: 'Your webhook is live.',
  paused: 'It stays paused until you resume.',
  unproven: '',
  disabled: '',
}
