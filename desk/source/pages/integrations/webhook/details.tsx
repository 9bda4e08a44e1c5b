import { useState } from 'react'
import type { Webhook, WebhookSaved } from '../../../api/webhook.ts'
import { Button } from '../../../components/button.tsx'
import { Time } from '../../../components/time.tsx'
import { untilOf } from './dates.ts'
import { Rotating } from './rotate-secret.tsx'
import { Moving } from './save.tsx'
import styles from './webhook.module.css'

interface FactsProps {
  readonly webhook: Webhook
  readonly onSaved: (saved: WebhookSaved) => void
}

/** What is known of it, and how each is changed. */
export function Facts({ webhook, onSaved }: FactsProps) {
  const [changing, setChanging] = useState<'address' | 'secret'>()
  const close = () => setChanging(undefined)
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>Address</dt>
          <dd>
            <span className={styles.url}>{webhook.url}</span>
            <Since webhook={webhook} />
          </dd>
          <dd className={styles.change}>
            <Button kind="quiet" aria-label="Change the address" onClick={() => setChanging('address')}>
              Change
            </Button>
          </dd>
        </div>
        <div>
          <dt>Secret</dt>
          <dd>
            It ends in <code>{webhook.secret_hint}</code>
            <span>
              Made <Time at={webhook.secret_made_at} isPast />.
              {webhook.former_secret_until &&
                ` The one before it signs too, until ${untilOf(webhook.former_secret_until)}.`}
            </span>
          </dd>
          <dd className={styles.change}>
            <Button kind="quiet" aria-label="Rotate the secret" onClick={() => setChanging('secret')}>
              Rotate
            </Button>
          </dd>
        </div>
        <div>
          <dt>What is sent</dt>
          <dd>
            Each piece once, when it first becomes public: whole, as JSON, and signed.
            <span>
              Updates send nothing, nor do they change what is still to be sent; to stop that, unpublish.{' '}
              <a href="/developers/webhooks">The guide to webhooks</a> has every detail.
            </span>
          </dd>
        </div>
      </dl>
      <Moving webhook={webhook} isOpen={changing === 'address'} onClose={close} onSaved={onSaved} />
      <Rotating webhook={webhook} isOpen={changing === 'secret'} onClose={close} onRotated={onSaved} />
    </>
  )
}

const Since = ({ webhook: { proven_at: proven, given_at: given } }: { readonly webhook: Webhook }) =>
  proven ? (
    <span>
      First answered <Time at={proven} isPast />.
    </span>
  ) : (
    <span>
      Given <Time at={given} isPast />; it has not answered yet.
    </span>
  )
