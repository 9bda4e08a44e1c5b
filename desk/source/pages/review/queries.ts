import { useQuery } from '@tanstack/react-query'
import type { Invitations } from '../../../../server/features/accounts/schema.ts'
import type {
  AuditLogPage,
  Before,
  FoundWriters,
  ReportPage,
  ReportsOfOne,
  ReviewedPage,
  ReviewedShown,
  ReviewPage,
  ReviewShown,
} from '../../../../server/features/moderation/schema.ts'
import { callApi } from '../../api/client.ts'
import { usePages, withQuery } from '../../api/pages.ts'
import { invalidateBy } from '../../api/queries.ts'

export type WaitingPiece = ReviewPage['pieces'][number]
export type ReviewedPiece = ReviewShown['piece']
export type PreviousText = NonNullable<Before['before']>
export type ReportedItem = ReportPage['items'][number]
export type OpenReports = ReportsOfOne
export type Decision = ReviewedPage['decisions'][number]
export type Category = Decision['category']
export type AuditEntry = AuditLogPage['deeds'][number]
export type FoundWriter = FoundWriters['writers'][number]

/** A paginated list. */
const useList = <Page extends { readonly next_cursor?: string | null }>(
  path: '/review' | '/reports' | '/review/deeds' | '/review/decisions',
  query: Readonly<Record<string, string>> = {},
) => usePages<Page>({ queryKey: ['review', 'list', path, query], path, query })

export const useQueue = () => useList<ReviewPage>('/review')
/** All reports, or those of one category. */
export const useReports = (category?: Category) =>
  useList<ReportPage>('/reports', category === undefined ? {} : { category })
export const useDecisions = (list: 'appeals' | 'all') => useList<ReviewedPage>('/review/decisions', { list })
export const useAuditLog = () => useList<AuditLogPage>('/review/deeds')

/** One piece with the nonce to approve exactly this text, so it is read once and not refetched. */
export const useReviewedPiece = (id: string) =>
  useQuery({
    queryKey: ['review', 'shown', id],
    queryFn: () => callApi<ReviewShown>('POST', `/review/${id}/show`),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The text moderators last reviewed. */
export const usePreviousText = (id: string, isPending: boolean) =>
  useQuery({
    queryKey: ['review', 'before', id],
    queryFn: async () => (await callApi<Before>('GET', `/review/${id}/before`)).before,
    enabled: isPending,
    gcTime: 0,
  })

export const useDecision = (id: string) =>
  useQuery({
    queryKey: ['review', 'decision', id],
    queryFn: () => callApi<ReviewedShown>('GET', `/review/decisions/${id}`),
  })

export const useWriters = (q: string) =>
  useQuery({
    queryKey: ['review', 'writers', q],
    queryFn: async () => (await callApi<FoundWriters>('GET', withQuery('/review/writers', { q }))).writers,
    placeholderData: (before) => before,
  })

export type Invitation = Invitations['invitations'][number]

export const useInvitations = () =>
  useQuery({
    queryKey: ['review', 'invitations'],
    queryFn: async () => (await callApi<Invitations>('GET', '/review/invitations')).invitations,
  })

/** Invalidates the lists after a decision; the decided piece is not read again. */
export const invalidateReview = (): Promise<void> =>
  invalidateBy({
    queryKey: ['review'],
    predicate: ({ queryKey: [, what] }) => what !== 'shown' && what !== 'before',
  })
