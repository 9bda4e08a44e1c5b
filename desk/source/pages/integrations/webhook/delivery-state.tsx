import { type DeliveryState, useLatestDeliveries, type Webhook } from '../../../api/webhook.ts'
import { Link } from '../../../components/link.tsx'
import { relativeTime } from '../../../components/time.tsx'
import { t } from '../../../messages.ts'
import { deliveryTitle } from './messages.ts'
import styles from './webhook.module.css'

/** A shape for each state, in a 16×16 viewBox; the colour is in the stylesheet. Either is enough. */
const shapes: Readonly<Record<DeliveryState, string>> = {
  delivered: 'M3 8.5l3.4 3.4L13 4.6',
  pending: 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12m0 2.500v3.500l2.400 1.600',
  held: 'M5.500 3.500v9M10.500 3.500v9',
  exhausted: 'M4 4l8 8M12 4l-8 8',
  cancelled: 'M3 8h10',
}

const StateIcon = ({ of }: { readonly of: DeliveryState }) => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
    <path d={shapes[of]} />
  </svg>
)

interface DeliveryStateLabelProps {
  readonly of: DeliveryState
  readonly label?: string
}

/** Icon and label of a delivery state. */
export const DeliveryStateLabel = ({
  of,
  label = t(`desk.integrations.webhook.state.${of}`),
}: DeliveryStateLabelProps) => (
  <span className={styles.mark} data-state={of}>
    <StateIcon of={of} />
    {label}
  </span>
)

/** As many as fit in one line. */
const maxRecent = 24

/** The last deliveries as icons that link to their pages, and the counts per state. */
export function RecentDeliveries({ webhook }: { readonly webhook: Webhook }) {
  const { data: latest } = useLatestDeliveries(maxRecent)
  if (!latest) return null
  if (latest.length === 0) return <p className={styles.note}>{t('desk.integrations.webhook.recent_none')}</p>
  const now = Date.now()
  const ended = states.filter((state) => webhook.deliveries[state] > 0)
  return (
    <>
      <ol className={styles.row} aria-label={t('desk.integrations.webhook.recent')}>
        {latest.toReversed().map((delivery) => {
          const name = t('desk.integrations.webhook.recent_one', {
            state: t(`desk.integrations.webhook.state.${delivery.state}`),
            title: deliveryTitle(delivery),
            time: relativeTime(new Date(delivery.created_at).getTime(), now),
          })
          return (
            <li key={delivery.id}>
              <Link to={deliveriesPath(delivery.id)} aria-label={name} title={name} data-state={delivery.state}>
                <StateIcon of={delivery.state} />
              </Link>
            </li>
          )
        })}
      </ol>
      {ended.length > 0 && (
        <p className={styles.counts}>
          <span>{t('desk.integrations.webhook.last_30_days')}</span>
          {ended.map((state) => (
            <Link key={state} to={deliveriesPath('', state)}>
              <DeliveryStateLabel
                of={state}
                label={t(`desk.integrations.webhook.count.${state}`, { count: webhook.deliveries[state] })}
              />
            </Link>
          ))}
        </p>
      )}
    </>
  )
}

/** In display order. */
export const states: readonly DeliveryState[] = ['pending', 'exhausted', 'held', 'delivered', 'cancelled']

/** The path of the delivery log, of one state in it, or of one delivery. */
export function deliveriesPath(id = '', state?: DeliveryState): string {
  const path = `/desk/edit/online-presence/deliveries${id && `/${id}`}`
  return state ? `${path}?state=${state}` : path
}

/** The state filter in the URL. */
export const stateFromQuery = (query: URLSearchParams): DeliveryState | undefined =>
  states.find((state) => state === query.get('state'))
