import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PieceReadStats, ReadStats, StatDays } from '../../../../server/features/trending/schema.ts'
import { callApi } from '../../api/client.ts'
import { Filters } from '../../components/link.tsx'
import { Section } from '../../components/page.tsx'
import { rich, t } from '../../messages.ts'
import { Chart } from './chart.tsx'
import styles from './stats.module.css'

type Stats = Pick<ReadStats, 'days' | 'reads' | 'total_reads' | 'per_day' | 'sources'>

const periods: readonly StatDays[] = [30, 90]

/** The period, as in the URL. */
export const PeriodNav = ({ path, days }: { readonly path: string; readonly days: StatDays }) => (
  <div className={styles.period}>
    <Filters
      label={t('desk.stats.period')}
      choices={periods.map((one) => ({
        label: t('desk.stats.days', { count: one }),
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
      {rich('desk.stats.total', {
        reads: stats.reads,
        days: stats.days,
        number: (content) => <strong>{content}</strong>,
      })}
    </p>
    {stats.total_reads > stats.reads && (
      <p className={styles.ever}>{t('desk.stats.all_time', { count: stats.total_reads })}</p>
    )}
    <Chart key={stats.days} days={stats.per_day} />
  </>
)

/** Referrers. The note about sampling is essential: an edge cache answers most readers. */
export const SourcesSection = ({ stats: { sources } }: { readonly stats: Stats }) => (
  <Section title={t('desk.stats.sources')} lead={t('desk.stats.sources_lead')} isWide>
    {sources.length > 0 ? (
      <BarList
        label={t('desk.stats.sources_list')}
        rows={sources.map(({ source, visits }) => ({
          key: source ?? '',
          name: source ?? t('desk.stats.sources_other'),
          count: visits,
          text: rich('desk.stats.visits', { count: visits, unit: hiddenUnit }),
        }))}
      />
    ) : (
      <p className={styles.note}>{t('desk.stats.sources_none')}</p>
    )}
  </Section>
)

interface BarListProps {
  readonly label: string
  readonly rows: readonly {
    readonly key: string
    readonly name: ReactNode
    readonly count: number
    /** The count with its unit. */
    readonly text: ReactNode
  }[]
}

/** The unit of every row is the same, so only screen readers need it. */
export const hiddenUnit = (unit: ReactNode) => <span className="hidden">{unit}</span>

/** A list with bars relative to the largest. */
export function BarList({ label, rows }: BarListProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <ol className={styles.bars} aria-label={label}>
      {rows.map(({ key, name, count, text }) => (
        <li key={key}>
          <p className={styles.name}>{name}</p>
          <span className={styles.number}>{text}</span>
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
