import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { Select } from '../../components/choices.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/notice.tsx'
import { Time } from '../../components/time.tsx'
import { type PlainMessageId, rich, t } from '../../messages.ts'
import { type Category, invalidateReview, type OpenReports } from './queries.ts'
import styles from './review.module.css'

/** In display order for moderators. */
const categoryLabels: Readonly<Record<Category, PlainMessageId>> = {
  illegal: 'desk.review.category.illegal',
  spam: 'desk.review.category.spam',
  harassment: 'desk.review.category.harassment',
  copyright: 'desk.review.category.copyright',
  private_information: 'desk.review.category.private_information',
  impersonation: 'desk.review.category.impersonation',
  danger: 'desk.review.category.danger',
  editorial: 'desk.review.category.editorial',
  other: 'desk.review.category.other',
}

const categories = Object.keys(categoryLabels) as Category[]
/** Categories readers can report. */
export const reportCategories = categories.filter((category) => category !== 'editorial')
export const categoryLabel = (category: Category): string => t(categoryLabels[category])

export const isCategory = (given: string | null): given is Category =>
  given !== null && Object.hasOwn(categoryLabels, given)

interface CategoryFieldProps {
  readonly value: Category
  readonly onValue: (category: Category) => void
}

/** The rule a decision is based on. */
export const CategoryField = (props: CategoryFieldProps) => (
  <Select
    label={t('desk.review.category')}
    hint={t('desk.review.category_hint')}
    options={categories.map((category) => [category, categoryLabel(category)] as const)}
    {...props}
  />
)

/** The number of reports and reporters, and the last time. */
export function ReportSummary({ of: { reports, reporters, newest_at } }: { readonly of: OpenReports }) {
  const time = <Time at={newest_at} isPast />
  return (
    <span>
      {reports === 1
        ? rich('desk.review.reports.summary_one', { time })
        : rich('desk.review.reports.summary', { reports, reporters, time })}
    </span>
  )
}

const quoted = (content: ReactNode) => <q dir="auto">{content}</q>
const strong = (content: ReactNode) => <strong>{content}</strong>

/** What readers reported, newest first. */
export const ReportList = ({ reports }: { readonly reports: OpenReports['newest'] }) => (
  <ul className={styles.said}>
    {reports.map((report) => (
      <li key={`${report.at} ${report.reason}`}>
        <p>
          {report.note
            ? rich('desk.review.reports.with_note', {
                category: categoryLabel(report.reason),
                note: report.note,
                strong,
                q: quoted,
              })
            : strong(categoryLabel(report.reason))}
        </p>
        {report.place && <p>{rich('desk.review.reports.place', { place: report.place, q: quoted })}</p>}
        <p className="facts">
          <span>
            <Time at={report.at} isPast />
          </span>
          {report.name && <bdi>{report.name}</bdi>}
          {report.email ? (
            <a href={`mailto:${report.email}`}>{report.email}</a>
          ) : (
            <span>{t('desk.review.reports.no_email')}</span>
          )}
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
      title={t('desk.review.reports.dismiss_title', { count: reports })}
      about={t('desk.review.reports.dismiss_about', { headline })}
      onSubmit={async () => {
        await callApi('POST', kind === 'piece' ? `/reports/${id}/dismiss` : `/reports/listings/${id}/dismiss`)
        showToast(t('desk.review.reports.dismissed'))
        onDone()
        await invalidateReview()
      }}
      submit={t('desk.review.reports.dismiss')}
      onClose={onClose}
    />
  )
}
