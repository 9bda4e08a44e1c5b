import { type DeliveryState, useLatest, type Webhook } from '../../../api/webhook.ts'
import { Link } from '../../../components/link.tsx'
import { agoOf } from '../../../components/time.tsx'
import { logAddress, states } from './address.ts'
import { stateWords, titleOf } from './messages.ts'
import styles from './webhook.module.css'

/** A shape for each state, in a square of 16; its hue is the sheet's. Either is enough to tell. */
const shapes: Readonly<Record<DeliveryState, string>> = {
  delivered: 'M3 8.5l3.4 3.4L13 4.6',
  pending: 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12m0 2.500v3.500l2.400 1.600',
  held: 'M5.500 3.500v9M10.500 3.500v9',
  exhausted: 'M4 4l8 8M12 4l-8 8',
  cancelled: 'M3 8h10',
}

const Shape = ({ of }: { readonly of: DeliveryState }) => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
    <path d={shapes[of]} />
  </svg>
)

interface MarkProps {
  readonly of: DeliveryState
  readonly word?: string
}

/** A shape, a hue and a word. */
export const Mark = ({ of, word = stateWords[of] }: MarkProps) => (
  <span className={styles.mark} data-state={of}>
    <Shape of={of} />
    {word}
  </span>
)

/** As many as stand in one line of the page. */
const shown = 24

/** The last deliveries as a row of shapes, each the way to its own page; and how many of each there were. */
export function Marks({ webhook }: { readonly webhook: Webhook }) {
  const { data: latest } = useLatest(shown)
  if (!latest) return null
  if (latest.length === 0) return <p className={styles.note}>Nothing has been sent yet.</p>
  const now = Date.now()
  const ended = states.filter((state) => webhook.deliveries[state] > 0)
  return (
    <>
      <ol className={styles.row} aria-label="The last deliveries, the newest last">
        {latest.toReversed().map((delivery) => {
          const name = `${stateWords[delivery.state]}: ${titleOf(delivery)}, ${agoOf(new Date(delivery.created_at).getTime(), now)}`
          return (
            <li key={delivery.id}>
              <Link to={logAddress(delivery.id)} aria-label={name} title={name} data-state={delivery.state}>
                <Shape of={delivery.state} />
              </Link>
            </li>
          )
        })}
      </ol>
      {ended.length > 0 && (
        <p className={styles.counts}>
          <span>Pieces of the last 30 days:</span>
          {ended.map((state) => (
            <Link key={state} to={logAddress('', state)}>
              <Mark of={state} word={`${webhook.deliveries[state]} ${stateWords[state].toLowerCase()}`} />
            </Link>
          ))}
        </p>
      )}
    </>
  )
}
