import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { showToast } from '../../components/notice.tsx'
import { Time } from '../../components/time.tsx'
import { categoryLabel } from './categories.tsx'
import { type OpenReports, useInvalidateReview } from './queries.ts'
import styles from './review.module.css'

const reportCount = (count: number): string => (count === 1 ? 'one report' : `${count} reports`)

const addressCount = (count: number): string => (count === 1 ? 'one address' : `${count} addresses`)

/** The number of reports and reporters, and the last time. */
export const ReportSummary = ({ of: { reports, reporters, newest_at } }: { readonly of: OpenReports }) => (
  <span>
    {reports === 1 ? 'One report, ' : `${reports} reports from ${addressCount(reporters)}, the last `}
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

/** The reports to dismiss. */
export interface Dismissal {
  readonly kind: 'piece' | 'listing'
  readonly id: string
  readonly headline: string
  readonly reports: number
}

interface DismissReportsProps {
  /** The dialog is closed without one. */
  readonly dismissal: Dismissal | undefined
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Asks before reports are dismissed. */
export const DismissReportsDialog = ({ dismissal, onClose, onDone = onClose }: DismissReportsProps) => (
  <Dialog
    title={dismissal ? `Dismiss ${reportCount(dismissal.reports)}?` : ''}
    isOpen={dismissal !== undefined}
    onClose={onClose}
  >
    {dismissal && <ConfirmDismiss dismissal={dismissal} onClose={onClose} onDone={onDone} />}
  </Dialog>
)

interface ConfirmDismissProps extends DismissReportsProps {
  readonly dismissal: Dismissal
  readonly onDone: () => void
}

function ConfirmDismiss({ dismissal: { kind, id, headline }, onClose, onDone }: ConfirmDismissProps) {
  const changed = useInvalidateReview()
  const attempt = useAttempt()
  const dismiss = attempt.handler(async () => {
    await callApi('POST', kind === 'piece' ? `/reports/${id}/dismiss` : `/reports/listings/${id}/dismiss`)
    showToast(`The reports are dismissed. The ${kind} stays as it is.`)
    onDone()
    await changed()
  })
  return (
    <>
      <ErrorNotice error={attempt.error} />
      <p>
        “{headline}” stays public. Whoever left an address is told so by email; its writer hears nothing. It comes back
        here if somebody reports it again.
      </p>
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Leave them open
        </Button>
        <Button kind="main" isBusy={attempt.isBusy} onClick={dismiss}>
          Dismiss
        </Button>
      </DialogActions>
    </>
  )
}
