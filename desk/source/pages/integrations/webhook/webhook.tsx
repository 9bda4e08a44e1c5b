import { type ReactNode, useState } from 'react'
import { useWebhook, type Webhook, type WebhookSaved } from '../../../api/webhook.ts'
import { Refused } from '../../../components/form.tsx'
import { Link } from '../../../components/link.tsx'
import { Loading } from '../../../components/loading.tsx'
import { Acts } from './actions.tsx'
import { logAddress } from './address.ts'
import { Facts } from './details.tsx'
import { Marks } from './icons.tsx'
import { Ping } from './ping.tsx'
import { Address } from './save.tsx'
import { SecretShown } from './secret.tsx'
import { Standing } from './status.tsx'
import styles from './webhook.module.css'

/** The address that is told of each new piece: given, tried, watched, changed, taken away. */
export function WebhookPart() {
  const { data: webhook, error } = useWebhook()
  const [saved, setSaved] = useState<WebhookSaved>()
  // Another address brings no secret, and the one on the page may not be kept yet.
  const keep = (next: WebhookSaved) => setSaved((before) => (next.secret ? next : before))
  if (webhook === undefined) return error ? <Refused error={error} /> : <Loading />
  if (webhook === null) return <Invitation onSaved={keep} />
  return (
    <Known webhook={webhook} onSaved={keep}>
      {saved?.secret && (
        <SecretShown key={saved.secret} saved={saved} secret={saved.secret} onKept={() => setSaved(undefined)} />
      )}
    </Known>
  )
}

interface PartProps {
  readonly onSaved: (saved: WebhookSaved) => void
}

const Invitation = ({ onSaved }: PartProps) => (
  <>
    <Address onSaved={onSaved} />
    <p className={styles.note}>
      We send it a test first, and it is live as soon as it answers. What is sent, and how to know that it is from us,
      is in <a href="/developers/webhooks">the guide to webhooks</a>.
    </p>
  </>
)

interface KnownProps extends PartProps {
  readonly webhook: Webhook
  /** What was just saved, right below how it stands. */
  readonly children: ReactNode
}

function Known({ webhook, onSaved, children }: KnownProps) {
  // The test that was asked for in this window: its end is news, whatever it is.
  const [watched, setWatched] = useState(webhook.state === 'unproven' ? webhook.ping?.id : undefined)
  const watch = (now: Webhook | null) => setWatched(now?.ping?.id)
  const { ping } = webhook
  const isNews = ping !== null && (ping.id === watched || ping.state === 'pending' || webhook.state === 'unproven')
  return (
    <>
      <Standing webhook={webhook} />
      {isNews && <Ping ping={ping} webhook={webhook} />}
      {children}
      <Acts webhook={webhook} onPinged={watch} />
      <Facts
        webhook={webhook}
        onSaved={(saved) => {
          watch(saved.webhook)
          onSaved(saved)
        }}
      />
      <section className={styles.log} aria-labelledby="webhook-deliveries">
        <h3 id="webhook-deliveries">Deliveries</h3>
        <Link to={logAddress()} className={styles.all}>
          See all of them
        </Link>
        <Marks webhook={webhook} />
      </section>
    </>
  )
}
