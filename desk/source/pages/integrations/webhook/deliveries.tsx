import {
  type Delivery,
  type DeliveryState,
  isFailed,
  useDeliveries,
  useWebhook,
  type Webhook,
} from '../../../api/webhook.ts'
import { LinkButton } from '../../../components/button.tsx'
import { Filters, Link } from '../../../components/link.tsx'
import { Empty } from '../../../components/load-states.tsx'
import { Loaded, LoadMore } from '../../../components/loaded.tsx'
import { Page } from '../../../components/page.tsx'
import { useLocation } from '../../../components/router.ts'
import { Time } from '../../../components/time.tsx'
import { DeliveryStateLabel, deliveriesPath, stateFromQuery, states } from './delivery-state.tsx'
import { attemptsText, deliveryTitle, stateLabels, summarizeDelivery } from './messages.ts'
import { ResendButton, ResendMany } from './resend.tsx'
import styles from './webhook.module.css'

/** The deliveries of the last 30 days. */
export function DeliveriesPage() {
  const state = stateFromQuery(useLocation().query)
  const { data: webhook } = useWebhook()
  return (
    <Page
      title="Deliveries"
      back={{ to: '/desk/edit/online-presence#webhook', words: 'Webhook' }}
      lead="What was sent to your webhook in the last 30 days, and what it answered."
    >
      <StateFilters state={state} webhook={webhook ?? null} />
      {webhook && <ResendMany webhook={webhook} />}
      <DeliveryList state={state} webhook={webhook ?? null} />
    </Page>
  )
}

interface DeliveryListProps {
  readonly state: DeliveryState | undefined
  readonly webhook: Webhook | null
}

/** Filters for the states that have deliveries. */
function StateFilters({ state: current, webhook }: DeliveryListProps) {
  const counts = webhook?.listed
  const shown = states.filter((state) => state === current || (counts?.[state] ?? 0) > 0)
  if (shown.length === 0) return null
  const choices = shown.map((state) => ({
    label: stateLabels[state],
    to: deliveriesPath('', state),
    isCurrent: state === current,
    count: counts?.[state],
  }))
  return (
    <div className={styles.filters}>
      <Filters
        label="Which deliveries"
        choices={[{ label: 'All', to: deliveriesPath(), isCurrent: !current }, ...choices]}
      />
    </div>
  )
}

function DeliveryList({ state, webhook }: DeliveryListProps) {
  const list = useDeliveries(state)
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries)
  return (
    <>
      <Loaded query={{ ...list, data: deliveries }}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <NoDeliveries state={state} webhook={webhook} />
          ) : (
            <ol className="entries" aria-label="Deliveries, the newest first">
              {deliveries.map((delivery) => (
                <DeliveryEntry key={delivery.id} delivery={delivery} webhook={webhook} />
              ))}
            </ol>
          )
        }
      </Loaded>
      <LoadMore list={list} label="Older deliveries" />
    </>
  )
}

function NoDeliveries({ state, webhook }: DeliveryListProps) {
  if (state) {
    return (
      <Empty title="None of these">
        <p>No delivery of the last 30 days is in this state.</p>
        <LinkButton to={deliveriesPath()}>See all deliveries</LinkButton>
      </Empty>
    )
  }
  return (
    <Empty title="Nothing sent yet">
      <p>
        {webhook
          ? 'Send your webhook a test, or publish a piece. Each delivery is then here, with what your server answered.'
          : 'When you have a webhook, everything that is sent to it is here for 30 days, with what your server answered.'}
      </p>
      <LinkButton to="/desk/edit/online-presence#webhook" kind="main">
        {webhook ? 'To your webhook' : 'Set up a webhook'}
      </LinkButton>
    </Empty>
  )
}

interface DeliveryEntryProps {
  readonly delivery: Delivery
  readonly webhook: Webhook | null
}

function DeliveryEntry({ delivery, webhook }: DeliveryEntryProps) {
  const brief = summarizeDelivery(delivery, webhook)
  const title = deliveryTitle(delivery)
  const isUnsent = isFailed(delivery.state) || (delivery.state === 'pending' && delivery.attempts > 0)
  return (
    <li className={styles.entry}>
      <p className={`facts ${styles.about}`}>
        <DeliveryStateLabel of={delivery.state} />
        <Time at={delivery.created_at} isPast />
      </p>
      <h2 dir="auto">
        <Link to={deliveriesPath(delivery.id)}>{title}</Link>
      </h2>
      <p className={`facts ${styles.about}`}>
        <span>{attemptsText(delivery.attempts)}</span>
        {brief && <span>{brief}</span>}
      </p>
      {delivery.can_resend && isUnsent && (
        <div className={styles.act}>
          <ResendButton delivery={delivery} name={`Resend “${title}”`} />
        </div>
      )}
    </li>
  )
}
