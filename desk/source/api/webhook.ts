import { type InfiniteData, useQuery } from '@tanstack/react-query'
import type {
  Attempt,
  Delivery,
  DeliveryFound,
  DeliveryPage,
  DeliveryState,
  Problem,
  ResendRange,
  Resent,
  RotateSecret,
  Webhook,
  WebhookFound,
  WebhookSaved,
} from '../../../server/features/webhooks/schema.ts'
import { callApi } from './client.ts'
import { usePages, withQuery } from './pages.ts'
import { invalidate, queries } from './queries.ts'

export type { Attempt, Delivery, DeliveryFound, DeliveryState, Problem, Webhook, WebhookSaved }

const baseKey = ['webhook'] as const
const webhookKey = [...baseKey, 'found'] as const
const deliveriesKey = [...baseKey, 'sent'] as const

/** Counts alone are not polled more often than this (milliseconds). */
const countsInterval = 5_000
/** Attempts due later than this are not polled for; focusing the window refetches. */
const pollHorizon = 90_000

const isInProgress = ({ state, due_at: due }: Delivery): boolean =>
  state === 'pending' && (due === null || new Date(due).getTime() < Date.now() + pollHorizon)

const isAnyInProgress = (sent: readonly (Delivery | null | undefined)[] | undefined): boolean =>
  sent?.some((one) => one && isInProgress(one)) ?? false

/** The writer's webhook, or null. Polled while a test is in progress. */
export const useWebhook = () =>
  useQuery({
    queryKey: webhookKey,
    queryFn: async () => (await callApi<WebhookFound>('GET', '/webhook')).webhook,
    refetchInterval: ({ state: { data } }) => {
      if (!data) return false
      if (isAnyInProgress([data.ping])) return pollInterval(data)
      return data.deliveries.pending > 0 && Math.max(pollInterval(data), countsInterval)
    },
  })

/** Updates the cache, so all parts of the page see the result at once. */
const now = <Answer extends WebhookFound>(answer: Answer): Answer => {
  queries.setQueryData(webhookKey, answer.webhook)
  void invalidate(...deliveriesKey)
  return answer
}

export const saveWebhook = async (url: string) => now(await callApi<WebhookSaved>('PUT', '/webhook', { url }))
export const rotateSecret = async (given: RotateSecret) =>
  now(await callApi<WebhookSaved>('POST', '/webhook/rotate', given))
export const actOnWebhook = async (act: 'ping' | 'pause' | 'resume') =>
  now(await callApi<WebhookFound>('POST', `/webhook/${act}`))
export async function removeWebhook(): Promise<void> {
  await callApi('DELETE', '/webhook')
  now({ ok: true, webhook: null })
}

/** One page of the delivery log, newest first. */
const readPage = (state: DeliveryState | undefined, limit: number, cursor: string, signal?: AbortSignal) => {
  const path = withQuery('/webhook/deliveries', { limit: String(limit), state, cursor })
  return callApi<DeliveryPage>('GET', path, undefined, signal ? { signal } : {})
}

/** The most recent deliveries. */
export const useLatestDeliveries = (limit: number) =>
  useQuery({
    queryKey: [...deliveriesKey, 'latest', limit],
    queryFn: async ({ signal }) => (await readPage(undefined, limit, '', signal)).deliveries,
    refetchInterval: ({ state: { data } }) => isAnyInProgress(data) && pollInterval(data!),
  })

const perPage = 30

/**
 * All deliveries, page by page. Only the newest page is polled, and only while one of its deliveries is in progress.
 */
export function useDeliveries(state: DeliveryState | undefined) {
  const queryKey = [...deliveriesKey, 'list', state]
  const list = usePages<DeliveryPage>({
    queryKey,
    path: '/webhook/deliveries',
    query: { limit: String(perPage), state },
    keepsPrevious: true,
  })
  useQuery({
    queryKey: [...deliveriesKey, 'newest', state],
    queryFn: async ({ signal }) => {
      const newest = await readPage(state, perPage, '', signal)
      queries.setQueryData<InfiniteData<DeliveryPage, string>>(
        queryKey,
        (known) => known && { ...known, pages: withNewestPage(known.pages, newest) },
      )
      return newest
    },
    staleTime: 0,
    enabled: !list.isPlaceholderData && isAnyInProgress(list.data?.pages[0]?.deliveries),
    refetchInterval: ({ state: { data } }) => data !== undefined && pollInterval(data),
  })
  return list
}

