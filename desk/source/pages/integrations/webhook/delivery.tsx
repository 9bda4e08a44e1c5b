import { type DeliveryFound, useDelivery, useWebhook } from '../../../api/webhook.ts'
import { Back } from '../../../components/back.tsx'
import { Link } from '../../../components/link.tsx'
import { Loading } from '../../../components/loading.tsx'
import { NotLoaded } from '../../../components/not-loaded.tsx'
import { Page } from '../../../components/page.tsx'
import { Section } from '../../../components/section.tsx'
import { Time } from '../../../components/time.tsx'
import { logAddress } from './address.ts'
import { Attempts } from './attempts.tsx'
import { Mark } from './icons.tsx'
import styles from './log.module.css'
import { adviceOf, standingOf, titleOf } from './messages.ts'
import { Body, Headers } from './request.tsx'
import { Resend } from './resend.tsx'

/** One delivery: what was sent, and every answer to it. */
export function Room({ id }: { readonly id: string }) {
  const { data: found, error, refetch } = useDelivery(id)
  return (
    <>
      <Back to={logAddress()} above="page">
        All deliveries
      </Back>
      <Page title={found ? titleOf(found.delivery) : 'One delivery'}>
        {error && !found ? (
          <NotLoaded
            error={error}
            onAgain={refetch}
            gone="There is no such delivery of yours. They are kept for 30 days."
          />
        ) : !found ? (
          <Loading />
        ) : (
          <Shown found={found} />
        )}
      </Page>
    </>
  )
}

function Shown({ found: { delivery, attempts } }: { readonly found: DeliveryFound }) {
  const { data: webhook } = useWebhook()
  const [newest] = attempts
  const advice = delivery.last && delivery.state !== 'cancelled' ? adviceOf(delivery.last, newest) : undefined
  return (
    <>
      <div className={styles.standing}>
        <p className={styles.about}>
          <Mark of={delivery.state} />
          <Time at={delivery.created_at} isPast />
          {delivery.piece?.headline && <Link to={`/desk/edit/pieces/${delivery.piece.id}`}>Open the piece</Link>}
        </p>
        <p className={styles.words} role="status">
          {standingOf(delivery, attempts, webhook ?? null)}
        </p>
        {advice && <p>{advice}</p>}
        {delivery.can_resend && (
          <div className={styles.acts}>
            <Resend delivery={delivery} kind={delivery.state === 'delivered' ? 'plain' : 'main'} />
          </div>
        )}
      </div>
      <Section title="Attempts" isWide>
        <Attempts attempts={attempts} />
      </Section>
      <Section
        title="Request"
        lead={newest && 'The headers are those of the last attempt; the body is always the same.'}
        isWide
      >
        {newest && <Headers delivery={delivery} attempt={newest} />}
        <Body text={delivery.body} />
      </Section>
    </>
  )
}
