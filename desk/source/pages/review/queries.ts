import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Invitations } from '../../../../server/features/accounts/invitations-schema.ts'
import type { ReviewedPage, ReviewedShown } from '../../../../server/features/moderation/decisions-schema.ts'
import type { Before, DeedPage, FoundWriters } from '../../../../server/features/moderation/people-schema.ts'
import type { ReportPage, ReportsOfOne } from '../../../../server/features/moderation/reports-schema.ts'
import type { ReviewPage, ReviewShown } from '../../../../server/features/moderation/schema.ts'
import { ask } from '../../api/client.ts'

export type Waiting = ReviewPage['pieces'][number]
export type Shown = ReviewShown['piece']
export type BeforeText = NonNullable<Before['before']>
export type Reported = ReportPage['items'][number]
export type OpenReports = ReportsOfOne
export type Decision = ReviewedPage['decisions'][number]
export type Category = Decision['category']
export type Deed = DeedPage['deeds'][number]
export type FoundWriter = FoundWriters['writers'][number]

interface Paged {
  readonly next_cursor?: string | null
}

/** A list that goes on page by page. */
const useList = <Page extends Paged>(
  path: '/review' | '/reports' | '/review/deeds' | '/review/decisions',
  query: Readonly<Record<string, string>> = {},
) =>
  useInfiniteQuery({
    queryKey: ['review', 'list', path, query],
    queryFn: ({ pageParam }) =>
      ask<Page>('GET', `${path}?${new URLSearchParams({ ...query, ...(pageParam ? { cursor: pageParam } : {}) })}`),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  })

export const useQueue = () => useList<ReviewPage>('/review')
/** All that is reported, or what is for one reason. */
export const useReports = (category?: Category) =>
  useList<ReportPage>('/reports', category === undefined ? {} : { category })
export const useDecisions = (list: 'appeals' | 'all') => useList<ReviewedPage>('/review/decisions', { list })
export const useDeeds = () => useList<DeedPage>('/review/deeds')

/** One piece as it is now, with the right to approve exactly that: so it is read once, and does not change meanwhile. */
export const useShown = (id: string) =>
  useQuery({
    queryKey: ['review', 'shown', id],
    queryFn: () => ask<ReviewShown>('POST', `/review/${id}/show`),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** What moderators last had before them of it. */
export const useBefore = (id: string, isPending: boolean) =>
  useQuery({
    queryKey: ['review', 'before', id],
    queryFn: async () => (await ask<Before>('GET', `/review/${id}/before`)).before,
    enabled: isPending,
    gcTime: 0,
  })

/** A decision, with what it was about. */
export const useDecision = (id: string) =>
  useQuery({
    queryKey: ['review', 'decision', id],
    queryFn: () => ask<ReviewedShown>('GET', `/review/decisions/${id}`),
  })

export const useWriters = (q: string) =>
  useQuery({
    queryKey: ['review', 'writers', q],
    queryFn: async () =>
      (await ask<FoundWriters>('GET', q ? `/review/writers?q=${encodeURIComponent(q)}` : '/review/writers')).writers,
    placeholderData: (before) => before,
  })

export type Invitation = Invitations['invitations'][number]

export const useInvitations = () =>
  useQuery({
    queryKey: ['review', 'invitations'],
    queryFn: async () => (await ask<Invitations>('GET', '/review/invitations')).invitations,
  })

/** For when something was decided. What was decided on waits no more, so it is not asked for again. */
export function useReviewChanged(): () => Promise<void> {
  const queries = useQueryClient()
  const isOfOnePiece = (what: unknown) => what === 'shown' || what === 'before'
  return () =>
    queries.invalidateQueries({ queryKey: ['review'], predicate: ({ queryKey }) => !isOfOnePiece(queryKey[1]) })
}
