import { Link } from '../../components/link.tsx'
import { Section } from '../../components/section.tsx'
import { Bars } from './bars.tsx'
import { Chart } from './chart.tsx'
import { numberOf, readsOf } from './days.ts'
import { addressFor, type ReadStats, type StatDays } from './queries.ts'
import styles from './stats.module.css'

type Told = Pick<ReadStats, 'days' | 'reads' | 'total_reads' | 'per_day' | 'sources'>

const periods: readonly StatDays[] = [30, 90]

/** Which days the page is about, as the address says it. */
export const Period = ({ path, days }: { readonly path: string; readonly days: StatDays }) => (
  <nav aria-label="Period" className={styles.period}>
    <ul>
      {periods.map((one) => (
        <li key={one}>
          <Link to={addressFor(path, one)} replace aria-current={one === days ? 'page' : undefined}>
            {one} days
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

/** How often, in figures and day by day. */
export const Reads = ({ told }: { readonly told: Told }) => (
  <>
    <p className={styles.total}>
      <strong>{numberOf(told.reads)}</strong> {told.reads === 1 ? 'read' : 'reads'} in {told.days} days
    </p>
    {told.total_reads > told.reads && <p className={styles.ever}>{readsOf(told.total_reads)} since the beginning</p>}
    <Chart key={told.days} days={told.per_day} />
  </>
)

/** Who sent them. The sentence about the sample is part of it: an edge cache answers most readers by itself. */
export const Sources = ({ told: { sources } }: { readonly told: Told }) => (
  <Section
    title="Where readers came from"
    lead="The pages that led to yours, and the word after “?ref=” in a link. A cache in front of the site answers many readers itself, so this is a sample, not a count."
    isWide
  >
    {sources.length > 0 ? (
      <Bars
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
