import { Gauge, Histogram, type Metric } from 'prom-client'
import { siteFigures } from '#platform/observability/site-figures.ts'

/** Metrics of what is sent to other servers: feeds to their subscribers, and pieces to the fediverse. */

/** Per process: its calls to subscribers of feeds. */
export const feedCallSeconds = new Histogram({
  name: 'standfirst_feed_call_seconds',
  help: 'Time of one call to a subscriber of a feed (WebSub), by mode (subscribe, unsubscribe and denied ask or notify, distribute sends the feed) and by outcome: confirmed, refused, sent, later (tried again, or given up until the feed changes), ended (by 410), gone (there is no such feed any more), done',
  labelNames: ['mode', 'outcome'] as const,
  buckets: [0.05, 0.25, 1, 5, 20],
  registers: [],
})

/** Per process: its deliveries to servers of the fediverse. */
export const fediverseDeliverySeconds = new Histogram({
  name: 'standfirst_fediverse_delivery_seconds',
  help: 'Time of one delivery to an inbox of the fediverse, by kind of activity and by outcome: sent, later (tried again, or given up until there is news), void (there is nothing to send any more), ended (no such inbox for days)',
  labelNames: ['kind', 'outcome'] as const,
  buckets: [0.05, 0.25, 1, 5, 20],
  registers: [],
})

/** Of subscriptions to feeds. */
export interface FeedHubFigures {
  readonly subscriptions: number
  /** Requests that callbacks have not confirmed yet, subscriptions to which the feed is to be sent, and changes to be noted. */
  readonly verify: number
  readonly distribute: number
  readonly changes: number
  /** Seconds since the first call was due. */
  readonly longest: number
}

const feedHub = siteFigures<FeedHubFigures>()
export const watchFeedHub = feedHub.watch

const feedSubscriptions = feedHub.gauge(
  'standfirst_feed_subscriptions',
  'Subscriptions to feeds (WebSub) that their callback has confirmed; of the whole site',
  ({ subscriptions }) => subscriptions,
)
const feedCallsWaiting = new Gauge({
  name: 'standfirst_feed_calls_waiting',
  help: 'What waits for a call to a subscriber of a feed: verify, distribute; changes: what was published and is not noted yet; of the whole site',
  labelNames: ['kind'] as const,
  registers: [],
  async collect() {
    this.reset()
    const figures = await feedHub.read()
    if (!figures) return
    for (const kind of ['verify', 'distribute', 'changes'] as const) this.set({ kind }, figures[kind])
  },
})
const longestFeedCall = feedHub.gauge(
  'standfirst_feed_calls_waiting_seconds',
  'For how long the first call to a subscriber of a feed has been due; of the whole site',
  ({ longest }) => longest,
)

/** Of what is sent to the fediverse. */
export interface FediverseFigures {
  readonly deliveries: number
  /** What has changed, and activities that are not ordered for all inboxes yet. */
  readonly changes: number
  /** Hosts whose last delivery failed. */
  readonly failing: number
  /** Seconds since the first delivery was due. */
  readonly longest: number
}

const fediverse = siteFigures<FediverseFigures>()
export const watchFediverse = fediverse.watch

const fediverseDeliveriesWaiting = fediverse.gauge(
  'standfirst_fediverse_deliveries_waiting',
  'Deliveries to inboxes of the fediverse that wait, those to be tried again among them; of the whole site',
  ({ deliveries }) => deliveries,
)
const fediverseChangesWaiting = fediverse.gauge(
  'standfirst_fediverse_changes_waiting',
  'Pieces and activities whose deliveries to the fediverse are still being ordered; of the whole site',
  ({ changes }) => changes,
)
const fediverseHostsFailing = fediverse.gauge(
  'standfirst_fediverse_hosts_failing',
  'Hosts of the fediverse whose last delivery failed; of the whole site',
  ({ failing }) => failing,
)
const longestFediverseDelivery = fediverse.gauge(
  'standfirst_fediverse_deliveries_waiting_seconds',
  'For how long the first delivery to the fediverse has been due; of the whole site',
  ({ longest }) => longest,
)

export const pushMetrics: readonly Metric[] = [
  feedCallSeconds as Metric,
  feedSubscriptions,
  feedCallsWaiting as Metric,
  longestFeedCall,
  fediverseDeliverySeconds as Metric,
  fediverseDeliveriesWaiting,
  fediverseChangesWaiting,
  fediverseHostsFailing,
  longestFediverseDelivery,
]
