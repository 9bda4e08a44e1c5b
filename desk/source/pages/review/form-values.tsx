import { Time } from '../../components/time.tsx'
import { categoryWord } from './categories.ts'
import type { OpenReports } from './queries.ts'
import styles from './review.module.css'

export const reportsWord = (count: number): string => (count === 1 ? 'one report' : `${count} reports`)

const addresses = (count: number): string => (count === 1 ? 'one address' : `${count} addresses`)

/** How many, from how many, and when. */
export const HowMany = ({ of: { reports, reporters, newest_at } }: { readonly of: OpenReports }) => (
  <span>
    {reports === 1 ? 'One report, ' : `${reports} reports from ${addresses(reporters)}, the last `}
    <Time at={newest_at} isPast />
  </span>
)

/** What readers said of a piece, the newest first. */
export const Said = ({ reports }: { readonly reports: OpenReports['newest'] }) => (
  <ul className={styles.said}>
    {reports.map((report) => (
      <li key={`${report.at} ${report.reason}`}>
        <p>
          <strong>{categoryWord(report.reason)}</strong>
          {report.note && (
            <>
              {': '}
              <q dir="auto">{report.note}</q>
            </>
          )}
        </p>
        {report.place && (
          <p>
            Where: <q dir="auto">{report.place}</q>
          </p>
        )}
        <p className={styles.facts}>
          <span>
            <Time at={report.at} isPast />
          </span>
          {report.name && <bdi>{report.name}</bdi>}
          {report.email ? <a href={`mailto:${report.email}`}>{report.email}</a> : <span>No address given</span>}
        </p>
      </li>
    ))}
  </ul>
)
