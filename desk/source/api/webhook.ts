import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
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
import { ask } from './client.ts'
import { pauseAt, renewed } from './webhook-watch.ts'

export type { Attempt, Delivery, DeliveryFound, DeliveryState, Problem, Webhook, WebhookSaved }

const base = ['webhook'] as const
const foundKey = [...base, 'found'] as const
const sentKey = [...base, 'sent'] as const

/** Numbers alone are looked at no more often than this, in milliseconds. */
const whileWaiting = 5_000
/** Attempts further away than this are not waited for: whoever comes back to the window sees them. */
const soon = 90_000

const isUnderWay = ({ state, due_at: due }: Delivery): boolean =>
  state === 'pending' && (due === null || new Date(due).getTime() < Date.now() + soon)

const isAnyUnderWay = (sent: readonly (Delivery | null | undefined)[] | undefined): boolean =>
  sent?.some((one) => one && isUnderWay(one)) ?? false

/** The writer's webhook, null where there is none. While a test is under way it is asked for again and again. */
export const useWebhook = () =>
  useQuery({
    queryKey: foundKey,
    queryFn: async () => (await ask<WebhookFound>('GET', '/webhook')).webhook,
    refetchInterval: ({ state: { data } }) => {
      if (!data) return false
      if (isAnyUnderWay([data.ping])) return pauseAt(data)
      return data.deliveries.pending > 0 && Math.max(pauseAt(data), whileWaiting)
    },
  })

/** What can be done with a webhook. What it then is, every part of the page knows at once. */
export function useWebhookActs() {
  const queries = useQueryClient()
  const now = <Answer extends WebhookFound>(answer: Answer): Answer => {
    queries.setQueryData(foundKey, answer.webhook)
    void queries.invalidateQueries({ queryKey: sentKey })
    return answer
  }
  return {
    save: async (url: string) => now(await ask<WebhookSaved>('PUT', '/webhook', { url })),
    rotate: async (given: RotateSecret) => now(await ask<WebhookSaved>('POST', '/webhook/rotate', given)),
    act: async (act: 'ping' | 'pause' | 'resume') => now(await ask<WebhookFound>('POST', `/webhook/${act}`)),
    remove: async () => {
      await ask('DELETE', '/webhook')
      now({ ok: true, webhook: null })
    },
  }
}

/** A list of what was sent: one page of the log, newest first. */
const readPage = (state: DeliveryState | undefined, limit: number, cursor: string, signal?: AbortSignal) => {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(state ? { state } : {}),
    ...(cursor ? { cursor } : {}),
  })
  return ask<DeliveryPage>('GET', `/webhook/deliveries?${query}`, undefined, signal ? { signal } : {})
}

/** The last few. */
export const useLatest = (limit: number) =>
  useQuery({
    queryKey: [...sentKey, 'latest', limit],
    queryFn: async ({ signal }) => (await readPage(undefined, limit, '', signal)).deliveries,
    refetchInterval: ({ state: { data } }) => isAnyUnderWay(data) && pauseAt(data!),
  })

const perPage = 30

/** All of them, page by page. Only the newest page is looked at again, and only while something in it is under way. */
export function useDeliveries(wanted: DeliveryState | undefined) {
  const queries = useQueryClient()
  const queryKey = [...sentKey, 'list', wanted]
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(wanted, perPage, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    placeholderData: (before) => before,
  })
  useQuery({
    queryKey: [...sentKey, 'newest', wanted],
    queryFn: async ({ signal }) => {
      const newest = await readPage(wanted, perPage, '', signal)
      queries.setQueryData<InfiniteData<DeliveryPage, string>>(
        queryKey,
        (known) => known && { ...known, pages: renewed(known.pages, newest) },
      )
      return newest
    },
    staleTime: 0,
    enabled: !list.isPlaceholderData && isAnyUnderWay(list.data?.pages[0]?.deliveries),
    refetchInterval: ({ state: { data } }) => data !== undefined && pauseAt(data),
  })
  return list
}

/** One, with everything that was tried. */
export const useDelivery = (id: string, isWanted = true) =>
  useQuery({
    queryKey: [...sentKey, 'one', id],
    queryFn: () => ask<DeliveryFound>('GET', `/webhook/deliveries/${id}`),
    enabled: isWanted,
    refetchInterval: ({ state: { data } }) => isAnyUnderWay([data?.delivery]) && pauseAt(data!),
  })

export interface Range {
  readonly from: Date
  readonly to: Date
  readonly onlyFailed: boolean
}

const largestPage = 100
/** The server resends no more by one act. */
export const mostAtOnce = 1_000

/** How many would go if this were resent; undefined until it is known what is asked. */
export const useResendable = (range: Range | undefined) =>
  useQuery({
    queryKey: [...sentKey, 'resendable', range],
    queryFn: ({ signal }) => countIn(range!, signal),
    enabled: range !== undefined,
    staleTime: 0,
  })

async function countIn(range: Range, signal: AbortSignal): Promise<number> {
  if (!range.onlyFailed) return countOf(undefined, range, signal)
  const counts = await Promise.all(failed.map((state) => countOf(state, range, signal)))
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
    if (!page.next_cursor || !last || new Date(last.created_at) < from || count > mostAtOnce) return count
    cursor = page.next_cursor
  }
}

/** What "all that failed" means to the server. */
const failed: readonly DeliveryState[] = ['exhausted', 'held']
export const isFailed = (state: DeliveryState): boolean => failed.includes(state)

/** Sends again what was sent before, under the same id. */
export function useResend() {
  const queries = useQueryClient()
  const changed = () => queries.invalidateQueries({ queryKey: base })
  return {
    one: async (id: string) => {
      await ask<DeliveryFound>('POST', `/webhook/deliveries/${id}/resend`)
      await changed()
    },
    range: async ({ from, to, onlyFailed }: Range): Promise<number> => {
      const given: ResendRange = { from: from.toISOString(), to: to.toISOString(), only_failed: onlyFailed }
      const { count } = await ask<Resent>('POST', '/webhook/deliveries/resend', given)
      await changed()
      return count
    },
  }
}
