import { type Delivery, isFailed, type Webhook } from '../../../api/webhook.ts'
import { Link } from '../../../components/link.tsx'
import { Time } from '../../../components/time.tsx'
import { logAddress } from './address.ts'
import { Mark } from './icons.tsx'
import styles from './log.module.css'
import { attemptsOf, briefOf, titleOf } from './messages.ts'
import { Resend } from './resend.tsx'

interface EntryProps {
  readonly delivery: Delivery
  readonly webhook: Webhook | null
}

/** One delivery in the log. */
export function Entry({ delivery, webhook }: EntryProps) {
  const brief = briefOf(delivery, webhook)
  const title = titleOf(delivery)
  const isUnsent = isFailed(delivery.state) || (delivery.state === 'pending' && delivery.attempts > 0)
  return (
    <li className={styles.entry}>
      <p className={styles.about}>
        <Mark of={delivery.state} />
        <Time at={delivery.created_at} isPast />
      </p>
      <h2 dir="auto">
        <Link to={logAddress(delivery.id)}>{title}</Link>
      </h2>
      <p className={styles.about}>
        <span>{attemptsOf(delivery.attempts)}</span>
        {brief && <span>{brief}</span>}
      </p>
      {delivery.can_resend && isUnsent && (
        <div className={styles.act}>
          <Resend delivery={delivery} name={`Resend “${title}”`} />
        </div>
      )}
    </li>
  )
}
