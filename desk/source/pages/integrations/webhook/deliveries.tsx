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
import { t } from '../../../messages.ts'
import { DeliveryStateLabel, deliveriesPath, stateFromQuery, states } from './delivery-state.tsx'
import { deliveryTitle, summarizeDelivery } from './messages.ts'
import { ResendButton, ResendMany } from './resend.tsx'
import styles from './webhook.module.css'

/** The deliveries of the last 30 days. */
export function DeliveriesPage() {
  const state = stateFromQuery(useLocation().query)
  const { data: webhook } = useWebhook()
  return (
    <Page
      title={t('desk.integrations.webhook.deliveries')}
      back={{ to: '/desk/edit/online-presence#webhook', words: t('desk.integrations.section.webhook') }}
      lead={t('desk.integrations.webhook.deliveries_lead')}
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
    label: t(`desk.integrations.webhook.state.${state}`),
    to: deliveriesPath('', state),
    isCurrent: state === current,
    count: counts?.[state],
  }))
  return (
    <div className={styles.filters}>
      <Filters
        label={t('desk.integrations.webhook.filter')}
        choices={[
          { label: t('desk.integrations.webhook.filter_all'), to: deliveriesPath(), isCurrent: !current },
          ...choices,
        ]}
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
            <ol className="entries" aria-label={t('desk.integrations.webhook.list')}>
              {deliveries.map((delivery) => (
                <DeliveryEntry key={delivery.id} delivery={delivery} webhook={webhook} />
              ))}
            </ol>
          )
        }
      </Loaded>
      <LoadMore list={list} label={t('desk.integrations.webhook.older')} />
    </>
  )
}

function NoDeliveries({ state, webhook }: DeliveryListProps) {
  if (state) {
    return (
      <Empty title={t('desk.integrations.webhook.none_in_state')}>
        <p>{t('desk.integrations.webhook.none_in_state_about')}</p>
        <LinkButton to={deliveriesPath()}>{t('desk.integrations.webhook.view_all_deliveries')}</LinkButton>
      </Empty>
    )
  }
  return (
    <Empty title={t('desk.integrations.webhook.none')}>
      <p>{webhook ? t('desk.integrations.webhook.none_yet') : t('desk.integrations.webhook.none_without')}</p>
      <LinkButton to="/desk/edit/online-presence#webhook" kind="main">
        {webhook ? t('desk.integrations.webhook.go_to') : t('desk.integrations.webhook.set_up')}
      </LinkButton>
    </Empty>
  )
}

interface DeliveryEntryProps {
  readonly delivery: Delivery
  readonly webhook: Webhook | null
}

function DeliveryEntry({ delivery, webhook }: DeliveryEntryProps) {
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
        <span>{t('desk.integrations.webhook.attempts', { count: delivery.attempts })}</span>
        {summarizeDelivery(delivery, webhook).map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
      {delivery.can_resend && isUnsent && (
        <div className={styles.act}>
          <ResendButton delivery={delivery} name={t('desk.integrations.webhook.resend_one', { title })} />
        </div>
      )}
    </li>
  )
}
