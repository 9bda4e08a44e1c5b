import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeskCounts, DeskListItem, DeskPage } from '../../../../server/features/pieces/desk-schema.ts'
import type { Status } from '../../../../server/features/pieces/draft-schema.ts'
import { callApi } from '../../api/client.ts'

export type { DeskListItem, Status }

/** The list's filter, as in the URL. */
export interface PieceFilter {
  readonly q: string
  readonly status: Status | undefined
  readonly isByKey: boolean
}

/** In the order of a piece's life cycle. */
export const statuses: readonly Status[] = ['draft', 'pending', 'changes_requested', 'rejected', 'approved']

export function filterFromQuery(query: URLSearchParams): PieceFilter {
  const status = query.get('status')
  return {
    q: query.get('q') ?? '',
    status: statuses.find((one) => one === status),
    isByKey: query.get('by') === 'key',
  }
}

/** The URL of this filter. */
export function filterPath({ q, status, isByKey }: PieceFilter): string {
  const query = new URLSearchParams({
    ...(status ? { status } : {}),
    ...(isByKey ? { by: 'key' } : {}),
    ...(q ? { q } : {}),
  })
  return query.size > 0 ? `/desk?${query}` : '/desk'
}

const perPage = 30

export const usePieces = ({ q, status, isByKey }: PieceFilter) =>
  useInfiniteQuery({
    queryKey: ['pieces', 'list', q, status, isByKey],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        limit: String(perPage),
        ...(q.trim() ? { q: q.trim() } : {}),
        ...(status ? { status } : {}),
        ...(isByKey ? { by: 'key' } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      })
      return callApi<DeskPage>('GET', `/pieces?${query}`, undefined, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    placeholderData: (before) => before,
  })

export const usePieceCounts = () =>
  useQuery({
    queryKey: ['pieces', 'counts'],
    queryFn: async () => (await callApi<DeskCounts>('GET', '/pieces/counts')).counts,
  })

export function useInvalidatePieces(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['pieces'] })
}
