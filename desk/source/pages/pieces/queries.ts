import { useQuery } from '@tanstack/react-query'
import type { DeskCounts, DeskListItem, DeskOrder, DeskPage } from '../../../../server/features/pieces/desk-schema.ts'
import type { Status } from '../../../../server/features/pieces/draft-schema.ts'
import { callApi } from '../../api/client.ts'
import { usePages, withQuery } from '../../api/pages.ts'
import { invalidate } from '../../api/queries.ts'

export type { DeskListItem, DeskOrder, Status }

/** The list's filter, as in the URL. */
export interface PieceFilter {
  readonly q: string
  readonly status: Status | undefined
  readonly isByKey: boolean
  /** In the order of their times. */
  readonly isScheduled: boolean
  readonly sort: DeskOrder
}

/** In the order of a piece's life cycle. */
export const statuses: readonly Status[] = ['draft', 'pending', 'changes_requested', 'rejected', 'approved']

/** In the order of the columns. */
export const orders: readonly DeskOrder[] = ['headline', 'reads', 'published', 'changed']
const defaultOrder: DeskOrder = 'changed'

export function filterFromQuery(query: URLSearchParams): PieceFilter {
  const status = query.get('status')
  const sort = query.get('sort')
  return {
    q: query.get('q') ?? '',
    status: statuses.find((one) => one === status),
    isByKey: query.get('by') === 'key',
    isScheduled: query.has('scheduled'),
    sort: orders.find((one) => one === sort) ?? defaultOrder,
  }
}

/** The URL of this filter. */
export const filterPath = ({ sort, ...filter }: PieceFilter): string =>
  withQuery('/desk', { ...queryOf(filter), sort: sort === defaultOrder ? '' : sort })

const queryOf = ({ q, status, isByKey, isScheduled }: Omit<PieceFilter, 'sort'>) => ({
  status,
  by: isByKey ? 'key' : '',
  scheduled: isScheduled ? 'true' : '',
  q,
})

export const usePieces = (filter: PieceFilter) =>
  usePages<DeskPage>({
    queryKey: ['pieces', 'list', filter],
    path: '/pieces',
    query: { limit: '30', ...queryOf({ ...filter, q: filter.q.trim() }), sort: filter.sort },
    keepsPrevious: true,
  })

export const usePieceCounts = () =>
  useQuery({
    queryKey: ['pieces', 'counts'],
    queryFn: () => callApi<DeskCounts>('GET', '/pieces/counts'),
  })

export const invalidatePieces = (): Promise<void> => invalidate('pieces')

/** The first words of a text without Markdown marks. */
export function excerptOf(markdown: string, longest = 180): string {
  const plain = markdown
    .replace(/^\s*(`{3,}|~{3,}).*$/gm, '')
    .replace(/^\s*[-*_]( *[-*_]){2,}\s*$/gm, '')
    .replace(/!\[([^\]]*)\](\([^)]*\))?/g, '$1')
    .replace(/\[\^[^\]]*\]:?/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)?/g, '$1')
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+[.)])\s+(\[[ xX]\]\s+)?/gm, '')
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(^|[\s("“‘])[*_](?=\S)|(?<=\S)[*_](?=[\s.,;:!?)"”’]|$)/gm, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  if ([...plain].length <= longest) return plain
  const cut = [...plain].slice(0, longest).join('')
  return `${cut.replace(/\s+\S*$/, '')}…`
}
