import type { SiteInfo } from '#config/site-info.ts'
import type { ReadContext } from '#features/context.ts'
import { feedCallSeconds, watchFeedHub } from '#features/push-metrics.ts'
import { type CallContext, type FeedNow, makeCall } from '#features/websub/call.ts'
import {
  type CallResult,
  type ClaimedCall,
  claimCalls,
  expandFeedChanges,
  feedHubFigures,
  settleCalls,
} from '#features/websub/call-queue.ts'
import { createFeedWriter, feedAt, formats } from '#http/feeds/page.ts'
import { capacityBeside, type Repeated, startDelivering, startRepeating } from '#platform/jobs/delivery-loop.ts'
import type { Logger } from '#platform/observability/log.ts'

/** A worker's calls to those who subscribe to feeds. The feeds are written by what serves them over HTTP. */

export interface FeedHubContext extends Omit<CallContext, 'feed'> {
  readonly reads: ReadContext
  readonly siteInfo: SiteInfo
}

/** What is logged and measured of a call: nothing of its callback, whose address may be a secret. */
interface AttemptedCall {
  readonly call: string
  readonly mode: ClaimedCall['mode']
  readonly outcome: CallResult['outcome']
  readonly attempt: number
  readonly ms: number
  readonly status?: number | undefined
  readonly reason?: string | undefined
}

interface FeedHubLogs {
  readonly log: Logger
  onTrouble(error: unknown): void
}

/** Calls under way at once. */
const slots = { healthy: 32, failing: 16, total: 96 }
const pollEvery = 1000
/** By then the lease has expired, and recording the result would change nothing. */
const maxAge = 40_000
/** Some fifty feeds of each format. */
const cacheBytes = 12 * 1024 * 1024

type Call = ClaimedCall & { readonly feed: () => Promise<FeedNow | undefined> }

export function startFeedHub(context: FeedHubContext, { log, onTrouble }: FeedHubLogs): Repeated {
  const { reads, siteInfo } = context
  const { db } = reads
  const writer = createFeedWriter(reads, cacheBytes)

  const read = async (address: string): Promise<FeedNow | undefined> => {
    const found = await feedAt(reads, siteInfo, address)
    if (!found) return undefined
    const { bytes } = await writer.write(found.channel, found.ending)
    return { self: found.address, type: formats[found.ending].type, bytes }
  }

  const calling = startDelivering<Call, CallResult>({
    pollEvery,
    maxAge,
    claim: async (inFlight) => {
      const capacity = capacityBeside(inFlight, slots)
      if (capacity.healthy === 0 && capacity.failing === 0) return []
      const claimed = await claimCalls(db, capacity)
      // Read once for all who were claimed together, and not before: what has changed since then is sent again.
      const feeds = new Map<string, Promise<FeedNow | undefined>>()
      return claimed.map((call) => ({
        ...call,
        feed: () => {
          const feed = feeds.get(call.topic) ?? read(call.topic)
          feeds.set(call.topic, feed)
          return feed
        },
      }))
    },
    attempt: async ({ feed, ...claimed }) => {
      const start = performance.now()
      const { status, reason, ...met } = await makeCall(claimed, { ...context, feed })
      const { id, lease_token: token, mode, attempts: attempt } = claimed
      const { outcome } = met
      logCall(log, { call: id, mode, outcome, attempt, ms: performance.now() - start, status, reason })
      return { id, token, ...met }
    },
    record: async (results) => {
      await settleCalls(db, results)
      return []
    },
    onTrouble,
  })
  const expanding = startRepeating(
    async () => {
      const found = await expandFeedChanges(db)
      if (found) calling.wake()
      return found
    },
    { pollEvery, onTrouble },
  )
  watchFeedHub(() => feedHubFigures(db))
  return {
    wake: expanding.wake,
    stop: async () => {
      watchFeedHub(undefined)
      await Promise.all([expanding.stop(), calling.stop()])
    },
  }
}

function logCall(log: Logger, { ms, ...attempted }: AttemptedCall): void {
  const { mode, outcome } = attempted
  feedCallSeconds.observe({ mode, outcome }, ms / 1000)
  log[outcome === 'later' ? 'warn' : 'info']({ event: 'feed_call', ...attempted, ms: Math.round(ms) })
}
