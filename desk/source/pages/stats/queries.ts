import { useQuery } from '@tanstack/react-query'
import type { PieceReadStats, ReadStats, StatDays } from '../../../../server/features/trending/stats-schema.ts'
import { ask } from '../../api/client.ts'

export type { PieceReadStats, ReadStats, StatDays }

/** The period the address asks for. */
export const daysOf = (query: URLSearchParams): StatDays => (query.get('days') === '90' ? 90 : 30)

/** The same page for this period. */
export const addressFor = (path: string, days: StatDays): string => (days === 30 ? path : `${path}?days=${days}`)

/** What is shown stays until the other period is there. */
export const useStats = (days: StatDays) =>
  useQuery({
    queryKey: ['stats', 'all', days],
    queryFn: ({ signal }) => ask<ReadStats>('GET', `/stats?days=${days}`, undefined, { signal }),
    placeholderData: (before) => before,
  })

export const usePieceStats = (id: string, days: StatDays) =>
  useQuery({
    queryKey: ['stats', 'piece', id, days],
    queryFn: ({ signal }) => ask<PieceReadStats>('GET', `/stats/pieces/${id}?days=${days}`, undefined, { signal }),
    placeholderData: (before) => (before?.piece.id === id ? before : undefined),
  })
