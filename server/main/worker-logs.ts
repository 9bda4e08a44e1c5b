import type { Attempted } from '#features/followers/sender.ts'
import { clockAhead, deliveryLateness, deliverySeconds, jobSeconds, readerEmailSeconds } from '#features/metrics.ts'
import type { IndexerCallbacks } from '#features/pieces/search/supervisor.ts'
import type { ClaimedDelivery, DeliveryResult } from '#features/webhooks/delivery-queue.ts'
import type { DispatcherCallbacks } from '#features/webhooks/dispatcher.ts'
import type { TraceHandover } from '#platform/db/listen.ts'
import type { Outcome } from '#platform/jobs/queue.ts'
import type { Logger } from '#platform/observability/log.ts'
import { beginSpan, isTracing } from '#platform/observability/tracing.ts'

/** What a worker logs, measures and traces of what it does. */

const levels = { done: 'info', failed: 'warn', given_up: 'error' } as const

/** One log line and one measurement per try. The payload is private. */
export function logJob(log: Logger) {
  return ({ job, id, try: count, outcome, seconds, error }: Outcome) => {
    jobSeconds.observe({ job, outcome }, seconds)
    log[levels[outcome]]({ event: `job_${outcome}`, job, id, try: count, ms: Math.round(seconds * 1000), err: error })
  }
}

/** The same for each delivery attempt. Its URL is private. */
export function logDeliveries(log: Logger, traces: TraceHandover): DispatcherCallbacks {
  return {
    onAttempt: (claimed, { status, problem, ms }) => {
      const { id, attempt, late } = claimed
      const outcome = problem ?? 'delivered'
      traceDelivery(claimed, traces, { status, problem, ms, outcome })
      deliverySeconds.observe({ outcome }, ms / 1000)
      if (attempt === 1) deliveryLateness.observe(late)
      log[problem ? 'warn' : 'info']({ event: 'delivery_attempt', delivery: id, attempt, outcome, status, ms })
    },
    onTrouble: throttledWarning(log, 'delivery_trouble'),
    onClock: logClock(log),
  }
}

/** The same for each email to a reader, who is in neither. */
export function logReaderEmail(log: Logger) {
  return ({ id: email, kind, outcome, ms, reason }: Attempted) => {
    readerEmailSeconds.observe({ kind, outcome }, ms / 1000)
    const level = outcome === 'sent' || outcome === 'cancelled' ? 'info' : 'warn'
    log[level]({ event: 'reader_email', email, kind, outcome, ms: Math.round(ms), reason })
  }
}

/** Traced as a part of the publication it announces. Receivers learn nothing of our traces. */
function traceDelivery(
  { id, event, attempt, body }: ClaimedDelivery,
  traces: TraceHandover,
  { status, problem, ms, outcome }: Pick<DeliveryResult, 'status' | 'problem' | 'ms'> & { readonly outcome: string },
): void {
  if (!isTracing()) return
  // A body begins with the id of its piece.
  const [piece] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(body.toString('latin1', 0, 200)) ?? []
  const start = performance.timeOrigin + performance.now() - ms
  beginSpan({ name: `webhook ${event}`, kind: 'client', parent: traces.of(piece), start })?.end({
    attributes: {
      'standfirst.delivery.id': id,
      'standfirst.delivery.attempt': attempt,
      'standfirst.outcome': outcome,
      'http.response.status_code': status ?? undefined,
    },
    failure: problem ?? undefined,
  })
}

/** Logged when the clock becomes wrong, every minute while it is, and when it is right again. */
function logClock(log: Logger): DispatcherCallbacks['onClock'] {
  let loggedAt: number | undefined
  return (ahead, isWrong) => {
    clockAhead.set(ahead)
    const now = performance.now()
    if (isWrong && (loggedAt === undefined || now - loggedAt > minute)) {
      log.error({ event: 'clock_wrong', ahead: Math.round(ahead), message: 'No webhook is sent from here' })
      loggedAt = now
    } else if (!isWrong && loggedAt !== undefined) {
      log.info({ event: 'clock_right', ahead: Math.round(ahead) })
      loggedAt = undefined
    }
  }
}

export function logIndexing(log: Logger): IndexerCallbacks {
  return {
    onStep: ({ step, ms, segments, indexed, waiting }) =>
      log.info({ event: `search_${step}`, ms, segments, indexed, waiting }),
    onError: throttledWarning(log, 'indexing_trouble'),
  }
}

const warningInterval = 5000
const minute = 60_000

/** While the database is down every poll of every queue fails; one log line every five seconds is enough. */
export function throttledWarning(log: Logger, event = 'queue_trouble') {
  let last = Number.NEGATIVE_INFINITY
  return (trouble: unknown) => {
    if (performance.now() - last < warningInterval) return
    last = performance.now()
    log.warn({ event, message: (trouble as { message?: string }).message ?? String(trouble) })
  }
}
