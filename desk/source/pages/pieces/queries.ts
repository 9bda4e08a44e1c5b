import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeskCounts, DeskListItem, DeskPage } from '../../../../server/features/pieces/desk-schema.ts'
import type { Status } from '../../../../server/features/pieces/draft-schema.ts'
import { ask } from '../../api/client.ts'

export type { DeskListItem, Status }

/** What of their pieces a writer wants to see, as the address says it. */
export interface Wanted {
  readonly q: string
  readonly status: Status | undefined
  readonly isByKey: boolean
}

/** In the order of a piece's life. */
export const statuses: readonly Status[] = ['draft', 'pending', 'changes_requested', 'rejected', 'approved']

export function wantedOf(query: URLSearchParams): Wanted {
  const status = query.get('status')
  return {
    q: query.get('q') ?? '',
    status: statuses.find((one) => one === status),
    isByKey: query.get('by') === 'key',
  }
}

/** The address at which exactly this is shown. */
export function addressOf({ q, status, isByKey }: Wanted): string {
  const query = new URLSearchParams({
    ...(status ? { status } : {}),
    ...(isByKey ? { by: 'key' } : {}),
    ...(q ? { q } : {}),
  })
  return query.size > 0 ? `/desk?${query}` : '/desk'
}

const perPage = 30

export const usePieces = ({ q, status, isByKey }: Wanted) =>
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
      return ask<DeskPage>('GET', `/pieces?${query}`, undefined, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    placeholderData: (before) => before,
  })

export const useCounts = () =>
  useQuery({
    queryKey: ['pieces', 'counts'],
    queryFn: async () => (await ask<DeskCounts>('GET', '/pieces/counts')).counts,
  })

/** For when the list is out of date. */
export function usePiecesChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['pieces'] })
}
