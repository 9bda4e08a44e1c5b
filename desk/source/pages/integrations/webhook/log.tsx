import { type DeliveryState, useDeliveries, useWebhook, type Webhook } from '../../../api/webhook.ts'
import { Back } from '../../../components/back.tsx'
import { Button, LinkButton } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Filters } from '../../../components/filters.tsx'
import { Loading } from '../../../components/loading.tsx'
import { NotLoaded } from '../../../components/not-loaded.tsx'
import { Page } from '../../../components/page.tsx'
import { usePlace } from '../../../components/router.ts'
import { logAddress, stateOf, states } from './address.ts'
import { Entry } from './entry.tsx'
import styles from './log.module.css'
import { stateWords } from './messages.ts'
import { ResendMany } from './resend.tsx'

/** What was sent to a writer's webhook in the last 30 days, and what became of it. */
export function Room() {
  const wanted = stateOf(usePlace().query)
  const { data: webhook } = useWebhook()
  return (
    <>
      <Back to="/desk/edit/online-presence#webhook" above="page">
        Webhook
      </Back>
      <Page title="Deliveries" lead="What was sent to your webhook in the last 30 days, and what it answered.">
        <States wanted={wanted} webhook={webhook ?? null} />
        {webhook && <ResendMany webhook={webhook} />}
        <List wanted={wanted} webhook={webhook ?? null} />
      </Page>
    </>
  )
}

interface WantedProps {
  readonly wanted: DeliveryState | undefined
  readonly webhook: Webhook | null
}

/** The states there are deliveries in, with their numbers; what there is none of is left out. */
function States({ wanted, webhook }: WantedProps) {
  const counts = webhook?.listed
  const shown = states.filter((state) => state === wanted || (counts?.[state] ?? 0) > 0)
  if (shown.length === 0) return null
  const choices = shown.map((state) => ({
    words: stateWords[state],
    to: logAddress('', state),
    isChosen: state === wanted,
    count: counts?.[state],
  }))
  return (
    <div className={styles.filters}>
      <Filters label="Which deliveries" choices={[{ words: 'All', to: logAddress(), isChosen: !wanted }, ...choices]} />
    </div>
  )
}

function List({ wanted, webhook }: WantedProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useDeliveries(wanted)
  if (error && !data) {
    return <NotLoaded error={error} onAgain={refetch} />
  }
  if (!data) return <Loading />
  const deliveries = data.pages.flatMap((page) => page.deliveries)
  if (deliveries.length === 0) return <Nothing wanted={wanted} webhook={webhook} />
  return (
    <>
      <ol className={styles.index} aria-label="Deliveries, the newest first">
        {deliveries.map((delivery) => (
          <Entry key={delivery.id} delivery={delivery} webhook={webhook} />
        ))}
      </ol>
      {hasNextPage && (
        <p className={styles.more}>
          <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Older deliveries
          </Button>
        </p>
      )}
    </>
  )
}

function Nothing({ wanted, webhook }: WantedProps) {
  if (wanted) {
    return (
      <Empty title="None of these">
        <p>No delivery of the last 30 days is in this state.</p>
        <LinkButton to={logAddress()}>See all deliveries</LinkButton>
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