/** One delivery with all its attempts. */
export const useDelivery = (id: string, isEnabled = true) =>
  useQuery({
    queryKey: [...deliveriesKey, 'one', id],
    queryFn: () => callApi<DeliveryFound>('GET', `/webhook/deliveries/${id}`),
    enabled: isEnabled,
    refetchInterval: ({ state: { data } }) => isAnyInProgress([data?.delivery]) && pollInterval(data!),
  })

export interface Range {
  readonly from: Date
  readonly to: Date
  readonly onlyFailed: boolean
}

const largestPage = 100
/** The server resends at most this many per request. */
export const maxResend = 1_000

/** How many deliveries a resend would send; disabled until the range is valid. */
export const useResendCount = (range: Range | undefined) =>
  useQuery({
    queryKey: [...deliveriesKey, 'resendable', range],
    queryFn: ({ signal }) => countIn(range!, signal),
    enabled: range !== undefined,
    staleTime: 0,
  })

async function countIn(range: Range, signal: AbortSignal): Promise<number> {
  if (!range.onlyFailed) return countOf(undefined, range, signal)
  const counts = await Promise.all(failedStates.map((state) => countOf(state, range, signal)))
  return counts.reduce((sum, count) => sum + count)
}

async function countOf(state: DeliveryState | undefined, { from, to }: Range, signal: AbortSignal): Promise<number> {
  let count = 0
  let cursor = ''
  for (;;) {
    const page = await readPage(state, largestPage, cursor, signal)
    const within = page.deliveries.filter(({ created_at: at }) => new Date(at) >= from && new Date(at) <= to)
    count += within.filter((one) => one.can_resend).length
    const last = page.deliveries.at(-1)
    if (!page.next_cursor || !last || new Date(last.created_at) < from || count > maxResend) return count
    cursor = page.next_cursor
  }
}

/** The states the server counts as "all that failed". */
const failedStates: readonly DeliveryState[] = ['exhausted', 'held']
export const isFailed = (state: DeliveryState): boolean => failedStates.includes(state)

/** Resends a delivery under the same id. */
export async function resendOne(id: string): Promise<void> {
  await callApi<DeliveryFound>('POST', `/webhook/deliveries/${id}/resend`)
  await invalidate(...baseKey)
}

/** Resends those of a range under the same ids; resolves with their number. */
export async function resendRange({ from, to, onlyFailed }: Range): Promise<number> {
  const given: ResendRange = { from: from.toISOString(), to: to.toISOString(), only_failed: onlyFailed }
  const { count } = await callApi<Resent>('POST', '/webhook/deliveries/resend', given)
  await invalidate(...baseKey)
  return count
}

/** Polling slows down the longer nothing changes. */

/** After so long without a change, the interval until the next poll; in milliseconds. */
const pollSteps = [
  { until: 5_000, pause: 1_000 },
  { until: 15_000, pause: 2_000 },
  { until: 60_000, pause: 5_000 },
] as const
const maxInterval = 15_000

const firstSeen = new WeakMap<object, number>()

/** The next polling interval. Structural sharing in the query client keeps an unchanged answer the same object. */
export function pollInterval(answer: object, now = Date.now()): number {
  const since = firstSeen.get(answer) ?? now
  firstSeen.set(answer, since)
  return pollSteps.find(({ until }) => now - since < until)?.pause ?? maxInterval
}

/** Replaces the newest page of the log; older deliveries stay. */
export function withNewestPage(pages: readonly DeliveryPage[], newest: DeliveryPage): DeliveryPage[] {
  const last = newest.next_cursor === null ? undefined : newest.deliveries.at(-1)
  const isOlder = (one: Delivery): boolean => last !== undefined && isBefore(one, last)
  return pages.map((page, place) => {
    const older = page.deliveries.filter(isOlder)
    return { ...page, deliveries: place === 0 ? [...newest.deliveries, ...older] : older }
  })
}

const isBefore = (one: Delivery, other: Delivery): boolean =>
  one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id)
