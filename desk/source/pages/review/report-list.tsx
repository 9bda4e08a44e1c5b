import { callApi } from '../../api/client.ts'
import { Select } from '../../components/choices.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/notice.tsx'
import { Time } from '../../components/time.tsx'
import { type Category, invalidateReview, type OpenReports } from './queries.ts'
import styles from './review.module.css'

const categoryLabels: Readonly<Record<Category, string>> = {
  illegal: 'Illegal content',
  spam: 'Spam',
  harassment: 'Harassment or hate',
  copyright: 'Copyright',
  private_information: 'Private information',
  impersonation: 'Impersonation',
  danger: 'Dangerous',
  editorial: 'Not suited to this site',
  other: 'Something else',
}

/** In display order for moderators. */
const categories = Object.entries(categoryLabels) as [Category, string][]
/** Categories readers can report. */
export const reportCategories = categories.filter(([category]) => category !== 'editorial')
export const categoryLabel = (category: Category): string => categoryLabels[category]

export const isCategory = (given: string | null): given is Category =>
  given !== null && Object.hasOwn(categoryLabels, given)

interface CategoryFieldProps {
  readonly value: Category
  readonly onValue: (category: Category) => void
}

/** The rule a decision is based on. */
export const CategoryField = (props: CategoryFieldProps) => (
  <Select
    label="Reason"
    hint="The writer reads it above your words. For illegal content, name the law below."
    options={categories}
    {...props}
  />
)

/** The number of reports and reporters, and the last time. */
export const ReportSummary = ({ of: { reports, reporters, newest_at } }: { readonly of: OpenReports }) => (
  <span>
    {reports === 1
      ? 'One report, '
      : `${reports} reports from ${reporters === 1 ? 'one address' : `${reporters} addresses`}, the last `}
    <Time at={newest_at} isPast />
  </span>
)

/** What readers reported, newest first. */
export const ReportList = ({ reports }: { readonly reports: OpenReports['newest'] }) => (
  <ul className={styles.said}>
    {reports.map((report) => (
      <li key={`${report.at} ${report.reason}`}>
        <p>
          <strong>{categoryLabel(report.reason)}</strong>
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
        <p className="facts">
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

/** The reports to dismiss. */
export interface Dismissal {
  readonly kind: 'piece' | 'listing'
  readonly id: string
  readonly headline: string
  readonly reports: number
}

interface DismissReportsProps {
  readonly dismissal: Dismissal
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Asks before reports are dismissed. */
export function DismissReportsDialog({ dismissal, onClose, onDone = onClose }: DismissReportsProps) {
  const { kind, id, headline, reports } = dismissal
  return (
    <FormDialog
      title={`Dismiss ${reports === 1 ? 'one report' : `${reports} reports`}?`}
      about={`“${headline}” stays public. Whoever left an address is told so by email; its writer hears nothing. It comes back here if somebody reports it again.`}
      onSubmit={async () => {
        await callApi('POST', kind === 'piece' ? `/reports/${id}/dismiss` : `/reports/listings/${id}/dismiss`)
        showToast(`The reports are dismissed. The ${kind} stays as it is.`)
        onDone()
        await invalidateReview()
      }}
      submit="Dismiss"
      cancel="Leave them open"
      onClose={onClose}
    />
  )
}
