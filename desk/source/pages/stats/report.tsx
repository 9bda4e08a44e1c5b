import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PieceReadStats, ReadStats, StatDays } from '../../../../server/features/trending/schema.ts'
import { callApi } from '../../api/client.ts'
import { Filters } from '../../components/link.tsx'
import { Section } from '../../components/page.tsx'
import { Chart } from './chart.tsx'
import { formatNumber, formatReads } from './format.ts'
import styles from './stats.module.css'

type Stats = Pick<ReadStats, 'days' | 'reads' | 'total_reads' | 'per_day' | 'sources'>

const periods: readonly StatDays[] = [30, 90]

/** The period, as in the URL. */
export const PeriodNav = ({ path, days }: { readonly path: string; readonly days: StatDays }) => (
  <div className={styles.period}>
    <Filters
      label="Period"
      choices={periods.map((one) => ({
        label: `${one} days`,
        to: pathWithDays(path, one),
        isCurrent: one === days,
      }))}
      current="page"
    />
  </div>
)

/** Totals and the chart. */
export const ReadsSection = ({ stats }: { readonly stats: Stats }) => (
  <>
    <p className={styles.total}>
      <strong>{formatNumber(stats.reads)}</strong> {stats.reads === 1 ? 'read' : 'reads'} in {stats.days} days
    </p>
    {stats.total_reads > stats.reads && (
      <p className={styles.ever}>{formatReads(stats.total_reads)} since the beginning</p>
    )}
    <Chart key={stats.days} days={stats.per_day} />
  </>
)

/** Referrers. The note about sampling is essential: an edge cache answers most readers. */
export const SourcesSection = ({ stats: { sources } }: { readonly stats: Stats }) => (
  <Section
    title="Where readers came from"
    lead="The pages that led to yours, and the word after “?ref=” in a link. A cache in front of the site answers many readers itself, so this is a sample, not a count."
    isWide
  >
    {sources.length > 0 ? (
      <BarList
        label="Where readers came from, the most visits first"
        rows={sources.map(({ source, visits }) => ({
          key: source ?? '',
          name: source ?? 'Others',
          count: visits,
          words: visits === 1 ? 'visit' : 'visits',
        }))}
      />
    ) : (
      <p className={styles.note}>
        No page has led here in these days, as far as we saw. Many readers come without saying from where.
      </p>
    )}
  </Section>
)

interface BarListProps {
  readonly label: string
  readonly rows: readonly {
    readonly key: string
    readonly name: ReactNode
    readonly count: number
    /** The unit, for screen readers. */
    readonly words: string
  }[]
}

/** A list with bars relative to the largest. */
export function BarList({ label, rows }: BarListProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <ol className={styles.bars} aria-label={label}>
      {rows.map(({ key, name, count, words }) => (
        <li key={key}>
          <span className={styles.name}>{name}</span>
          <span className={styles.number}>
            {formatNumber(count)}
            <span className="hidden"> {words}</span>
          </span>
          <svg width="100%" height="4" aria-hidden="true">
            <rect width={`${(100 * count) / most}%`} height="4" rx="2" />
          </svg>
        </li>
      ))}
    </ol>
  )
}

export type { PieceReadStats, ReadStats, StatDays }

/** The period in the URL. */
export const daysFromQuery = (query: URLSearchParams): StatDays => (query.get('days') === '90' ? 90 : 30)

/** The URL of this period. */
export const pathWithDays = (path: string, days: StatDays): string => (days === 30 ? path : `${path}?days=${days}`)

/** The previous data stays until the other period is loaded. */
export const useStats = (days: StatDays) =>
  useQuery({
    queryKey: ['stats', 'all', days],
    queryFn: ({ signal }) => callApi<ReadStats>('GET', `/stats?days=${days}`, undefined, { signal }),
    placeholderData: (before) => before,
  })

export const usePieceStats = (id: string, days: StatDays) =>
  useQuery({
    queryKey: ['stats', 'piece', id, days],
    queryFn: ({ signal }) => callApi<PieceReadStats>('GET', `/stats/pieces/${id}?days=${days}`, undefined, { signal }),
    placeholderData: (before) => (before?.piece.id === id ? before : undefined),
  })
